// SPDX-License-Identifier: Apache-2.0
import Signal

/// Signal and noise levels of one channel's envelopes, decoded from differences
/// (TS 103 190-1, 5.7.6.3.4 and 5.7.6.3.5).
final class ASPXLevels {
  /// Values reserved for each envelope.
  static let rowLength = ASPXChannel.rowLength
  /// The bound of quantised levels, which only damaged streams reach.
  private static let maximum: Int32 = 1 << 14
  /// The energy of signal level 0.
  private static let unit: Float = 64
  /// NOISE_FLOOR_OFFSET: noise level 0 stands for a noise factor of 2 to the power of this.
  private static let noiseFloorOffset: Float = 6
  /// PAN_OFFSET: the balance at which both channels have the same level.
  private static let panOffset: Float = 12

  /// Energies of the signal groups, ``rowLength`` for each envelope.
  let signal = Buffer<Float>(0, count: 5 * rowLength)
  /// Noise factors of the noise groups, ``rowLength`` for each noise envelope.
  let noise = Buffer<Float>(0, count: 2 * rowLength)
  /// Quantised signal levels.
  let signalSteps = Buffer<Int32>(0, count: 5 * rowLength)
  /// Quantised noise levels.
  let noiseSteps = Buffer<Int32>(0, count: 2 * rowLength)

  /// Quantised levels of the last envelope.
  private let lastSignal = Buffer<Int32>(0, count: rowLength)
  private let lastNoise = Buffer<Int32>(0, count: rowLength)
  /// Number of values in ``lastSignal``.
  private var lastCount = 0
  private var lastNoiseCount = 0
  /// Whether they have high frequency resolution.
  private var lastWasHigh = false

  /// Forgets earlier intervals.
  func reset() {
    lastSignal.fill(0)
    lastNoise.fill(0)
    lastCount = 0
    lastNoiseCount = 0
    lastWasHigh = false
  }

  /// Decodes the differences of one interval. The quantised balances of a pair have steps of 2.
  func decode(_ channel: ASPXChannel, _ bands: ASPXBands, isBalance: Bool) {
    let step: Int32 = isBalance ? 2 : 1
    let framing = channel.framing
    for envelope in 0..<framing.envelopes {
      let isHigh = framing.isHigh(envelope)
      let count = bands.signal(isHigh: isHigh).count - 1
      let row = envelope * ASPXLevels.rowLength
      let values = channel.signal.base + row
      let steps = signalSteps.base + row
      if channel.signalOverTime >> UInt8(envelope) & 1 == 1 {
        for group in 0..<count {
          let reference = previous(group, isHigh, bands)
          steps[group] = ASPXLevels.sum(reference, step * Int32(values[group]))
        }
      } else {
        ASPXLevels.accumulate(values, step, count, steps)
      }
      lastSignal.base.update(from: steps, count: count)
      lastCount = count
      lastWasHigh = isHigh
    }
    for envelope in 0..<framing.noiseEnvelopes {
      let row = envelope * ASPXLevels.rowLength
      let values = channel.noise.base + row
      let steps = noiseSteps.base + row
      if channel.noiseOverTime >> UInt8(envelope) & 1 == 1 {
        for group in 0..<bands.noiseCount {
          let reference = group < lastNoiseCount ? lastNoise.base[group] : 0
          steps[group] = ASPXLevels.sum(reference, step * Int32(values[group]))
        }
      } else {
        ASPXLevels.accumulate(values, step, bands.noiseCount, steps)
      }
      lastNoise.base.update(from: steps, count: bands.noiseCount)
      lastNoiseCount = bands.noiseCount
    }
  }

  /// Computes energies and noise factors of a channel that is coded by itself.
  func dequantise(_ channel: ASPXChannel, _ bands: ASPXBands) {
    let framing = channel.framing
    // Steps of 3 dB double the energy, those of 1.5 dB multiply it by √2.
    let scale: Float = channel.isCoarse ? 1 : 0.5
    for envelope in 0..<framing.envelopes {
      let count = bands.signal(isHigh: framing.isHigh(envelope)).count - 1
      let steps = signalSteps.base + envelope * ASPXLevels.rowLength
      let target = signal.base + envelope * ASPXLevels.rowLength
      for group in 0..<count {
        target[group] = ASPXLevels.unit * Maths.power2(Float(steps[group]) * scale)
      }
      // If the first level is 0 and the second negative, the first group takes the second one's energy.
      let isAlongFrequency = channel.signalOverTime >> UInt8(envelope) & 1 == 0
      if isAlongFrequency, count > 1, steps[0] == 0, steps[1] < 0 { target[0] = target[1] }
    }
    for envelope in 0..<framing.noiseEnvelopes {
      let row = envelope * ASPXLevels.rowLength
      for group in row..<row + bands.noiseCount {
        noise.base[group] = Maths.power2(
          ASPXLevels.noiseFloorOffset - Float(noiseSteps.base[group]))
      }
    }
  }

  /// Computes energies and noise factors of a pair whose first channel has the totals, and whose second,
  /// `right`, has the balances.
  func dequantise(_ channel: ASPXChannel, _ bands: ASPXBands, balanced right: ASPXLevels) {
    let framing = channel.framing
    // Steps of 3 dB double the energy, those of 1.5 dB multiply it by √2.
    let scale: Float = channel.isCoarse ? 1 : 0.5
    for envelope in 0..<framing.envelopes {
      let count = bands.signal(isHigh: framing.isHigh(envelope)).count - 1
      let row = envelope * ASPXLevels.rowLength
      for group in row..<row + count {
        let total = ASPXLevels.unit * Maths.power2(Float(signalSteps.base[group]) * scale + 1)
        let balance = Float(right.signalSteps.base[group]) * scale
        signal.base[group] = total / (1 + Maths.power2(ASPXLevels.panOffset - balance))
        right.signal.base[group] = total / (1 + Maths.power2(balance - ASPXLevels.panOffset))
      }
    }
    for envelope in 0..<framing.noiseEnvelopes {
      let row = envelope * ASPXLevels.rowLength
      for group in row..<row + bands.noiseCount {
        let total = Maths.power2(
          ASPXLevels.noiseFloorOffset + 1 - Float(noiseSteps.base[group]))
        let balance = Float(right.noiseSteps.base[group])
        noise.base[group] = total / (1 + Maths.power2(ASPXLevels.panOffset - balance))
        right.noise.base[group] = total / (1 + Maths.power2(balance - ASPXLevels.panOffset))
      }
    }
  }

  /// The last envelope's level for a group at one resolution; of the group that contains it where the
  /// resolutions differ, and 0 where there is none.
  private func previous(_ group: Int, _ isHigh: Bool, _ bands: ASPXBands) -> Int32 {
    var place = group
    if isHigh != lastWasHigh {
      let border = bands.signal(isHigh: isHigh)[group]
      let others = bands.signal(isHigh: lastWasHigh)
      place = (others.firstIndex { $0 > border } ?? 0) - 1
    }
    return place >= 0 && place < lastCount ? lastSignal.base[place] : 0
  }

  /// Sums up differences along frequency.
  private static func accumulate(
    _ values: UnsafePointer<Int16>, _ step: Int32, _ count: Int,
    _ target: UnsafeMutablePointer<Int32>
  ) {
    var value: Int32 = 0
    for place in 0..<count {
      value = sum(value, step * Int32(values[place]))
      target[place] = value
    }
  }

  /// The sum, held within ``maximum``.
  private static func sum(_ first: Int32, _ second: Int32) -> Int32 {
    min(max(first + second, -maximum), maximum)
  }
}
