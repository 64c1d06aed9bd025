import AudioCore
import Platform
import PlayQueue

/// A queue or list in a file, to be changed or written in another format. The files that it names aren't opened.
package struct QueueFile {
  /// Where it lies.
  package let path: String
  /// What it is written in.
  package let format: QueueFormat
  /// What it says; paths are as they are opened.
  package let queue: PlayQueue
  /// What was assumed or left out while it was read.
  package let log = DiagnosticLog()
  private let bytes: [UInt8]

  /// Reads the file at `path`.
  /// - Parameter joining: Where the gaps of a cue sheet go, and the text encoding of a list.
  /// - Throws: ``MediaError`` when it is no queue, or can't be read.
  package init(_ path: String, joining: Joining = Joining()) throws {
    var clip = Clip(.file(path))
    clip.joining.cueGaps = joining.cueGaps
    clip.joining.textEncoding = joining.textEncoding
    let opener = QueueOpener(clip: clip, log: log)
    self.path = path
    var queue: PlayQueue
    if SheetInside.media(of: path) != nil, let found = try opener.open(path) {
      (format, bytes, queue) = (.cue, [], found.queue)
    } else {
      guard let document = try opener.document(path) else { throw QueueFile.notAQueue(path) }
      (format, bytes) = document
      queue = try opener.read(document, path).queue
    }
    // Readers of lists also call the programme what the album is called, which not every format can say.
    if format != .queue, queue.tags["title"] == queue.tags["album"] { queue.tags["title"] = nil }
    self.queue = queue
  }

  /// The refusal of a file that is neither a queue nor a list.
  static func notAQueue(_ path: String) -> MediaError {
    MediaError(
      .inputUnreadable, about: path,
      "is neither a queue nor a list of files; give a queue file, or a list in CUE, M3U, XSPF, PLS or OTIO"
    )
  }

  /// Checks that it can be rewritten where it lies.
  /// - Throws: ``MediaError`` of kind `usage` for lists of other programs, and for queues in JSON.
  package func checkRewritable() throws {
    let advice = "make a queue file of it first: pinna queue convert \(path) -o NAME.yaml"
    guard format == .queue else {
      throw MediaError(
        .usage, about: path, "is a list of another program (\(format.rawValue)); \(advice)")
    }
    guard !isJSON else {
      throw MediaError(
        .usage, about: path, "is written in JSON, and queues are written in YAML; \(advice)")
    }
  }

  /// The format that the extension of `output` means; `nil` for other extensions.
  package static func format(ofOutput output: String) -> QueueFormat? {
    guard let dot = output.lastIndex(of: ".") else { return nil }
    switch output[output.index(after: dot)...].lowercased() {
    case "yaml", "yml": return .queue
    case "otio": return .otio
    case "cue": return .cue
    case "m3u8", "m3u": return .m3u
    case "xspf": return .xspf
    case "pls": return .pls
    default: return nil
    }
  }

  /// Writes `changed`, whose paths are as they are opened, to `output`, whole or not at all. The paths in the file are
  /// relative to its folder.
  /// - Throws: ``MediaError`` when a file lies outside of that folder, when the format can't hold the queue, and when
  ///   the file can't be written.
  package func write(
    _ changed: PlayQueue, as format: QueueFormat, to output: String, overwrite: Bool
  ) throws {
    let place = ListPlace(list: output)
    var relative = changed
    for (index, item) in changed.items.enumerated() {
      guard case .file(let file, let track, let range) = item.source else { continue }
      func name(_ file: String) throws -> String {
        if let name = place.name(of: file) { return name }
        throw MediaError(
          .usage, about: "\(path), item \(index + 1) (\(file))",
          "lies outside of the folder of \(output); write the queue into a folder above all of its files"
        )
      }
      relative.items[index].source = .file(path: try name(file), track: track, range: range)
      relative.items[index].taps = try item.taps.map { try TapPaths.placed($0, name) }
    }
    let text: String
    do {
      text = try QueueWriter.text(of: relative, as: format)
    } catch {
      throw error.located(in: path).mediaError
    }
    try TextFile.write(text, to: output, overwrite: overwrite)
  }

  /// The queue after `edits`, in their order.
  /// - Throws: ``MediaError`` of kind `usage` for an edit that can't be made, of kind `inputMissing` for a new file that
  ///   doesn't exist.
  package func applying(_ edits: [QueueEdit]) throws -> PlayQueue {
    var changed = queue
    do {
      for edit in edits { changed = try changed.applying(edit) }
    } catch {
      throw error.located(in: path).mediaError
    }
    let before = PathSet(queue.items.flatMap(\.taps))
    for text in changed.items.flatMap(\.taps) where !before.contains(text) {
      try MediaError.naming(path) { _ = try QueueTaps.tap(text) }
    }
    let known = PathSet(queue.files + queue.tapFiles)
    for file in changed.files + changed.tapFiles where !known.contains(file) {
      guard access(file, F_OK) == 0 else {
        throw MediaError(.inputMissing, about: file, "doesn't exist; check the path")
      }
    }
    return changed
  }

  // MARK: Text

  private var isJSON: Bool {
    bytes.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "{")
  }

  /// Whether it has comments of YAML, which writing it anew loses.
  package var hasComments: Bool {
    guard format == .queue, !isJSON else { return false }
    var quote: UInt8?
    var before = UInt8(ascii: "\n")
    for byte in bytes {
      // A quote inside a word, such as an apostrophe, begins no quoted text.
      let beginsWord = " \t\r\n[{,".utf8.contains(before)
      switch byte {
      case UInt8(ascii: "#") where quote == nil && beginsWord: return true
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        if quote == byte, byte == UInt8(ascii: "'") || before != UInt8(ascii: "\\") {
          quote = nil
        } else if quote == nil, beginsWord {
          quote = byte
        }
      default: break
      }
      // Two backslashes are one character of the text and hide no quote.
      before = byte == UInt8(ascii: "\\") && before == byte ? 0 : byte
    }
    return false
  }
}
