// SPDX-License-Identifier: Apache-2.0
import Signal

/// Companding and advanced spectral extension of a substream: expands the coded subbands and generates
/// those above the crossover (TS 103 190-1, 5.7.5 and 5.7.6).
final class ASPXStage {
  private let chains: [ChannelChain]
  private let compander: Compander
  private let adjuster = EnvelopeAdjuster()
  /// Room for the channels that are companded together.
  private var parts: [Compander.Part] = []
  /// First generated subband of each channel; ``QMF/bands`` where none is generated.
  private let crossovers: Buffer<Int>

  /// A stage for the channels of `chains`, in coded order.
  init(_ chains: [ChannelChain]) {
    self.chains = chains
    compander = Compander(channels: chains.count)
    crossovers = Buffer(QMF.bands, count: chains.count)
  }

  /// First generated subband of a channel in the current frame.
  func crossover(_ channel: Int) -> Int { crossovers.base[channel] }

  /// Begins a frame: without ``apply(_:)`` all its subbands are coded ones.
  func begin() { crossovers.fill(QMF.bands) }

  /// Applies a frame's control data to the subbands of all channels.
  func apply(_ frame: ElementFrame) {
    for index in 0..<frame.extensionCount {
      guard let bands = frame.extensions[index].bands else { continue }
      for channel in frame.plan.extensions[index] {
        crossovers.base[channel] = bands.crossover
      }
    }
    expand(frame)
    for index in 0..<frame.extensionCount {
      extend(frame.extensions[index], frame.plan.extensions[index])
    }
  }

  /// Expands the subbands that the encoder companded.
  private func expand(_ frame: ElementFrame) {
    if frame.companding.isSynchronous {
      parts.removeAll(keepingCapacity: true)
      for channel in frame.plan.companded { parts.append(part(channel, frame)) }
      compander.applySynchronous(frame.companding, parts)
      return
    }
    for (place, channel) in frame.plan.companded.enumerated() {
      compander.apply(frame.companding, part(channel, frame), channel: place)
    }
  }

  /// The slots and subbands of a channel that companding changes: its A-SPX interval below the crossover.
  private func part(_ channel: Int, _ frame: ElementFrame) -> Compander.Part {
    let end = crossover(channel)
    for (index, channels) in frame.plan.extensions.enumerated() {
      for (place, candidate) in channels.enumerated() where candidate == channel {
        return Compander.Part(
          signal: chains[channel].signal,
          slots: chains[channel].slots(frame.extensions[index].channels[place]),
          bands: min(firstCompanded(channel, frame), end)..<end)
      }
    }
    return Compander.Part(signal: chains[channel].signal, slots: 0..<0, bands: 0..<0)
  }

  /// The first subband of a channel that is companded.
  ///
  /// Below `acpl_qmf_band` a carrier of A-CPL has a coded residual beside it, and the encoder doesn't
  /// compress the two (TS 103 190-1, 5.7.5).
  private func firstCompanded(_ channel: Int, _ frame: ElementFrame) -> Int {
    guard frame.plan.pairs.contains(where: { $0.carrier == channel }) else { return 0 }
    return frame.couplings[0].configuration?.firstSubband ?? 0
  }

  /// Generates the high band of the channels of one A-SPX element.
  private func extend(_ element: ASPXElement, _ channels: [Int]) {
    guard let bands = element.bands else { return }
    for (place, channel) in channels.enumerated() {
      chains[channel].levels.decode(
        element.channels[place], bands, isBalance: element.isBalance && place == 1)
    }
    if element.isBalance, channels.count == 2 {
      chains[channels[0]].levels.dequantise(
        element.channels[0], bands, balanced: chains[channels[1]].levels)
    } else {
      for (place, channel) in channels.enumerated() {
        chains[channel].levels.dequantise(element.channels[place], bands)
      }
    }
    for (place, channel) in channels.enumerated() {
      chains[channel].extend(element.channels[place], bands, adjuster)
    }
  }
}

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
  private let levels: [Buffer<Float>]
  /// The common gain of each slot.
  private let shared = Buffer<Float>(0, count: longest)

  /// A compander for up to `channels` channels.
  init(channels: Int) {
    levels = (0..<channels).map { _ in Buffer(0, count: Compander.longest) }
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

/// The channels of an element that are companded, and how (`companding_control`, TS 103 190-1, 4.2.9).
struct Companding: Equatable {
  /// Whether all channels share one gain (`sync_flag`).
  var isSynchronous = false
  /// Channels that are companded slot by slot, one bit each (`b_compand_on`).
  var isOn: UInt8 = 0
  /// Whether the others are companded by their mean level (`b_compand_avg`).
  var isAveraged = false
  /// Number of channels in the element.
  var channels = 0

  /// No companding.
  init() {}

  /// Reads `companding_control` of an element of `channels` channels.
  init(_ bits: inout BitReader, channels: Int) throws(AC4Error) {
    self.channels = channels
    isSynchronous = channels > 1 ? try bits.flag() : false
    let flags = isSynchronous ? 1 : channels
    let all = UInt8(1 << flags - 1)
    for channel in 0..<flags where try bits.flag() { isOn |= 1 << UInt8(channel) }
    if isOn != all { isAveraged = try bits.flag() }
    // One flag stands for all channels.
    if isSynchronous, isOn != 0 { isOn = UInt8(1 << channels - 1) }
  }

  /// Whether `channel` is companded slot by slot.
  func isOn(_ channel: Int) -> Bool { isOn >> UInt8(channel) & 1 == 1 }
}
