/// Where TEST lies in time against REF, and in which order its channels are.
package struct Alignment: Sendable, Equatable {
  /// Samples by which TEST is late; negative where it is early.
  package var lag: Int64
  /// For each channel of REF the channel of TEST that holds it.
  package var sources: [Int]

  /// An alignment.
  package init(lag: Int64, sources: [Int]) {
    self.lag = lag
    self.sources = sources
  }

  /// The alignment of a TEST without lag and with its channels in order.
  package static func none(channels: Int) -> Alignment {
    Alignment(lag: 0, sources: Array(0..<channels))
  }
}
