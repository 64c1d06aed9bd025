import Signal

/// The mix gains of one frame, which wait as long as its control data.
final class MixGains {
  /// Gain of each channel of the main substream.
  let main: FixedBuffer<Float>
  /// For each further substream the gains from its channels (rows) to those of the main one (columns).
  let others: [FixedBuffer<Float>]

  /// Gains of 0.
  /// - Parameters:
  ///   - channels: channels of the main substream.
  ///   - others: channels of each further substream.
  init(channels: Int, others: [Int]) {
    main = FixedBuffer(0, count: channels)
    self.others = others.map { FixedBuffer(0, count: $0 * channels) }
  }

  /// Takes over the gains of `other`.
  func copy(_ other: MixGains) {
    main.base.update(from: other.main.base, count: main.count)
    for (own, theirs) in zip(others, other.others) {
      own.base.update(from: theirs.base, count: own.count)
    }
  }
}
