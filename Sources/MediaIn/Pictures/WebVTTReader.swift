// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reads the cues of a WebVTT file by the parser of the W3C's WebVTT (6.1, 6.3 and 6.4).
///
/// Comments, style sheets and regions may stand in any place; lines end with CR, LF or both.
struct WebVTTReader {
  /// A cue as the file has it.
  struct Cue: Equatable {
    /// Time at which it appears, in milliseconds.
    var start: Int64
    /// Time at which it disappears, in milliseconds.
    var end: Int64
    /// Text with tags and character references; lines end with LF.
    var text = ""
  }

  /// libav's name of the format, of which each packet in Matroska is the text of a cue.
  static let codec = "webvtt"
  private static let arrow = Array("-->".utf8)
  /// Settings of a cue, each of which moves its text.
  private static let settings = ["region", "vertical", "line", "position", "size", "align"]

  /// The cues, in the order of the file.
  private(set) var cues: [Cue] = []
  /// Whether there are style sheets, regions, or cues with settings.
  private(set) var isStyled = false
  /// Blocks of text without times that can be read.
  private(set) var lost = 0

  private let bytes: [UInt8]
  private var position = 0

  /// Reads all of `bytes`, UTF-8 with or without a byte order mark; `nil` where they aren't WebVTT.
  init?(_ bytes: [UInt8]) {
    let body = bytes.withoutByteOrderMark
    guard body.starts(with: "WEBVTT".utf8) else { return nil }
    self.bytes = bytes
    position = body.startIndex
    let signature = takeLine()
    guard signature.count == 6 || signature[signature.startIndex + 6].isBlank else { return nil }
    readBlock(isHeader: true)
    while position < bytes.count { readBlock(isHeader: false) }
  }

  /// The next line without its end, which is passed over.
  private mutating func takeLine() -> ArraySlice<UInt8> {
    let line = bytes[position...].prefix { $0 != 0x0A && $0 != 0x0D }
    position = line.endIndex
    if position < bytes.count {
      let isPair = bytes[position...].starts(with: [0x0D, 0x0A])
      position += isPair ? 2 : 1
    }
    return line
  }

  /// Reads lines up to an empty one, or up to one with an arrow that begins the next block.
  private mutating func readBlock(isHeader: Bool) {
    var cue: Cue?
    var hasTimes = false
    var text: [ArraySlice<UInt8>] = []
    var count = 0
    while position < bytes.count {
      let begin = position
      let line = takeLine()
      count += 1
      if line.contains(WebVTTReader.arrow) {
        guard !isHeader, count == 1 || count == 2 && !hasTimes else {
          position = begin
          break
        }
        hasTimes = true
        cue = times(line)
        // The line before is the cue's name.
        if cue != nil { text = [] }
      } else if line.isEmpty {
        break
      } else {
        text.append(line)
      }
    }
    if !isHeader { close(cue, text) }
  }

  /// Takes the block of these lines.
  private mutating func close(_ cue: Cue?, _ lines: [ArraySlice<UInt8>]) {
    guard let first = lines.first else { return }
    if var cue {
      cue.text = String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
      cues.append(cue)
    } else if first.isBlock("STYLE") || first.isBlock("REGION") {
      isStyled = true
    } else if !first.starts(with: "NOTE".utf8)
      || first.count > 4 && !first[first.startIndex + 4].isBlank
    {
      lost += 1
    }
  }

  /// The cue without its text of a line of times and settings; `nil` where it states none.
  private mutating func times(_ line: ArraySlice<UInt8>) -> Cue? {
    var rest = line.drop(while: \.isBlank)
    guard let start = WebVTTReader.time(&rest) else { return nil }
    rest = rest.drop(while: \.isBlank)
    guard rest.starts(with: WebVTTReader.arrow) else { return nil }
    rest = rest.dropFirst(3).drop(while: \.isBlank)
    guard let end = WebVTTReader.time(&rest) else { return nil }
    isStyled =
      isStyled
      || rest.split(whereSeparator: \.isBlank).contains { setting in
        WebVTTReader.settings.contains { setting.starts(with: "\($0):".utf8) }
      }
    return Cue(start: start, end: end)
  }

