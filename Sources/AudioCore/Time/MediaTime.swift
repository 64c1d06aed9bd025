// SPDX-License-Identifier: Apache-2.0

/// A point in time, stored as a whole number of ticks of `1 / rate` seconds and therefore exact.
public struct MediaTime: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// Ticks since zero; may be negative.
  public var ticks: Int64
  /// Ticks per second, at least 1.
  public var rate: Int64

  /// A time of `ticks` at `rate` ticks a second; a rate below 1 becomes 1.
  public init(ticks: Int64, rate: Int64) {
    self.ticks = ticks
    self.rate = max(1, rate)
  }

  /// Reads a time; a rate below 1 becomes 1, as when a time is made.
  /// - Throws: `DecodingError` where a number is missing or isn't whole.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      ticks: try values.decode(Int64.self, forKey: .ticks),
      rate: try values.decode(Int64.self, forKey: .rate))
  }

  /// The nearest sample at `sampleRate` Hz, halves rounded away from zero, saturated to Int64.
  public func samples(at sampleRate: Int) -> Int64 {
    MediaTime.rescale(ticks, by: Int64(sampleRate), over: rate)
  }

  /// The nearest millisecond, halves rounded away from zero, saturated to Int64.
  package var milliseconds: Int64 { MediaTime.rescale(ticks, by: 1000, over: rate) }

  /// The exact sum where 64 bits hold it at the least common multiple of both rates, else the nearest
  /// tick of the finer rate; saturated to Int64.
  package static func + (left: MediaTime, right: MediaTime) -> MediaTime {
    let common = leastCommonMultiple(left.rate, right.rate)
    let exact = [left, right].map { time -> (value: Int64, isFar: Bool) in
      let (value, isFar) = time.ticks.multipliedReportingOverflow(by: common / time.rate)
      return (value, isFar || common == .max)
    }
    let (sum, isFar) = exact[0].value.addingReportingOverflow(exact[1].value)
    guard isFar || exact.contains(where: \.isFar) else {
      return MediaTime(ticks: sum, rate: common)
    }
    let rate = max(left.rate, right.rate)
    let ticks = [left, right].map { rescale($0.ticks, by: rate, over: $0.rate) }
    let rounded = ticks[0].addingReportingOverflow(ticks[1])
    return MediaTime(
      ticks: rounded.overflow ? (ticks[0] < 0 ? .min : .max) : rounded.partialValue, rate: rate)
  }

  /// The time as far on the other side of zero.
  package static prefix func - (time: MediaTime) -> MediaTime {
    MediaTime(ticks: time.ticks == .min ? .max : -time.ticks, rate: time.rate)
  }

  /// `value * factor / divisor` in 128-bit arithmetic, rounded to nearest, halves away from zero,
  /// saturated to Int64; a divisor of 0 saturates, too.
  public static func rescale(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
    let half = divisor.magnitude / 2
    let (low, carry) = product.low.addingReportingOverflow(half)
    let high = product.high &+ (carry ? 1 : 0)
    let isNegative = (value < 0) != ((factor < 0) != (divisor < 0))
    guard high < divisor.magnitude else { return isNegative ? .min : .max }
    let quotient = divisor.magnitude.dividingFullWidth((high, low)).quotient
    guard isNegative else { return Int64(clamping: quotient) }
    // Int64.min has no positive partner that could be negated.
    return quotient > UInt64(Int64.max) ? .min : -Int64(quotient)
  }

  /// The least common multiple of two rates of at least 1: the smallest rate at which a tick of either
  /// is a whole number of ticks. `Int64.max` when it doesn't fit into 64 bits.
  public static func leastCommonMultiple(_ first: Int64, _ second: Int64) -> Int64 {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    let (product, isTooLong) = (first / max(1, divisor)).multipliedReportingOverflow(by: second)
    return isTooLong ? .max : product
  }

  /// Exact comparison, whatever the rates.
  public static func < (left: MediaTime, right: MediaTime) -> Bool {
    let a = left.ticks.multipliedFullWidth(by: right.rate)
    let b = right.ticks.multipliedFullWidth(by: left.rate)
    return a.high != b.high ? a.high < b.high : a.low < b.low
  }

  /// The time as `hh:mm:ss.mmm`, rounded to milliseconds, with a minus sign before zero.
  public var description: String {
    let milliseconds = MediaTime.rescale(ticks, by: 1000, over: rate)
    return (milliseconds < 0 ? "-" : "") + MediaTime.clock(milliseconds.magnitude)
  }

  /// `milliseconds` as `hh:mm:ss.mmm`.
  package static func clock(_ milliseconds: some BinaryInteger) -> String {
    let seconds = milliseconds / 1000
    let parts = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }
    return parts.joined(separator: ":") + "." + (milliseconds % 1000).padded(3)
  }
}

