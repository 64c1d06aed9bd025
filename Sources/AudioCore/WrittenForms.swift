// SPDX-License-Identifier: Apache-2.0

/// Strings of JSON (RFC 8259, 7), which are also ones of YAML (1.2, 5.7) and Python.
package enum JSONText {
  /// `text` in double quotes. Quotes and backslashes get a backslash; other characters become what `escape` gives for them,
  /// where it isn't `nil`.
  package static func quoted(
    _ text: String, _ escape: (Unicode.Scalar) -> String? = JSONText.controlEscape
  ) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        result.unicodeScalars.append("\\")
        result.unicodeScalars.append(scalar)
      } else if let escaped = escape(scalar) {
        result += escaped
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    result.unicodeScalars.append("\"")
    return result
  }

  /// The escape of the characters that JSON allows in no other form.
  package static func controlEscape(_ scalar: Unicode.Scalar) -> String? {
    scalar.value < 0x20 ? escape(scalar) : nil
  }

  /// The escape with four digits of a character below U+10000.
  package static func escape(_ scalar: Unicode.Scalar) -> String {
    "\\u" + scalar.value.hexadecimal(4)
  }
}

extension BinaryInteger {
  /// The number in at least `digits` decimal digits, with zeros in front; not below zero.
  package func padded(_ digits: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }

  /// The number before the clause that fits it: `2.counted("page is", "pages are")`.
  package func counted(_ one: String, _ many: String) -> String {
    "\(self) " + (self == 1 ? one : many)
  }

  /// The number as so many units of the last of `digits` digits behind the point, at least one; not below zero.
  package func decimal(_ digits: Int) -> String {
    let (whole, rest) = quotientAndRemainder(
      dividingBy: (0..<digits).reduce(1) { product, _ in product * 10 })
    return "\(whole).\(rest.padded(digits))"
  }

  /// The number in at least `digits` hexadecimal digits.
  package func hexadecimal(_ digits: Int, uppercase: Bool = false) -> String {
    let text = String(self, radix: 16, uppercase: uppercase)
    return String(repeating: "0", count: Swift.max(0, digits - text.utf8.count)) + text
  }
}

extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

extension Double {
  /// The number with exactly `digits` digits behind the point, 0 to 6, rounded to nearest and never `-0`; the same on every
  /// machine. `nil` where it isn't finite, or as large as `limit`.
  package func fixed(_ digits: Int, below limit: Double = 1e12) -> String? {
    guard isFinite, magnitude < limit else { return nil }
    let scale = (0..<digits).reduce(Int64(1)) { product, _ in product * 10 }
    let units = Int64((magnitude * Double(scale)).rounded())
    let sign = self < 0 && units > 0 ? "-" : ""
    guard digits > 0 else { return sign + String(units) }
    return sign + units.decimal(digits)
  }
}

extension StringProtocol {
  /// The text between the bytes `separator`, also where it is empty.
  ///
  /// As a character of text, a separator with a combining mark behind it is another one.
  package func parts(at separator: Unicode.Scalar) -> [String] {
    utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
  }
}
