// SPDX-License-Identifier: Apache-2.0

/// The identifier of an element, e.g. `AO_1001`. Case is ignored: letters are kept as capitals.
package struct ElementID: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Characters of the longest identifier that is accepted.
  private static let limit = 64

  /// The audioTrackUID that stands for silence.
  static let silentTrack = ElementID(known: "ATU_00000000")

  /// The identifier in capitals.
  package let text: String

  /// The identifier that `text` stands for, blanks around it left out; `nil` for text that is empty, too
  /// long or has other characters than letters, digits, `_` and `-` in it.
  package init?(_ text: some StringProtocol) {
    let bytes = text.utf8.drop { ElementID.isBlank($0) }.prefix(4 * ElementID.limit)
    let body = bytes.reversed().drop { ElementID.isBlank($0) }.reversed()
    guard !body.isEmpty, body.count <= ElementID.limit else { return nil }
    let isPlain = body.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
        || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
    }
    guard isPlain else { return nil }
    self.text = String(
      decoding: body.map { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }

  /// An identifier that is written in capitals already.
  init(known text: String) { self.text = text }

  private static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// The order of their text.
  package static func < (left: ElementID, right: ElementID) -> Bool { left.text < right.text }

  /// The identifier in capitals.
  package var description: String { text }
}

/// The meaning of a typeLabel: how channels and blocks are to be understood (BS.2076-2, table 10).
package enum ContentKind: Int, Sendable, CaseIterable {
  /// Channels of loudspeakers.
  case directSpeakers = 1
  /// Mixes of other channels.
  case matrix
  /// Sources with a position.
  case objects
  /// Components of a sound field.
  case hoa
  /// The signals of two ears.
  case binaural

  /// The typeDefinition.
  package var definition: String {
    switch self {
    case .directSpeakers: return "DirectSpeakers"
    case .matrix: return "Matrix"
    case .objects: return "Objects"
    case .hoa: return "HOA"
    case .binaural: return "Binaural"
    }
  }

  /// The kind that the first four digits of an identifier state, e.g. of `AP_00031001`.
  init?(_ id: ElementID) {
    guard let digits = id.text.split(separator: "_").dropFirst().first?.prefix(4),
      digits.count == 4, let value = Int(digits, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}

/// A time or duration in seconds as a reduced fraction (ITU-R BS.2076-2, 8.4); never negative.
package struct ADMTime: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// Digits behind the point, and digits of a denominator, at most. Hours end at 99, so that numerators
  /// have at most 18 digits.
  private static let mostDigits = 12

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

/// Reads decimal numbers: digits with an optional sign, point and exponent. Hexadecimal numbers,
/// infinities and what is no number are none.
enum DecimalNumber {
  /// Powers of ten that a Double holds exactly.
  private static let powers: [Double] = (0...22).reduce(into: [1]) { powers, _ in
    powers.append((powers.last ?? 1) * 10)
  }

  /// The number nearest to what the bytes stand for, blanks around them left out; `nil` when they are
  /// no number, or one that isn't finite.
  static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
    var scan = Scan(bytes)
    guard scan.run() else { return nil }
    // Up to 2^53, and with one exact power of ten, a single operation rounds correctly.
    if !scan.hasMore, scan.mantissa <= 1 << 53, abs(scan.exponent) <= 22 {
      let power = powers[abs(scan.exponent)]
      let size =
        scan.exponent < 0
        ? Double(scan.mantissa) / power : Double(scan.mantissa) * power
      return scan.isNegative ? -size : size
    }
    // The form has been checked, so the standard library's reader finds nothing but decimal digits.
    guard let value = Double(String(decoding: bytes[scan.body], as: UTF8.self)), value.isFinite
    else { return nil }
    return value
  }

  /// Goes over the characters of a number.
  private struct Scan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    /// Range of the number's bytes.
    private(set) var body = 0..<0
    private(set) var isNegative = false
    /// The first 18 digits as a number.
    private(set) var mantissa: UInt64 = 0
    /// Power of ten of the mantissa.
    private(set) var exponent = 0
    /// Whether there are more digits than the mantissa holds.
    private(set) var hasMore = false
    private var digits = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Whether the bytes are a number.
    mutating func run() -> Bool {
      while let byte = peek(), byte <= 0x20 { place += 1 }
      let start = place
      isNegative = skipSign()
      readDigits(isFraction: false)
      if peek() == UInt8(ascii: ".") {
        place += 1
        readDigits(isFraction: true)
      }
      guard digits > 0, readExponent() else { return false }
      body = start..<place
      while let byte = peek(), byte <= 0x20 { place += 1 }
      return place == bytes.count
    }

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSign() -> Bool {
      guard let sign = peek(), sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") else {
        return false
      }
      place += 1
      return sign == UInt8(ascii: "-")
    }

    private mutating func readDigits(isFraction: Bool) {
      while let byte = peek(), (0x30...0x39).contains(byte) {
        place += 1
        digits += 1
        if mantissa < 100_000_000_000_000_000 {
          mantissa = mantissa * 10 + UInt64(byte - 0x30)
          if isFraction { exponent -= 1 }
        } else {
          hasMore = true
        }
      }
    }

    private mutating func readExponent() -> Bool {
      guard let letter = peek(), letter | 0x20 == UInt8(ascii: "e") else { return true }
      place += 1
      let isNegative = skipSign()
      var size = 0
      let start = place
      while let byte = peek(), (0x30...0x39).contains(byte) {
        place += 1
        size = min(size * 10 + Int(byte - 0x30), 100_000)
      }
      exponent += isNegative ? -size : size
      return place > start
    }
  }
}
