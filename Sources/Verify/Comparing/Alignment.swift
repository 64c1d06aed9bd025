/// How TEST lies to REF.
public struct Alignment: Sendable, Equatable {
  /// Samples by which TEST is late; negative where it is early.
  public var lag: Int64
  /// For each channel of REF the channel of TEST that holds it.
  public var sources: [Int]

  /// An alignment.
  public init(lag: Int64, sources: [Int]) {
    self.lag = lag
    self.sources = sources
  }

  /// Nothing moved.
  public static func none(channels: Int) -> Alignment {
    Alignment(lag: 0, sources: Array(0..<channels))
  }
}
