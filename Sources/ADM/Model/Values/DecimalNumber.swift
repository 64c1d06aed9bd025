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
    /// Which bytes are the number.
    private(set) var body = 0..<0
    private(set) var isNegative = false
    /// The first 18 digits as a number.
    private(set) var mantissa: UInt64 = 0
    /// What the mantissa's power of ten is.
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
