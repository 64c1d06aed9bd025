// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import LibAV
import MediaIn
import Platform
import PlayQueue
import Settings

/// Tells queues and lists of files from media, and reads them.
struct QueueOpener {
  /// Bytes that tell what a file is.
  private static let head = 64 << 10

  /// The clip whose input is looked at.
  let clip: Clip
  /// Takes what was assumed or left out.
  let log: DiagnosticLog
  /// Whether the run is to stop.
  var isCancelled: () -> Bool = { false }

  /// The queue in the file at `path`; `nil` for anything else, such as a media file or a playlist of HLS.
  /// - Throws: ``MediaError`` for a queue that can't be read.
  func open(_ path: String) throws -> QueueInput? {
    if let media = SheetInside.media(of: path) { return try inside(media) }
    return try document(path).map { try read($0, path) }
  }

  /// The queue in `document`, the bytes of the file at `path`.
  /// - Throws: ``MediaError`` for a queue that can't be read.
  func read(_ document: (format: QueueFormat, bytes: [UInt8]), _ path: String) throws -> QueueInput
  {
    let (format, bytes) = document
    return try format == .queue ? ownQueue(bytes, path) : list(bytes, format, path)
  }

  /// The queue of the cue sheet inside the file at `media`.
  private func inside(_ media: String) throws -> QueueInput {
    let (folder, name) = PathParts.split(media)
    let found = try SheetInside.read(media, as: name, clip)
    return input(found, "a cue sheet inside a media file", media) { folder + $0 }
  }

  /// The bytes of the queue or list in the file at `path`, and what it is written in; `nil` for anything else.
  /// - Throws: ``MediaError`` for a file that can't be read, or is too large.
  func document(_ path: String) throws -> (format: QueueFormat, bytes: [UInt8])? {
    guard WebAddress(path) == nil else { return nil }
    let file = try clip.decoding.bounds.open(path)
    let size = Int(min(file.size, Int64(ListLimits.documentBytes) + 1))
    guard
      QueueFormat.of(name: path, bytes: file.bytes(at: 0, count: min(size, QueueOpener.head)))
        != nil
    else { return nil }
    // Tags of HLS may stand behind the head.
    let bytes = file.bytes(at: 0, count: size)
    guard let format = QueueFormat.of(name: path, bytes: bytes) else { return nil }
    guard size <= ListLimits.documentBytes else {
      throw MediaError(
        .inputUnreadable, about: path,
        "a queue of more than \(ListLimits.documentBytes >> 20) MiB isn't read; split it")
    }
    return (format, bytes)
  }

  /// The queue that the caller gave as a value.
  func input(_ queue: PlayQueue) -> QueueInput {
    QueueInput(joined(queue), name: "queue", path: nil, clip: clip, isCancelled: isCancelled)
  }

  /// A file of `pinna.queue/1`.
  private func ownQueue(_ bytes: [UInt8], _ path: String) throws -> QueueInput {
    guard let text = SettingsFile.text(bytes) else {
      throw MediaError(.usage, about: path, "isn't UTF-8 text; save it as such")
    }
    let node = QueueNode(try SettingsTree(text: text, path: path))
    var queue: PlayQueue
    do {
      queue = try PlayQueue(node, path: path)
    } catch {
      throw error.mediaError
    }
    let lines = node.lines(ofListAt: "items")
    let folder = QueueFolder(list: path)
    for (index, item) in queue.items.enumerated() {
      guard case .file(let name, let track, let range) = item.source else { continue }
      let line = lines.indices.contains(index) ? lines[index] : nil
      func place(_ name: String) throws -> String {
        try folder.path(name, line: line, isFree: clip.decoding.bounds.root != nil)
      }
      queue.items[index].source = .file(path: try place(name), track: track, range: range)
      queue.items[index].taps = try item.taps.map { try TapPaths.placed($0, place) }
    }
    return QueueInput(
      joined(queue), name: path, path: path, lines: lines, clip: clip, isCancelled: isCancelled)
  }

