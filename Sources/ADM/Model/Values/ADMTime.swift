/// A time or duration in seconds as a reduced fraction (ITU-R BS.2076-2, 8.4); never negative.
package struct ADMTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Digits behind the point, and digits of a denominator, at most. Hours end at 99, so that numerators
  /// have at most 18 digits.
  private static let mostDigits = 12

  /// Zero.
  package static let zero = ADMTime(reduced: 0, 1)

  /// Dividend, at least 0.
  package let numerator: Int64
  /// Divisor, at least 1.
  package let denominator: Int64

  private init(reduced numerator: Int64, _ denominator: Int64) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The fraction, reduced; `nil` for negative ones and for divisors below 1.
  package init?(_ numerator: Int64, over denominator: Int64) {
    guard numerator >= 0, denominator > 0 else { return nil }
    let divisor = ADMTime.greatestCommonDivisor(numerator, denominator)
    self.init(reduced: numerator / divisor, denominator / divisor)
  }

  /// The time that `h:m:s`, `h:m:s.digits` or `h:m:s.digitsSdigits` stands for; `nil` for another form.
  init?(_ text: some Collection<UInt8>) {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = ADMTime.number(parts[0], most: 2),
      let minutes = ADMTime.number(parts[1], most: 2), minutes < 60,
      let rest = ADMTime(seconds: parts[2]), rest < ADMTime(reduced: 60, 1)
    else { return nil }
    self.init(
      (hours * 3600 + minutes * 60) * rest.denominator + rest.numerator, over: rest.denominator)
  }

  /// The time that a number of seconds stands for: digits, with a decimal or common fraction behind a
  /// point; `nil` for another form.
  init?(seconds text: some Collection<UInt8>) {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = ADMTime.number(parts[0], most: 5) else { return nil }
    guard parts.count == 2 else {
      self.init(whole, over: 1)
      return
    }
    let fraction = parts[1].split(separator: UInt8(ascii: "S"), omittingEmptySubsequences: false)
    if fraction.count == 2 {
      guard let numerator = ADMTime.number(fraction[0], most: ADMTime.mostDigits),
        let denominator = ADMTime.number(fraction[1], most: ADMTime.mostDigits),
        numerator < denominator
      else { return nil }
      self.init(whole * denominator + numerator, over: denominator)
    } else {
      guard fraction.count == 1 else { return nil }
      guard let digits = ADMTime.number(fraction[0], most: ADMTime.mostDigits) else { return nil }
      let denominator = (0..<fraction[0].count).reduce(Int64(1)) { product, _ in product * 10 }
      self.init(whole * denominator + digits, over: denominator)
    }
  }

  private static func number(_ digits: some Collection<UInt8>, most: Int) -> Int64? {
    guard !digits.isEmpty, digits.count <= most,
      digits.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }

  /// The sum; `nil` when it doesn't fit into 64 bits.
  package func adding(_ other: ADMTime) -> ADMTime? {
    combined(with: other) { $0.addingReportingOverflow($1) }
  }

  /// The difference; `nil` when it is negative or doesn't fit into 64 bits.
  package func subtracting(_ other: ADMTime) -> ADMTime? {
    combined(with: other) { $0.subtractingReportingOverflow($1) }
  }

  private func combined(
    with other: ADMTime, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
  ) -> ADMTime? {
    let divisor =
      denominator == other.denominator
      ? denominator : ADMTime.greatestCommonDivisor(denominator, other.denominator)
    let (product, isTooLong) = (denominator / divisor)
      .multipliedReportingOverflow(by: other.denominator)
    guard !isTooLong else { return nil }
    let (left, isLeftTooLong) = numerator.multipliedReportingOverflow(by: product / denominator)
    let (right, isRightTooLong) = other.numerator
      .multipliedReportingOverflow(by: product / other.denominator)
    let (result, isResultTooLong) = operation(left, right)
    guard !isLeftTooLong, !isRightTooLong, !isResultTooLong else { return nil }
    return ADMTime(result, over: product)
  }

  /// The first sample at or after this time at `rate` Hz, at least 1: ⌈time · rate⌉, saturated.
  package func firstSample(at rate: Int) -> Int64 {
    let product = numerator.magnitude.multipliedFullWidth(by: UInt64(max(1, rate)))
    let divisor = denominator.magnitude
    guard product.high < divisor else { return .max }
    let (quotient, rest) = divisor.dividingFullWidth(product)
    return Int64(clamping: rest == 0 ? quotient : quotient.addingReportingOverflow(1).partialValue)
  }

  /// How far ``firstSample(at:)`` lies behind this time at `rate` Hz, in samples, 0…1 without 1.
  package func lead(at rate: Int) -> Double {
    let product = numerator.magnitude.multipliedFullWidth(by: UInt64(max(1, rate)))
    let divisor = denominator.magnitude
    guard product.high < divisor else { return 0 }
    let rest = divisor.dividingFullWidth(product).remainder
    return rest == 0 ? 0 : Double(divisor - rest) / Double(divisor)
  }

  /// The time in samples at `rate` Hz, rounded to the nearest Double.
  package func samples(at rate: Int) -> Double {
    let product = numerator.magnitude.multipliedFullWidth(by: UInt64(max(1, rate)))
    let divisor = denominator.magnitude
    guard product.high < divisor else { return .infinity }
    let (quotient, rest) = divisor.dividingFullWidth(product)
    return Double(quotient) + Double(rest) / Double(divisor)
  }

  /// The time in seconds, rounded; for messages and for what needn't be exact.
  package var seconds: Double { Double(numerator) / Double(denominator) }

  /// Exact comparison.
  package static func < (left: ADMTime, right: ADMTime) -> Bool {
    if left.denominator == right.denominator { return left.numerator < right.numerator }
    let a = left.numerator.multipliedFullWidth(by: right.denominator)
    let b = right.numerator.multipliedFullWidth(by: left.denominator)
    return a.high != b.high ? a.high < b.high : a.low < b.low
  }

  private static func greatestCommonDivisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (divisor, rest) = (first, second)
    while rest != 0 { (divisor, rest) = (rest, divisor % rest) }
    return max(1, divisor)
  }

  /// The fraction of a second, e.g. `24001/48000 s`.
  package var description: String {
    denominator == 1 ? "\(numerator) s" : "\(numerator)/\(denominator) s"
  }
}
