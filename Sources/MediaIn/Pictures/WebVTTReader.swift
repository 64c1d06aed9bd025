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