  /// The time in milliseconds at the beginning of `text`, which is taken away: `MM:SS.mmm`, or hours of two digits and more before it.
  private static func time(_ text: inout ArraySlice<UInt8>) -> Int64? {
    func number(_ digits: ClosedRange<Int>, upTo limit: Int64) -> Int64? {
      let found = text.prefix { (0x30...0x39).contains($0) }
      // More digits than these are beyond any film; they would overflow.
      guard digits.contains(found.count) else { return nil }
      text = text.dropFirst(found.count)
      let value = found.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
      return value <= limit ? value : nil
    }
    func sign(_ byte: UInt8) -> Bool {
      guard text.first == byte else { return false }
      text = text.dropFirst()
      return true
    }
    let width = text.prefix { (0x30...0x39).contains($0) }.count
    guard var seconds = number(1...12, upTo: .max), sign(0x3A),
      let second = number(2...2, upTo: 59)
    else { return nil }
    let hasHours = width != 2 || seconds > 59 || text.first == 0x3A
    seconds = seconds * 60 + second
    if hasHours {
      guard sign(0x3A), let third = number(2...2, upTo: 59) else { return nil }
      seconds = seconds * 60 + third
    }
    guard sign(0x2E), let fraction = number(3...3, upTo: 999) else { return nil }
    return seconds * 1000 + fraction
  }
}

extension UInt8 {
  /// Whether it is white space within a line.
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 || self == 0x0C }
}

extension ArraySlice<UInt8> {
  /// Whether it is `name` alone.
  fileprivate func isBlock(_ name: String) -> Bool {
    starts(with: name.utf8) && dropFirst(name.utf8.count).allSatisfy(\.isBlank)
  }
}

/// Reads the text of a WebVTT cue by the tokenizer of the W3C's WebVTT (6.4): bold, italic and underlined characters are kept,
/// other tags are left out.
struct WebVTTText {
  private static let faces: [String: StyledText.Face] = [
    "b": .bold, "i": .italic, "u": .underlined,
  ]

  /// The characters; lines end with `\n`.
  private(set) var text = StyledText()
  /// Whether a tag styled them otherwise.
  private(set) var isStyled = false

  /// Tags that are open, the last one opened last.
  private var open: [String] = []

  private var face: StyledText.Face {
    open.reduce(into: []) { $0.formUnion(WebVTTText.faces[$1] ?? []) }
  }

  /// Reads `cue`, whose lines end with LF.
  init(_ cue: String) {
    var rest = Array(cue.unicodeScalars)[...]
    while let scalar = rest.first {
      if scalar == "<" {
        let tag = rest.dropFirst().prefix { $0 != ">" }
        take(String(String.UnicodeScalarView(tag)))
        rest = rest.dropFirst(tag.count + 2)
      } else if scalar == "&", let (characters, length) = CharacterReference.decode(rest) {
        text.append(characters, face)
        rest = rest.dropFirst(length)
      } else {
        if scalar != "\r" { text.append(scalar == "\0" ? "\u{FFFD}" : String(scalar), face) }
        rest = rest.dropFirst()
      }
    }
    text = StyledText.joined(text.lines)
  }

  /// Opens or closes a tag of this content.
  private mutating func take(_ tag: String) {
    if tag.unicodeScalars.first == "/" {
      // An end closes the tag that was opened last, and is passed over anywhere else.
      if open.last == String(tag.unicodeScalars.dropFirst()) { open.removeLast() }
      return
    }
    let name = String(tag.prefix { !$0.isWhitespace && $0 != "." })
    if name.first?.isNumber != true, !name.isEmpty { open.append(name) }
    let isPlain = tag == "c" || name == "lang"
    isStyled = isStyled || !isPlain && WebVTTText.faces[tag] == nil
  }
}

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
