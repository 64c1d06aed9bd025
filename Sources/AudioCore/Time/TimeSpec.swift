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
