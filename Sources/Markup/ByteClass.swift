/// Sets of bytes that the XML reader passes over in one go (XML 1.0, 2.2, 2.3 and 2.4).
struct ByteClass: OptionSet {
  let rawValue: UInt8

  /// Space, tab, line feed, carriage return.
  static let blank = ByteClass(rawValue: 1)
  /// What names consist of; every byte beyond ASCII counts as a letter.
  static let name = ByteClass(rawValue: 2)
  /// What names begin with.
  static let nameStart = ByteClass(rawValue: 4)
  /// Text without markup, references and control characters.
  static let text = ByteClass(rawValue: 8)
  /// Likewise, without the double quote.
  static let doubleQuoted = ByteClass(rawValue: 16)
  /// Likewise, without the single quote.
  static let singleQuoted = ByteClass(rawValue: 32)
  /// Everything but control characters.
  static let character = ByteClass(rawValue: 64)
  /// Everything but control characters and the right bracket.
  static let cdata = ByteClass(rawValue: 128)

  /// The classes of each byte.
  static let table: [UInt8] = (0...255).map { classes(of: UInt8($0)).rawValue }

  private static func classes(of byte: UInt8) -> ByteClass {
    var result: ByteClass = []
    let isBlank = [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    let isLetter =
      (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte >= 0x80
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ":")
    let isDigit = (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    if isBlank { result.insert(.blank) }
    if isLetter { result.formUnion([.nameStart, .name]) }
    if isDigit { result.insert(.name) }
    guard byte >= 0x20 || isBlank else { return result }
    result.insert(.character)
    if byte != UInt8(ascii: "]") { result.insert(.cdata) }
    guard byte != UInt8(ascii: "<"), byte != UInt8(ascii: "&") else { return result }
    result.insert(.text)
    if byte != UInt8(ascii: "\"") { result.insert(.doubleQuoted) }
    if byte != UInt8(ascii: "'") { result.insert(.singleQuoted) }
    return result
  }
}
