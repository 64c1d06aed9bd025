/// An attribute list of a playlist tag (RFC 8216, 4.2).
///
/// The first of several attributes with one name counts. Text that isn't `NAME=value` is ignored.
struct PlaylistAttributes: Equatable {
  private var values: [String: String] = [:]
  /// Names that stand more than once.
  private(set) var repeated: [String] = []

  /// Reads `text`, e.g. `BANDWIDTH=1280000,CODECS="mp4a.40.2"`.
  init(_ text: String) {
    // By scalars: a quotation mark with a combining mark behind it still ends its text.
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && $0 != "," }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst()
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { $0 != (isQuoted ? "\"" : ",") }
      rest = rest.dropFirst(value.count)
      rest = rest.drop { $0 != "," }.dropFirst()
      let key = String(name).filter { $0 != " " }
      if values[key] == nil { values[key] = String(value) } else { repeated.append(key) }
    }
  }

  /// The value of an attribute, without quotes.
  subscript(_ name: String) -> String? { values[name] }

  /// A decimal integer of at most 18 digits; `nil` for anything else.
  func integer(_ name: String) -> Int64? { values[name].flatMap(PlaylistNumber.integer) }

  /// Whether an enumerated attribute says `YES`.
  func isSet(_ name: String) -> Bool { values[name] == "YES" }

  /// The 16 bytes of a hexadecimal sequence of at most 128 bits, such as an IV; `nil` for others.
  func bytes16(_ name: String) -> [UInt8]? {
    guard let text = values[name], text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
    let digits = Array(text.utf8.dropFirst(2))
    guard !digits.isEmpty, digits.count <= 32 else { return nil }
    let padded = [UInt8](repeating: 0x30, count: 32 - digits.count) + digits
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      // `UInt8(_:radix:)` would accept a sign in front.
      guard padded[index] != 0x2B, padded[index] != 0x2D,
        let byte = UInt8(String(decoding: padded[index..<index + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}
