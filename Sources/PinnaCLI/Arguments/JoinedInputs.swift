// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials
import Platform
import PlayQueue
import Rendering

/// The inputs of `render --join` as one queue.
struct JoinedInputs {
  let queue: PlayQueue
  /// Decisions on the files that each folder stands for.
  let decisions: [Decision]

  /// Joins `inputs`: files, each with an optional `#t=START,END`, `silence:LENGTH`, and folders.
  /// - Throws: ``MediaError`` of kind `usage` naming the input.
  init(_ inputs: [String]) throws {
    var (items, decisions): ([QueueItem], [Decision]) = ([], [])
    for text in inputs {
      guard let files = try FolderInputs.files(in: text) else {
        items.append(try JoinedInputs.item(text, option: "--join"))
        continue
      }
      items += files.map(JoinedInputs.whole)
      let names = [files.first, files.last].compactMap { $0.map { PathParts.split($0).name } }
      decisions.append(
        Decision(
          .queue, chose: "\(files.count) files of \(text)",
          why:
            "a folder stands for its media files, 2 before 10: from \(names.joined(separator: " to "))"
        ))
    }
    queue = PlayQueue(items)
    self.decisions = decisions
  }

  private static func whole(_ path: String) -> QueueItem {
    QueueItem(.file(path: path, track: nil, range: QueueRange()))
  }

  /// The item of one source as it is typed behind `option`: a file with an optional `#t=START,END`, or `silence:LENGTH`.
  /// - Throws: ``MediaError`` of kind `usage` naming the source.
  static func item(_ text: String, option: String) throws -> QueueItem {
    guard text != "-" else {
      throw MediaError(.usage, "\(option): standard input can't be joined; store it in a file")
    }
    if case .silence(let silence) = MediaLocation(text) {
      return QueueItem(.silence(silence.length))
    }
    let parts = text.components(separatedBy: "#t=")
    guard parts.count <= 2 else {
      throw MediaError(.usage, "\(option) \(text): give one #t=START,END")
    }
    var range = QueueRange()
    if parts.count == 2 {
      let times = parts[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard times.count <= 2 else {
        throw MediaError(.usage, "\(option) \(text): give #t=START,END")
      }
      if !times[0].isEmpty { range.start = try TimeSpec(times[0], option: "\(option) \(text)") }
      if times.count == 2, !times[1].isEmpty {
        range.end = try TimeSpec(times[1], option: "\(option) \(text)")
      }
    }
    return QueueItem(.file(path: parts[0], track: nil, range: range))
  }
}

/// The media files in a folder that is to be joined.
enum FolderInputs {
  /// The files in the folder at `path` with an extension of a container that is read, in natural order: 2 before
  /// 10, and playlists of HLS where they are asked for. `nil` where there is no folder.
  /// - Throws: ``MediaError`` of kind `inputMissing` for a folder without any.
  static func files(in path: String, withPlaylists: Bool = false) throws -> [String]? {
    guard PathParts.isFolder(path) else { return nil }
    let folder = PathParts.start(of: path)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let media = names.filter { name in
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
      let suffix = name[name.index(after: dot)...].lowercased()
      if suffix == "m3u8" || suffix == "m3u" { return withPlaylists && suffix == "m3u8" }
      return !ContainerTraits.promised(by: suffix).isEmpty
    }
    guard !media.isEmpty else {
      throw MediaError(
        .inputMissing, about: path, "holds no media file; give files, or another folder")
    }
    return media.sorted(by: NaturalOrder.precedes).map { folder + $0 }
  }
}
