/// A time of the written document in millionths of a sample, at least 0.
///
/// Most times are whole samples. Those that were read from other files may lie anywhere; as a rule they
/// are decimal numbers of seconds, which this unit gives exactly at the usual rates.
struct WrittenTime: Hashable, Comparable {
  /// Parts of a sample.
  static let parts: Int64 = 1_000_000

  /// Millionths of a sample.
  var count: Int64

  /// Sample number `sample`.
  init(sample: Int64) { count = sample * WrittenTime.parts }

  /// A number of samples.
  init(samples: Double) { count = Int64((samples * Double(WrittenTime.parts)).rounded()) }

  /// `lead` samples before sample number `sample`, but not before the first one.
  init(sample: Int64, lead: Double) {
    count = max(0, sample * WrittenTime.parts - WrittenTime(samples: lead).count)
  }

  static func < (first: WrittenTime, second: WrittenTime) -> Bool { first.count < second.count }
  static func + (first: WrittenTime, second: WrittenTime) -> WrittenTime {
    var sum = first
    sum.count += second.count
    return sum
  }
  static func - (first: WrittenTime, second: WrittenTime) -> WrittenTime {
    var rest = first
    rest.count -= second.count
    return rest
  }

  /// The time with an exact fraction of a second (ITU-R BS.2076-2, 8.4) at `rate` Hz: one of samples where
  /// it is whole, else a reduced one.
  func text(rate: Int) -> String {
    let second = Int64(rate) * WrittenTime.parts
    let (seconds, rest) = count.quotientAndRemainder(dividingBy: second)
    let divisor =
      rest % WrittenTime.parts == 0
      ? WrittenTime.parts : WrittenTime.greatestCommonDivisor(rest, second)
    func digits(_ value: Int64, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return digits(seconds / 3600, 2) + ":" + digits(seconds / 60 % 60, 2) + ":"
      + digits(seconds % 60, 2) + "." + digits(rest / divisor, 5) + "S\(second / divisor)"
  }

  /// The time in seconds with at most nine digits behind the point; `nil` where that isn't exact.
  func decimal(rate: Int) -> String? {
    let second = Int64(rate) * WrittenTime.parts
    let (whole, rest) = count.quotientAndRemainder(dividingBy: second)
    // Nine digits and six of the parts leave three to be multiplied with.
    guard whole < 100_000, rest * 1000 % Int64(rate) == 0 else { return nil }
    let digits = String(rest * 1000 / Int64(rate))
    let fraction = String(repeating: "0", count: 9 - digits.count) + digits
    let kept = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(whole)." + (kept.isEmpty ? "0" : String(kept))
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