/// A time on the command line or in a queue: `hh:mm:ss.mmm`, `12.5s`, `12.5` (seconds) or `48000S` (samples).
public enum TimeSpec: Sendable, Hashable, Codable {
  /// Samples at the source rate.
  case samples(Int64)
  /// An exact decimal number of seconds.
  case clock(MediaTime)

  /// Parses a time; `name` is the option it came from.
  /// - Throws: ``MediaError`` of kind `usage` when `text` isn't a time.
  public init(_ text: String, option name: String) throws {
    let failure = MediaError(
      .usage, "\(name) \(text): not a time; give hh:mm:ss.mmm, 12.5s or 48000S (samples)")
    if text.hasSuffix("S") {
      guard let count = TimeSpec.whole(text.dropLast()), count < 1 << 48 else {
        throw failure
      }
      self = .samples(count)
      return
    }
    let plain = text.hasSuffix("s") ? text.dropLast() : Substring(text)
    let fields = plain.split(separator: ":", omittingEmptySubsequences: false)
    guard let last = fields.last, fields.count <= 3, let seconds = TimeSpec.decimal(last) else {
      throw failure
    }
    var whole: Int64 = 0
    for field in fields.dropLast() {
      guard let value = TimeSpec.whole(field), value < 1_000_000 else { throw failure }
      whole = whole * 60 + value
    }
    let ticks = whole * (fields.count > 1 ? 60 : 0) * seconds.rate + seconds.ticks
    self = .clock(MediaTime(ticks: ticks, rate: seconds.rate))
  }

  /// Samples at `rate` Hz, to the nearest.
  public func samples(at rate: Int) -> Int64 {
    switch self {
    case .samples(let count): return count
    case .clock(let time): return time.samples(at: rate)
    }
  }

  /// A whole number written in digits alone; a sign is none.
  private static func whole(_ text: Substring) -> Int64? {
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      ? Int64(text) : nil
  }

  /// A non-negative decimal number with up to nine digits after the point.
  private static func decimal(_ text: Substring) -> MediaTime? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = parts.first.flatMap(TimeSpec.whole), whole < 1_000_000_000
    else { return nil }
    guard parts.count == 2 else { return MediaTime(ticks: whole, rate: 1) }
    guard parts[1].count <= 9, let fraction = TimeSpec.whole(parts[1]) else { return nil }
    let rate = (0..<parts[1].count).reduce(Int64(1)) { product, _ in product * 10 }
    return MediaTime(ticks: whole * rate + fraction, rate: rate)
  }
}

extension TimeSpec {
  /// A whole number of seconds.
  public static func seconds(_ count: Int64) -> TimeSpec {
    .clock(MediaTime(ticks: count, rate: 1))
  }
}

/// A named place in an output, such as the beginning of a chapter; a chapter lasts until the next one begins.
package struct ProgrammeMarker: Sendable, Hashable {
  /// Time of the marker, counted from the output's first sample; exact: neither milliseconds nor samples.
  package var time: MediaTime
  /// Title; may be empty.
  package var title: String

  /// A marker of these values.
  package init(time: MediaTime, title: String) {
    self.time = time
    self.title = title
  }
}
