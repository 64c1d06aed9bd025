/// One frame's gains of a mix: waits with the control data.
final class MixGains {
  /// Gain of each channel of the main substream.
  let main: FixedBuffer<Float>
  /// For each further substream the gains from its channels to those of the main one: rows are inputs.
  let others: [FixedBuffer<Float>]

  /// Gains of 0 for `channels` channels and further substreams with so many.
  init(channels: Int, others: [Int]) {
    main = FixedBuffer(0, count: channels)
    self.others = others.map { FixedBuffer(0, count: $0 * channels) }
  }

  /// Takes over those of `other`.
  func copy(_ other: MixGains) {
    main.base.update(from: other.main.base, count: main.count)
    for (own, theirs) in zip(others, other.others) {
      own.base.update(from: theirs.base, count: own.count)
    }
  }
}
