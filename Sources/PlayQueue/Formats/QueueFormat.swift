// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A form that a queue is written in; its raw value is the name on the command line.
package enum QueueFormat: String, Sendable, CaseIterable {
  /// A queue file, in YAML or JSON.
  case queue
  /// A cue sheet.
  case cue
  /// A list of files in M3U or M3U8.
  case m3u
  /// A playlist in XSPF 1.
  case xspf
  /// A playlist in PLS.
  case pls
  /// A timeline in JSON of OpenTimelineIO.
  case otio

  /// Bytes of a file that decide what it is.
  static let lookedAt = 64 << 10

  /// The format of a file by its contents, with its name as a hint; `nil` for everything else, such as
  /// a media file or a playlist of HTTP Live Streaming.
  ///
  /// Only the first 64 KiB are looked at, and all of `bytes` for the tags of HTTP Live Streaming.
  package static func of(name: String, bytes: [UInt8]) -> QueueFormat? {
    let suffix = name.lowercased().split(separator: ".").last.map(String.init) ?? ""
    let bytes = WideText(bytes)?.utf8 ?? bytes
    let head = bytes.prefix(lookedAt).withoutByteOrderMark
    guard !head.contains(0) else { return nil }
    let isListByName = suffix == "m3u" || suffix == "m3u8"
    if isListByName || head.starts(with: "#EXTM3U".utf8) {
      return FileList.kind(of: bytes) == .stream ? nil : .m3u
    }
    let text = ListHead(head)
    switch text.firstByte {
    case UInt8(ascii: "{"): return text.formatOfMapping
    case UInt8(ascii: "<"): return text.rootElement == "playlist" ? .xspf : nil
    default: break
    }
    if text.lines.first?.lowercased() == "[playlist]" { return .pls }
    if text.hasQueueSchema { return .queue }
    return text.isCueSheet ? .cue : named(suffix)
  }

  /// The format that only a name tells.
  private static func named(_ suffix: String) -> QueueFormat? {
    switch suffix {
    case "cue": return .cue
    case "m3u", "m3u8": return .m3u
    case "xspf": return .xspf
    case "pls": return .pls
    case "otio": return .otio
    default: return nil
    }
  }
}

/// The beginning of a file, as text of unknown encoding.
private struct ListHead {
  let bytes: ArraySlice<UInt8>
  /// The first byte that isn't blank.
  let firstByte: UInt8?

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    firstByte = bytes.first { !ListHead.isBlank($0) }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  /// The lines that aren't empty, with the blanks at their beginning but not at their end.
  private var rawLines: [ArraySlice<UInt8>] {
    bytes.split { $0 == 0x0A || $0 == 0x0D }
  }

  /// The lines that aren't empty, without blanks at either end.
  var lines: [Substring] {
    rawLines.map { ListWord.trimmed(String(decoding: $0, as: UTF8.self)[...]) }
      .filter { !$0.isEmpty }
  }

  /// Whether a line has a FILE and a later one a TRACK with a number and its kind.
  var isCueSheet: Bool {
    var hasFile = false
    for line in lines {
      let (keyword, rest) = ListWord.split(line)
      switch keyword.uppercased() {
      case "FILE": hasFile = true
      case "TRACK":
        let (number, kind) = ListWord.split(rest)
        if hasFile, ListWord.whole(number, digits: 2) != nil, !kind.isEmpty { return true }
      default: break
      }
    }
    return false
  }

  /// Whether a line without indentation is `schema: pinna.queue/…`, quoted or not.
  var hasQueueSchema: Bool {
    rawLines.contains { line in
      let words = ListHead.words(line)
      return words.first?.isKey == true && words[0].text == "schema"
        && !ListHead.isBlank(line[line.startIndex]) && words.count > 1 && words[1].isQueueSchema
    }
  }

  /// The format of a text that begins with a brace, by the keys of its outermost mapping.
  var formatOfMapping: QueueFormat? {
    let words = ListHead.words(bytes)
    for (place, word) in words.enumerated() where word.isKey && word.depth == 1 {
      if word.text == "OTIO_SCHEMA" { return .otio }
      if word.text == "schema", place + 1 < words.count, words[place + 1].isQueueSchema {
        return .queue
      }
    }
    return nil
  }

  /// The local name of the first element; `nil` where none begins.
  var rootElement: String? {
    var rest = bytes[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      guard let first = rest.first else { return nil }
      guard first == UInt8(ascii: "?") || first == UInt8(ascii: "!") else {
        let name = rest.prefix { !ListHead.isBlank($0) && $0 != 0x3E && $0 != 0x2F }
        return String(decoding: name, as: UTF8.self).split(separator: ":").last.map(String.init)
      }
      // A comment may contain what looks like an element.
      guard rest.starts(with: "!--".utf8) else { continue }
      let end = rest.indices.first { rest[$0...].starts(with: "-->".utf8) }
      guard let end else { return nil }
      rest = rest[(end + 3)...]
    }
    return nil
  }
}

// MARK: Words

extension ListHead {
  /// A quoted text, or a run of other characters, of JSON or YAML.
  private struct Word {
    let text: String
    /// How many braces and brackets are open around it.
    let depth: Int
    /// Whether a colon follows it.
    var isKey = false

    /// Whether it is the name of a queue file's schema, of any version.
    var isQueueSchema: Bool { !isKey && text.hasPrefix("pinna.queue/") }
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    isBlank(byte) || ",:{}[]\"".utf8.contains(byte)
  }

  private static func words(_ bytes: ArraySlice<UInt8>) -> [Word] {
    var words: [Word] = []
    var depth = 0
    var place = bytes.startIndex
    while place < bytes.endIndex {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: ":"): if !words.isEmpty { words[words.count - 1].isKey = true }
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let start = place + 1
        place = start
        while place < bytes.endIndex, bytes[place] != byte {
          // A backslash hides a quote.
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place, bytes.endIndex)
        words.append(
          Word(text: String(decoding: bytes[start..<place], as: UTF8.self), depth: depth))
      case _ where isBlank(byte) || byte == UInt8(ascii: ","): break
      default:
        let start = place
        while place < bytes.endIndex, !endsWord(bytes[place]) { place += 1 }
        words.append(
          Word(text: String(decoding: bytes[start..<place], as: UTF8.self), depth: depth))
        continue
      }
      place += 1
    }
    return words
  }
}

// MARK: Reading

extension QueueFormat {
  /// Reads a list of another program.
  /// - Parameters:
  ///   - name: The list's file name.
  ///   - encoding: The declared encoding; `nil` for UTF-8, else Windows-1252 with a note where the format
  ///     allows that.
  ///   - gaps: The place for the gaps of a cue sheet.
  /// - Throws: ``ListError``, also for ``queue``, whose text the settings' reader reads.
  package func read(
    _ bytes: [UInt8], name: String, encoding: TextEncoding? = nil, gaps: CueGaps = .append,
    in folder: ListFolder
  ) throws(ListError) -> ReadQueue {
    switch self {
    case .cue: return ReadQueue(try CueSheet(bytes, encoding: encoding, in: folder), gaps: gaps)
    case .m3u:
      return ReadQueue(try FileList(bytes, name: name, encoding: encoding, in: folder))
    case .xspf: return ReadQueue(try XSPFPlaylist(bytes, encoding: encoding, in: folder))
    case .pls: return ReadQueue(try PLSList(bytes, encoding: encoding, in: folder))
    case .otio: return ReadQueue(try OTIOTimeline(bytes, in: folder))
    case .queue:
      throw ListError(.internal, "queue files have a reader of their own")
    }
  }
}
