// SPDX-License-Identifier: Apache-2.0
import Essentials

/// Any JSON value, for content whose type this module doesn't know.
public enum JSONValue: Sendable, Hashable, Codable {
  /// JSON's `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  /// A whole number.
  case integer(Int64)
  /// Any other number.
  case number(Double)
  /// A text.
  case text(String)
  /// A list.
  case list([JSONValue])
  /// An object.
  case object([String: JSONValue])

  /// The JSON that `value` encodes to.
  /// - Throws: `EncodingError`.
  public init(encoding value: some Encodable) throws {
    self = try JSONValue(json: Array(JSONEncoder().encode(value)))
  }

  /// The value that `json` holds in UTF-8.
  /// - Throws: `DecodingError.dataCorrupted`, which states the offset of the fault.
  public init(json: [UInt8]) throws {
    self = try json.withUnsafeBufferPointer { try JSONReader.value($0) }
  }

  /// Reads any value. `init(json:)` is much faster where the bytes are at hand.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Each wrong type costs an error, so the most frequent ones come first.
    if container.decodeNil() {
      self = .null
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let whole = try? container.decode(Int64.self) {
      self = .integer(whole)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let list = try? container.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .flag(let flag): try container.encode(flag)
    case .integer(let whole): try container.encode(whole)
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    }
  }
}

/// Reads JSON (RFC 8259) byte by byte into a ``JSONValue``.
///
/// `JSONDecoder` knows no type for any value, so that a value is found by trying one type after the other, and each
/// wrong type is an error that is made and thrown away. That costs fifteen times as much.
struct JSONReader {
  /// Lists and objects within each other: more than any file of Pinna has, and few enough for the stack.
  private static let deepest = 512

  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0

  /// The value that `bytes` hold.
  /// - Throws: `DecodingError.dataCorrupted`, which states the offset.
  static func value(_ bytes: UnsafeBufferPointer<UInt8>) throws -> JSONValue {
    var reader = JSONReader(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    guard reader.at == bytes.count else { throw reader.fault("something follows the value") }
    return value
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private var next: UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { at += 1 }
  }

  /// Passes `byte`, and blanks before it, if it comes next.
  private mutating func passes(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    at += 1
    return true
  }

  private mutating func value(depth: Int) throws -> JSONValue {
    guard depth < JSONReader.deepest else { throw fault("lists and objects lie too deep") }
    skipBlanks()
    switch next {
    case UInt8(ascii: "{"): return try object(depth)
    case UInt8(ascii: "["): return try list(depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .flag(true))
    case UInt8(ascii: "f"): return try word("false", .flag(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(_ depth: Int) throws -> JSONValue {
    at += 1
    var members: [String: JSONValue] = [:]
    if passes(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw fault("a name is missing") }
      let name = try text()
      guard passes(UInt8(ascii: ":")) else { throw fault("a colon is missing") }
      members[name] = try value(depth: depth + 1)
    } while passes(UInt8(ascii: ","))
    guard passes(UInt8(ascii: "}")) else { throw fault("an object isn't closed") }
    return .object(members)
  }

  private mutating func list(_ depth: Int) throws -> JSONValue {
    at += 1
    var elements: [JSONValue] = []
    if passes(UInt8(ascii: "]")) { return .list(elements) }
    repeat { elements.append(try value(depth: depth + 1)) } while passes(UInt8(ascii: ","))
    guard passes(UInt8(ascii: "]")) else { throw fault("a list isn't closed") }
    return .list(elements)
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws -> JSONValue {
    let letters = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard bytes[at...].starts(with: letters) else { throw fault("no value") }
    at += letters.count
    return value
  }

  /// A number as the grammar of RFC 8259, 6, has it.
  private mutating func number() throws -> JSONValue {
    let start = at
    if next == UInt8(ascii: "-") { at += 1 }
    let first = next
    let whole = digits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { throw fault("no value") }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      at += 1
      isWhole = false
      guard digits() > 0 else { throw fault("digits are missing") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      at += 1
      isWhole = false
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { at += 1 }
      guard digits() > 0 else { throw fault("digits are missing") }
    }
    let written = String(decoding: bytes[start..<at], as: UTF8.self)
    if isWhole, let integer = Int64(written) { return .integer(integer) }
    guard let number = Double(written), number.isFinite else {
      throw fault("the number is too large")
    }
    // 1.0 and 1e3 are integers for a schema as well.
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }

  /// Passes digits and returns how many there were.
  private mutating func digits() -> Int {
    let start = at
    while let byte = next, (0x30...0x39).contains(byte) { at += 1 }
    return at - start
  }

  private mutating func text() throws -> String {
    at += 1
    let start = at
    // Most texts are without escapes, and are taken as they lie there.
    while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      at += 1
    }
    if next == UInt8(ascii: "\"") {
      at += 1
      return try checked(bytes[start..<at - 1])
    }
    var unescaped = Array(bytes[start..<at])
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw fault("a text holds a control character") }
      at += 1
      if byte == UInt8(ascii: "\\") {
        unescaped += try String(escaped()).utf8
      } else {
        unescaped.append(byte)
      }
    }
    guard next != nil else { throw fault("a text isn't closed") }
    at += 1
    return try checked(unescaped)
  }

  private func checked(_ bytes: some Collection<UInt8>) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw fault("a text isn't UTF-8")
    }
    return text
  }

  /// The character that the escape after a backslash stands for (RFC 8259, 7).
  private mutating func escaped() throws -> Character {
    defer { at += 1 }
    switch next {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "u"): return Character(try scalar())
    default: throw fault("an escape is unknown")
    }
  }

  /// The scalar of `uXXXX`, or of two such escapes that are a surrogate pair; afterwards the last digit comes next.
  private mutating func scalar() throws -> Unicode.Scalar {
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard at + 2 < bytes.count, bytes[at + 1] == UInt8(ascii: "\\"),
      bytes[at + 2] == UInt8(ascii: "u")
    else { throw fault("half a character") }
    at += 2
    let second = try unit()
    guard (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(first) & 0x3FF) << 10 + UInt32(second) & 0x3FF)
    else { throw fault("half a character") }
    return scalar
  }

  /// The number that the four digits after `u` state; afterwards the last digit comes next.
  private mutating func unit() throws -> UInt16 {
    guard at + 4 < bytes.count else { throw fault("an escape isn't whole") }
    let digits = String(decoding: bytes[at + 1...at + 4], as: UTF8.self)
    // A sign would pass as a part of the number.
    guard digits.first?.isHexDigit == true, let unit = UInt16(digits, radix: 16) else {
      throw fault("an escape isn't whole")
    }
    at += 4
    return unit
  }

  private func fault(_ problem: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "\(problem) at byte \(at)"))
  }
}
