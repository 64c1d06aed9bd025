import AudioCore

/// A time that is added up exactly: a whole number of ticks of `1 / rate` seconds in 128 bits. Sums don't
/// depend on their order.
package struct ExactTime: Sendable, Equatable {
  /// Ticks since zero.
  package private(set) var ticks: Int128 = 0
  /// Ticks per second, at least 1: the least common multiple of the rates of what was added.
  package private(set) var rate: Int128 = 1

  /// Zero.
  package init() {}

  /// Adds `time`, or subtracts it when `isNegative`.
  /// - Throws: ``QueueFault`` with `positionTooLarge` when the exact sum needs more than 128 bits.
  package mutating func add(_ time: MediaTime, isNegative: Bool = false) throws(QueueFault) {
    let other = Int128(time.rate)
    let divisor = ExactTime.greatestCommonDivisor(rate, other)
    let finer = try ExactTime.product(rate, other / divisor)
    let own = try ExactTime.product(ticks, other / divisor)
    let added = try ExactTime.product(Int128(time.ticks), rate / divisor)
    let (sum, isTooLong) =
      isNegative ? own.subtractingReportingOverflow(added) : own.addingReportingOverflow(added)
    guard !isTooLong else { throw QueueFault(.positionTooLarge) }
    (ticks, rate) = (sum, finer)
  }

  /// The nearest sample at `sampleRate` Hz, halves rounded away from zero as in `MediaTime`.
  /// - Throws: ``QueueFault`` with `positionTooLarge` when it can't be computed in 128 bits.
  package func samples(at sampleRate: Int) throws(QueueFault) -> Int64 {
    let (whole, rest) = try ExactTime.product(ticks, Int128(sampleRate))
      .quotientAndRemainder(dividingBy: rate)
    // Compared without doubling, which might overflow.
    let isNearerOutside = rest.magnitude >= rate.magnitude - rest.magnitude
    let rounded = isNearerOutside ? whole + ticks.signum() : whole
    guard let samples = Int64(exactly: rounded) else { throw QueueFault(.positionTooLarge) }
    return samples
  }

  private static func product(_ left: Int128, _ right: Int128) throws(QueueFault) -> Int128 {
    let (product, isTooLong) = left.multipliedReportingOverflow(by: right)
    guard !isTooLong else { throw QueueFault(.positionTooLarge) }
    return product
  }

  private static func greatestCommonDivisor(_ first: Int128, _ second: Int128) -> Int128 {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return divisor
  }
}