  /// A list of another program.
  private func list(_ bytes: [UInt8], _ format: QueueFormat, _ path: String) throws -> QueueInput {
    let folder = QueueFolder(list: path)
    let found: ReadQueue
    do {
      found = try format.read(
        bytes, name: path, encoding: clip.joining.textEncoding, gaps: clip.joining.cueGaps,
        in: folder.names)
    } catch {
      throw error.about(path)
    }
    return input(found, "a list of files (\(format.rawValue)), not sound", path, folder.below)
  }

  /// The input of a list that was `found` at `path`; `place` makes paths of its names.
  private func input(
    _ found: ReadQueue, _ kind: String, _ path: String, _ place: (String) -> String
  ) -> QueueInput {
    var queue = found.queue
    for index in queue.items.indices {
      guard case .file(let name, let track, let range) = queue.items[index].source else { continue }
      queue.items[index].source = .file(path: place(name), track: track, range: range)
    }
    if queue.tags["title"] == nil { queue.tags["title"] = found.title }
    for note in found.notes { tell(note) }
    log.decide(
      .queue, "\(queue.items.count) items", why: "the input is \(kind)")
    return QueueInput(
      joined(queue), name: path, path: path, lines: found.lines, clip: clip,
      isCancelled: isCancelled)
  }

  /// The queue with what the request says about joins.
  private func joined(_ queue: PlayQueue) -> PlayQueue {
    var queue = queue
    let joining = clip.joining
    if let length = joining.crossfade {
      queue.transition = .crossfade(length: length, curve: joining.curve)
    } else if let gap = joining.gap {
      queue.transition = .gap(gap)
    }
    if let scope = joining.loudness { queue.loudness = scope }
    if let chapters = joining.chapters { queue.chapters = chapters }
    if !joining.keepsTaps { for index in queue.items.indices { queue.items[index].taps = [] } }
    if case .crossfade = queue.transition {
      let continuing = queue.items.indices.filter {
        queue.items[$0].transition == nil && queue.continues($0)
      }
      if let first = continuing.first {
        log.decide(
          .queue, "no crossfade at \(continuing.count) joins",
          why:
            "from item \(first + 1) on they go on in the same track, where the sound is continuous")
      }
    }
    return queue
  }

  private func tell(_ note: ListNote) {
    let text = note.line.map { "line \($0): \(note.message)" } ?? note.message
    switch note.code {
    case .encodingAssumed: log.degrade(.textEncodingAssumed, text)
    case .preEmphasis: log.degrade(.preEmphasis, text)
    case .uncertainStart: log.degrade(.joinUncertain, text)
    case .unknownLine, .oddCode, .hiddenTrack, .replacedName, .ignored:
      log.decide(.queue, note.code.rawValue, why: text)
    }
  }
}

/// Names of which it is known whether they exist: a list may name one file a hundred thousand times.
private final class KnownNames {
  private var answers: [PathName: Bool] = [:]

  /// Whether `name` exists, which `look` finds out the first time.
  func has(_ name: String, _ look: () -> Bool) -> Bool {
    if let answer = answers[PathName(name)] { return answer }
    let answer = look()
    answers[PathName(name)] = answer
    return answer
  }
}

/// The folder of a queue's file, from which its names are resolved.
private struct QueueFolder {
  /// The folder as it is put before names; empty for the working folder.
  private let prefix: String
  private let list: String
  /// View of the folder for readers of lists.
  let names: ListFolder

  /// The folder of the file at `list`.
  init(list: String) {
    let prefix = PathParts.split(list).folder
    self.prefix = prefix
    self.list = list
    let known = KnownNames()
    names = ListFolder(
      path: PathParts.real(PathParts.folder(of: list)),
      exists: { name in known.has(name) { access(prefix + name, F_OK) == 0 } },
      list: { name in
        let path = prefix + name
        return (try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "." : path))
          ?? []
      })
  }

  /// The path of a name that lies below the folder.
  func below(_ name: String) -> String { prefix + name }

  /// The path of a name in a queue file. Without a folder that bounds all inputs it has to lie below this one.
  func path(_ name: String, line: Int?, isFree: Bool) throws -> String {
    if isFree { return PathParts.isAbsolute(name) ? name : prefix + name }
    do {
      return below(try names.inside(name, line: line))
    } catch {
      throw MediaError(.usage, about: list, error.description)
    }
  }
}

