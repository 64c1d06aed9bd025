// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import PlayQueue
import Report

/// A queue or list in a file, to be changed or written in another format. The files that it names aren't opened.
package struct QueueFile {
  /// Path of the file.
  package let path: String
  /// Format of the file.
  package let format: QueueFormat
  /// Content of the file; paths are as they are opened.
  package let queue: PlayQueue
  /// Decisions and losses from reading it.
  package let log = DiagnosticLog()
  private let bytes: [UInt8]

  /// Reads the file at `path`.
  /// - Parameter joining: Treatment of a cue sheet's gaps, and the text encoding of a list.
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

/// The folder of a list that is written: how the list names files in it.
struct ListPlace {
  /// The folder's absolute path as it was given, in parts; `nil` where it contains `..`.
  private let spelled: [String]?
  /// The folder without links, in parts; `nil` when it doesn't exist.
  private let real: [String]?

  /// The folder of the list at `list`.
  init(list: String) {
    let folder = PathParts.folder(of: list)
    spelled = ListPlace.spelled(folder)
    real = PathParts.real(folder).map(PathParts.of)
  }

  /// The name of the file at `path` relative to the folder; `nil` when it lies elsewhere.
  func name(of path: String) -> String? {
    // The spelling comes first, so that a link in the folder keeps its name.
    if let spelled, let parts = ListPlace.spelled(path),
      let name = ListPlace.rest(of: parts, spelled)
    {
      return name
    }
    guard let real else { return nil }
    return ListPlace.rest(of: PathParts.of(ListPlace.absolute(path)), real)
  }

  /// The absolute path of `path`, whose folders are no links; its file may be one. A folder that doesn't exist keeps its
  /// spelling.
  static func absolute(_ path: String) -> String {
    guard let place = PathParts.real(PathParts.folder(of: path)) else { return path }
    return PathParts.start(of: place) + PathParts.split(path).name
  }

  /// `queue` with one absolute path for every file, so that lists in different folders can be compared.
  static func placed(_ queue: PlayQueue) -> PlayQueue {
    var placed = queue
    var known: [PathName: String] = [:]
    for (index, item) in queue.items.enumerated() {
      guard case .file(let path, let track, let range) = item.source else { continue }
      let real = known[PathName(path)] ?? absolute(path)
      known[PathName(path)] = real
      placed.items[index].source = .file(path: real, track: track, range: range)
      placed.items[index].taps = item.taps.map { TapPaths.placed($0, absolute) }
    }
    return placed
  }

  private static func rest(of parts: [String], _ folder: [String]) -> String? {
    guard parts.count > folder.count,
      parts.starts(with: folder, by: { PathName($0) == PathName($1) })
    else { return nil }
    return parts.dropFirst(folder.count).joined(separator: "/")
  }

  /// The absolute path in parts as it is spelled; `nil` where `..` would need a look at the disk.
  private static func spelled(_ path: String) -> [String]? {
    guard !PathParts.isAbsolute(path) else { return plain(path) }
    return PathParts.real(".").flatMap { plain($0 + "/" + path) }
  }

  private static func plain(_ path: String) -> [String]? {
    let parts = PathParts.of(path).filter { $0 != "." }
    return parts.contains("..") ? nil : parts
  }
}

/// Takes the programme's gain from the report of a render, so that it can be pinned in the queue's file.
package enum QueuePin {
  /// The gain in dB of the first output of `report`, which is called `name` in messages.
  /// - Throws: ``MediaError`` of kind `usage` when the report isn't about `file`, or when no loudness was measured.
  package static func gain(
    from report: RenderReport, called name: String, for file: QueueFile
  ) throws -> Double {
    guard let rendered = report.queue else {
      throw MediaError(
        .usage, about: name, "isn't about a queue; give the report of a render of \(file.path)")
    }
    try check(rendered, name, file)
    guard let output = report.outputs.first, let loudness = output.loudness,
      loudness.mode != .off, loudness.outcome != .silent
    else {
      throw MediaError(
        .usage, about: name,
        "has no gain that was solved; give the report of a finished render with a loudness target")
    }
    guard (-120...40).contains(output.gainDB) else {
      throw MediaError(
        .usage, about: name, "has a gain of \(output.gainDB) dB; a queue takes -120…40 dB")
    }
    return output.gainDB
  }

  /// Compares the items' number and files. The report's paths may begin at another folder than the queue's.
  private static func check(_ rendered: QueueReport, _ name: String, _ file: QueueFile) throws {
    let items = file.queue.items
    guard rendered.items.count == items.count else {
      throw MediaError(
        .usage, about: name,
        "is about another queue: it has \(rendered.items.count) items, \(file.path) has \(items.count)"
      )
    }
    let place = ListPlace(list: file.path)
    var folder: [String]?
    for (index, item) in items.enumerated() {
      let own = item.file.map { PathParts.of(place.name(of: $0) ?? $0) }
      let other = rendered.items[index].source.map { PathParts.of($0.path) }
      let before =
        (own == nil) == (other == nil) ? other.map { Array($0.dropLast(own?.count ?? 0)) } : nil
      let isSame = own == nil ? other == nil : other?.suffix(own?.count ?? 0) == own?[...]
      guard isSame, folder == nil || before == nil || folder == before else {
        throw MediaError(
          .usage, about: name,
          "is about another queue: item \(index + 1) is \(rendered.items[index].source?.path ?? "silence") there and "
            + "\(item.file ?? "silence") in \(file.path)")
      }
      folder = folder ?? before
    }
  }
}
