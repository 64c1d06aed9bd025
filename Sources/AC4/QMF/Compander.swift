import Signal

/// The decoder's side of companding: expands the level of slots that the encoder compressed
/// (TS 103 190-1, 5.7.5).
final class Compander {
  /// (1 − α) / α with α = 0.65.
  private static let exponent: Float = 0.35 / 0.65
  /// G = 2^(1/α).
  private static let factor: Float = 2.904_835_5
  /// Slots that an interval may reach up to: 32 of a frame and its tail, with room to spare.
  private static let longest = 48

  /// Level of each slot, then its gain, by channel.
  private let levels: [FixedBuffer<Float>]
  /// The common gain of each slot.
  private let shared = FixedBuffer<Float>(0, count: longest)

  /// A compander for up to `channels` channels.
  init(channels: Int) {
    levels = (0..<channels).map { _ in FixedBuffer(0, count: Compander.longest) }
  }

  /// The part of a channel that is companded.
  struct Part {
    /// The channel's subbands, which are changed in place.
    let signal: SubbandSignal
    /// Slots of its A-SPX interval.
    let slots: Range<Int>
    /// Subbands that are companded.
    let bands: Range<Int>
  }

  /// Expands one channel of an element, unless all its channels share a gain.
  /// - Parameter channel: its place in `control`.
  func apply(_ control: Companding, _ part: Part, channel: Int) {
    let isOn = control.isOn(channel)
    guard isOn || control.isAveraged, !part.slots.isEmpty, !part.bands.isEmpty else { return }
    let level = levels[channel].base
    measure(part, level)
    if isOn {
      for slot in part.slots {
        level[slot] = Compander.factor * Maths.power(level[slot], Compander.exponent)
      }
    } else {
      var sum: Float = 0
      for slot in part.slots { sum += level[slot] }
      let mean = sum / Float(part.slots.count)
      let gain = Compander.factor * Maths.power(mean, Compander.exponent)
      for slot in part.slots { level[slot] = gain }
    }
    scale(part, level)
  }

  /// Expands the channels of an element that share one gain (`sync_flag`): the mean of their gains in each
  /// slot.
  func applySynchronous(_ control: Companding, _ parts: [Part]) {
    guard control.isOn != 0 || control.isAveraged else { return }
    let gains = shared.base
    shared.fill(0)
    for (index, part) in parts.enumerated() where !part.bands.isEmpty {
      measure(part, levels[index].base)
    }
    var total: Float = 0
    var covered = 0
    for slot in 0..<Compander.longest {
      var sum: Float = 0
      var count = 0
      for (index, part) in parts.enumerated() where part.slots.contains(slot) && !part.bands.isEmpty
      {
        sum += Maths.power(levels[index].base[slot], Compander.exponent)
        count += 1
      }
      guard count > 0 else { continue }
      gains[slot] = Compander.factor * sum / Float(count)
      total += gains[slot]
      covered += 1
    }
    // `b_compand_avg`: one gain for the whole interval.
    if control.isOn == 0, covered > 0 { shared.fill(total / Float(covered)) }
    for part in parts where !part.bands.isEmpty { scale(part, gains) }
  }

  /// Writes the mean magnitude of each slot's subbands, relative to full scale.
  private func measure(_ part: Part, _ level: UnsafeMutablePointer<Float>) {
    for slot in part.slots { level[slot] = 0 }
    for band in part.bands {
      let real = part.signal.real.row(band)
      let imaginary = part.signal.imaginary.row(band)
      for slot in part.slots {
        // The larger part and half of the smaller approximate the magnitude; 0.9105 evens the error out.
        let re = abs(real[slot])
        let im = abs(imaginary[slot])
        level[slot] += max(re, im) + 0.5 * min(re, im)
      }
    }
    let scale = 0.9105 / Float(part.bands.count) / QMF.fullScale
    for slot in part.slots { level[slot] *= scale }
  }

  private func scale(_ part: Part, _ gains: UnsafePointer<Float>) {
    for band in part.bands {
      let real = part.signal.real.row(band)
      let imaginary = part.signal.imaginary.row(band)
      for slot in part.slots {
        real[slot] *= gains[slot]
        imaginary[slot] *= gains[slot]
      }
    }
  }
}