extension QueueNode {
  /// The tree of a settings file.
  init(_ tree: SettingsTree) {
    switch tree {
    case .text(let text, let line): self = .scalar(text, line: line)
    case .nothing(let line): self = .scalar("", line: line)
    case .list(let values, let line): self = .list(values.map(QueueNode.init), line: line)
    case .mapping(let entries, let line):
      self = .map(
        entries.map { Entry($0.key, QueueNode($0.value), line: $0.line) }, line: line)
    }
  }

  /// The lines on which the entries of the list begin that stands at `key`.
  func lines(ofListAt key: String) -> [Int?] {
    guard case .map(let entries, _) = self,
      case .list(let values, _)? = entries.first(where: { $0.key == key })?.value
    else { return [] }
    return values.map(\.line)
  }
}

/// The cue sheet inside a media file, which the input `cue:FILE` asks for: a tag called CUESHEET, or the block of a
/// FLAC file.
enum SheetInside {
  private static let prefix = "cue:"

  /// The media file that `path` asks for the sheet of; `nil` for any other input.
  static func media(of path: String) -> String? {
    path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : nil
  }

  /// Reads the sheet inside the file at `media`, whose name in the queue is `name`.
  /// - Throws: ``MediaError`` when there is none, or it can't be read.
  static func read(_ media: String, as name: String, _ clip: Clip) throws -> ReadQueue {
    let file = try clip.decoding.bounds.open(media)
    do {
      if let text = try MediaFile(file: file).cueSheet {
        let bytes = try CueSheet.text(text, about: name)
        let folder = ListFolder(exists: { _ in true }, list: { _ in [] })
        return ReadQueue(
          try CueSheet(Array(bytes.utf8), encoding: .utf8, in: folder), gaps: clip.joining.cueGaps)
      }
      if let sheet = try FLACSheet({ file.bytes(at: $0, count: $1) }) {
        return ReadQueue(sheet, path: name, gaps: clip.joining.cueGaps)
      }
    } catch let error as ListError {
      throw error.about(media)
    }
    throw MediaError(
      .inputUnreadable, about: media,
      "has no cue sheet inside; give the sheet's own file, or \(media) alone")
  }
}

extension MediaFile {
  /// The text of the tag that holds a cue sheet; `nil` without one.
  fileprivate var cueSheet: String? {
    ([metadata] + streams.map(\.metadata)).compactMap { $0["cuesheet"] }.first { !$0.isEmpty }
  }
}

/// The content of a queue before the files that it names are opened.
public struct QueueContents: Sendable {
  /// One track: an item with the parts that belong to it.
  public struct Track: Sendable, Hashable {
    /// Its items.
    public var items: ItemSpan
    /// Its title, or the name of its file; empty for silence without a title.
    public var title: String
  }

  /// The queue.
  public let queue: PlayQueue

  /// The queue that `clip` has as its input; `nil` where the input is anything else.
  /// - Throws: ``MediaError`` for a queue that can't be read.
  public init?(of clip: Clip) throws {
    switch clip.input {
    case .queue(let queue): self.queue = queue
    case .file(let path):
      guard let found = try QueueOpener(clip: clip, log: DiagnosticLog()).open(path) else {
        return nil
      }
      queue = found.queue
    case .silence, .standardStream: return nil
    }
  }

  /// The files that the items are taken from, each once.
  package var files: [String] { queue.files + queue.tapFiles }

  /// The tracks, in their order. Silence without a title isn't one.
  public var tracks: [Track] {
    let firsts = queue.items.indices.filter { !queue.items[$0].isPart }
    let ends = firsts.dropFirst() + [queue.items.count]
    return zip(firsts, ends).compactMap { first, end in
      let item = queue.items[first]
      var title = item.title ?? ""
      if let path = item.file {
        if item.title == nil { title = OutputNames.stem(of: path) }
      } else if item.title == nil, end == first + 1 {
        return nil
      }
      return Track(items: ItemSpan(first + 1, end), title: title)
    }
  }
}
