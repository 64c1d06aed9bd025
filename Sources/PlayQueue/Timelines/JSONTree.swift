// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A JSON text as a tree, with limits for everything.
///
/// Numbers are Double; `NaN` and `Infinity`, which programs write though JSON has no such words, are read too.
indirect enum JSONTree: Sendable, Equatable {
  /// `null`.
  case null
  /// `true` or `false`.
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([JSONTree])
  /// A mapping; of equal keys the last one counts.
  case map([String: JSONTree])

  /// The value of `key`; `nil` for `null`, for a key that isn't there, and for what is no mapping.
  subscript(key: String) -> JSONTree? {
    guard case .map(let entries) = self, let value = entries[key], value != .null else {
      return nil
    }
    return value
  }

  /// The text; `nil` for anything else.
  var string: String? {
    if case .text(let text) = self { return text }
    return nil
  }

  /// The list; empty for anything else.
  var elements: [JSONTree] {
    if case .list(let elements) = self { return elements }
    return []
  }
}

/// Reads a JSON text in UTF-8 (RFC 8259).
struct JSONReader {
  /// Lists and mappings inside each other.
  private static let mostDepth = 100
  /// Values that are kept.
  private static let mostValues = 2_000_000

  private let bytes: [UInt8]
  private var place = 0
  private var values = 0
  /// Keys whose values are read and not kept.
  private let unwanted: Set<String>

  private init(_ bytes: [UInt8], unwanted: Set<String>) {
    self.bytes = bytes
    self.unwanted = unwanted
    place = bytes.withoutByteOrderMark.startIndex
  }

  /// The tree of `bytes`, without the values of the keys `unwanted`.
  /// - Throws: ``ListError`` with the line for what isn't JSON or more than is accepted.
  static func tree(
    of bytes: [UInt8], without unwanted: Set<String> = []
  ) throws(ListError) -> JSONTree {
    guard bytes.count <= ListLimits.documentBytes else {
      throw ListError(
        .inputUnreadable,
        "the list has \(bytes.count) bytes, and at most \(ListLimits.documentBytes) are read; "
          + "split it")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw ListError(.inputUnreadable, "the JSON isn't valid UTF-8; convert it")
    }
    var reader = JSONReader(bytes, unwanted: unwanted)
    let tree = try reader.value(depth: 0, isKept: true)
    reader.skipBlanks()
    guard reader.place == bytes.count else { throw reader.fault("something follows the value") }
    return tree
  }

  private func fault(_ what: String) -> ListError {
    let line = bytes.prefix(place).count { $0 == 0x0A } + 1
    return ListError(
      .inputUnreadable, line: line, "this isn't JSON: \(what); export the timeline anew")
  }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skipBlanks() {
    while let byte, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { place += 1 }
  }

  private mutating func take(_ wanted: UInt8) -> Bool {
    skipBlanks()
    guard byte == wanted else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int, isKept: Bool) throws(ListError) -> JSONTree {
    guard depth < JSONReader.mostDepth else {
      throw fault("more than \(JSONReader.mostDepth) values lie inside each other")
    }
    if isKept { values += 1 }
    guard values <= JSONReader.mostValues else {
      throw fault("it has more than \(JSONReader.mostValues) values")
    }
    skipBlanks()
    switch byte {
    case UInt8(ascii: "{"): return try map(depth: depth, isKept: isKept)
    case UInt8(ascii: "["): return try list(depth: depth, isKept: isKept)
    case UInt8(ascii: "\""): return .text(try text())
    case nil: throw fault("it ends too early")
    default: return try word()
    }
  }

  private mutating func list(depth: Int, isKept: Bool) throws(ListError) -> JSONTree {
    place += 1
    var elements: [JSONTree] = []
    if take(UInt8(ascii: "]")) { return .list(elements) }
    repeat {
      let element = try value(depth: depth + 1, isKept: isKept)
      if isKept { elements.append(element) }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fault("a list isn't closed by ]") }
    return .list(elements)
  }

  private mutating func map(depth: Int, isKept: Bool) throws(ListError) -> JSONTree {
    place += 1
    var entries: [String: JSONTree] = [:]
    if take(UInt8(ascii: "}")) { return .map(entries) }
    repeat {
      skipBlanks()
      guard byte == UInt8(ascii: "\"") else { throw fault("a key in quotes is missing") }
      let key = try text()
      guard take(UInt8(ascii: ":")) else { throw fault("a key has no colon") }
      let isWanted = isKept && !unwanted.contains(key)
      let value = try value(depth: depth + 1, isKept: isWanted)
      if isWanted { entries[key] = value }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fault("a mapping isn't closed by }") }
    return .map(entries)
  }

  private mutating func word() throws(ListError) -> JSONTree {
    let start = place
    while let byte, !" \t\r\n,:[]{}\"".utf8.contains(byte) { place += 1 }
    let word = String(decoding: bytes[start..<place], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .flag(true)
    case "false": return .flag(false)
    case "NaN", "Inf", "Infinity", "-Inf", "-Infinity": return .number(.nan)
    default: break
    }
    // The number's own reader would also take hexadecimal digits and words.
    let isPlain = word.utf8.allSatisfy { "+-.0123456789Ee".utf8.contains($0) }
    guard isPlain, word.utf8.first != UInt8(ascii: "+"), let number = Double(word) else {
      throw fault("\(ListWord.quoted(word)) is no value")
    }
    return .number(number)
  }

  private mutating func text() throws(ListError) -> String {
    place += 1
    var text: [UInt8] = []
    while let next = byte, next != UInt8(ascii: "\"") {
      guard next >= 0x20 else { throw fault("a text contains a control character") }
      place += 1
      if next == UInt8(ascii: "\\") {
        text += Array(String(try escape()).utf8)
      } else {
        text.append(next)
      }
    }
    guard byte != nil else { throw fault("a text has no closing quote") }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  /// The character of an escape, whose backslash is passed.
  private mutating func escape() throws(ListError) -> Unicode.Scalar {
    let letter = byte
    place += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw fault("a backslash begins no escape")
    }
    let unit = try hexadecimal()
    guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
    // A pair of surrogates is one character; half a pair is none.
    guard bytes[place...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
    let mark = place
    place += 2
    let low = try hexadecimal()
    guard (0xDC00..<0xE000).contains(low) else {
      place = mark
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(ListError) -> UInt32 {
    let digits = bytes[min(place, bytes.count)..<min(place + 4, bytes.count)]
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, digits.first != UInt8(ascii: "+"), let unit = UInt32(text, radix: 16)
    else { throw fault("\\u needs four hexadecimal digits") }
    place += 4
    return unit
  }
}
