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
  private let crossovers: FixedBuffer<Int>

  /// A stage for the channels of `chains`, in coded order.
  init(_ chains: [ChannelChain]) {
    self.chains = chains
    compander = Compander(channels: chains.count)
    crossovers = FixedBuffer(QMF.bands, count: chains.count)
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
