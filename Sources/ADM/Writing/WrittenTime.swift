// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A time of the written document in millionths of a sample, at least 0.
///
/// Most times are whole samples. Times that were read from other files may lie anywhere; as a rule they
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
    return WrittenTime.clock(seconds) + "." + (rest / divisor).padded(5)
      + "S\(second / divisor)"
  }

  /// Decimals of a written time at least, and at most.
  private static let decimals = 5...9
  /// How much earlier than the time a decimal number of seconds may lie, in parts of a sample: a
  /// thousandth of one, which a ramp doesn't let be heard.
  private static let slack: Int64 = 1000

  /// The time in billionths of a second, with as few decimals as give it to a thousandth of a sample and begin at
  /// the exact one, for its nearest sample and for the first one from there on.
  func nanoseconds(rate: Int) -> Int64 {
    let second = Int64(rate) * WrittenTime.parts
    let (whole, rest) = count.quotientAndRemainder(dividingBy: second)
    // From the sample before the first one that isn't earlier than the time.
    let toSample = (count + WrittenTime.parts - 1) % WrittenTime.parts + 1
    var power: Int64 = 10_000
    var digits: Int64 = 0
    for _ in WrittenTime.decimals {
      power *= 10
      let (quotient, left) = second.dividingFullWidth(rest.multipliedFullWidth(by: power))
      digits = quotient
      // Rounded down: a reader takes the first sample that isn't earlier.
      if left <= WrittenTime.slack * power, left < toSample * power {
        return (whole * power + digits) * (1_000_000_000 / power)
      }
    }
    // Only a time shortly after a sample, which isn't reached then.
    return whole * power + digits + 1
  }

  /// The time of so many billionths of a second as hours, minutes and seconds with five to nine decimals.
  static func text(nanoseconds: Int64) -> String {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var fraction = rest.padded(WrittenTime.decimals.upperBound)
    while fraction.utf8.count > WrittenTime.decimals.lowerBound, fraction.hasSuffix("0") {
      fraction.removeLast()
    }
    return clock(seconds) + "." + fraction
  }

  private static func clock(_ seconds: Int64) -> String {
    [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.padded(2) }.joined(separator: ":")
  }

  /// The time in seconds with at most nine digits behind the point; `nil` where that isn't exact.
  func decimal(rate: Int) -> String? {
    let second = Int64(rate) * WrittenTime.parts
    let (whole, rest) = count.quotientAndRemainder(dividingBy: second)
    // Nine digits and six of the parts leave three to be multiplied with.
    guard whole < 100_000, rest * 1000 % Int64(rate) == 0 else { return nil }
    let fraction = (rest * 1000 / Int64(rate)).padded(9)
    let kept = fraction.reversed().drop { $0 == "0" }.reversed()
    return "\(whole)." + (kept.isEmpty ? "0" : String(kept))
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
