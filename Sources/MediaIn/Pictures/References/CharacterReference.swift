/// Character references as texts of the web have them: `&nbsp;`, `&#39;`, `&#x1F600;` (HTML, 13.2.5.72 to 13.2.5.80).
enum CharacterReference {
  /// Characters of the longest name, with its semicolon.
  private static let longest = 32
  private static let names: [Substring: String] = {
    var names: [Substring: String] = [:]
    for entry in table.split(whereSeparator: \.isWhitespace) {
      let parts = entry.split(separator: "=")
      guard parts.count == 2 else { continue }
      let scalars = parts[1].split(separator: "+").compactMap { UInt32($0, radix: 16) }
      names[parts[0]] = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
    }
    return names
  }()
  /// Characters of Windows-1252 at 0x80 to 0x9F, which references of these numbers mean; 0 where it has nothing.
  private static let windows: [UInt32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0, 0x017D, 0, 0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122,
    0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
  ]

  /// The characters that the reference at the beginning of `text` stands for, and its length; `nil` where `text`, which begins with
  /// an ampersand, begins with none.
  static func decode(_ text: ArraySlice<Unicode.Scalar>) -> (text: String, length: Int)? {
    let rest = text.dropFirst()
    if rest.first == "#" { return numbered(rest.dropFirst()) }
    var name = String(String.UnicodeScalarView(rest.prefix(longest).prefix(while: isPartOfName)))
    if name.unicodeScalars.count < longest, rest.dropFirst(name.unicodeScalars.count).first == ";" {
      name += ";"
    }
    // A few old names hold without a semicolon, even when letters follow.
    var found = name[...]
    while !found.isEmpty {
      if let characters = names[found] { return (characters, 1 + found.utf8.count) }
      found.removeLast()
    }
    return nil
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    ("0"..."9").contains(scalar) || ("A"..."Z").contains(scalar) || ("a"..."z").contains(scalar)
  }

  /// The reference whose `&#` comes before `text`.
  private static func numbered(_ text: ArraySlice<Unicode.Scalar>) -> (text: String, length: Int)? {
    let isHexadecimal = text.first == "x" || text.first == "X"
    let rest = isHexadecimal ? text.dropFirst() : text
    let radix: UInt32 = isHexadecimal ? 16 : 10
    var value: UInt32 = 0
    var count = 0
    for scalar in rest {
      guard let digit = Character(scalar).hexDigitValue, scalar.isASCII, digit < radix else {
        break
      }
      value = min(0x11_0000, value * radix + UInt32(digit))
      count += 1
    }
    guard count > 0 else { return nil }
    let end = rest.dropFirst(count).first == ";" ? 1 : 0
    return (String(Character(scalar(value))), 2 + (isHexadecimal ? 1 : 0) + count + end)
  }

  private static func scalar(_ value: UInt32) -> Unicode.Scalar {
    let mapped = (0x80..<0xA0).contains(value) ? windows[Int(value) - 0x80] : value
    return value == 0 ? "\u{FFFD}" : Unicode.Scalar(mapped == 0 ? value : mapped) ?? "\u{FFFD}"
  }
}
