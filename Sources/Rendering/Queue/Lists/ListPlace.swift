import AudioCore
import Platform
import PlayQueue

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
    let name = PathParts.split(path).name
    return place == "/" ? place + name : place + "/" + name
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
    guard path.utf8.first != UInt8(ascii: "/") else { return plain(path) }
    return PathParts.real(".").flatMap { plain($0 + "/" + path) }
  }

  private static func plain(_ path: String) -> [String]? {
    let parts = PathParts.of(path).filter { $0 != "." }
    return parts.contains("..") ? nil : parts
  }
}
