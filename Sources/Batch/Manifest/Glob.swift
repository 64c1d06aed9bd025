import AudioCore
import Platform

/// A pattern for file names: `*`, `?` and `[…]` stand for parts of a name, `**` for any folders.
struct Glob {
  private let pattern: String
  /// Identity of a folder that isn't searched.
  private let excluded: [UInt64]?

  /// A pattern, relative to the folder that is searched, or absolute. The folder `excluded` isn't
  /// entered, unless it is the searched folder itself.
  init(_ pattern: String, excluding excluded: String? = nil) {
    self.pattern = pattern
    self.excluded = excluded.flatMap { FolderListing.identity($0) }
  }

  /// Stand-ins for the names in the searched folders that aren't UTF-8 and so can't match.
  func unnamed(in folder: String) -> [String] {
    let parts = PathParts.of(pattern).dropLast()
    let folders = Glob((parts + [FolderListing.unnamed + "*"]).joined(separator: "/"))
    return folders.standIns(in: folder)
  }

  private func standIns(in folder: String) -> [String] {
    var found: PathSet = []
    let parts = PathParts.of(pattern)
    match(
      parts[...], in: PathParts.isAbsolute(pattern) ? "/" : "", of: folder, &found,
      wantsUnnamed: true)
    return found.sorted()
  }

  /// Whether `text` holds a character that has a meaning in patterns.
  static func isPattern(_ text: String) -> Bool { text.utf8.contains { "*?[".utf8.contains($0) } }

  /// Regular files that match, sorted by their bytes; names that begin with a dot only where the
  /// pattern does.
  func files(in folder: String) -> [String] {
    let parts = PathParts.of(pattern)
    var found: PathSet = []
    match(parts[...], in: PathParts.isAbsolute(pattern) ? "/" : "", of: folder, &found)
    return found.sorted()
  }

  private func match(
    _ parts: ArraySlice<String>, in place: String, of folder: String, _ found: inout PathSet,
    wantsUnnamed: Bool = false
  ) {
    let isEntered = excluded != nil && !place.isEmpty
    guard !isEntered || FolderListing.identity(LocalPath.joined(folder, place)) != excluded
    else { return }
    guard let part = parts.first else { return }
    let rest = parts.dropFirst()
    if part == "**" {
      match(rest, in: place, of: folder, &found, wantsUnnamed: wantsUnnamed)
      for name in FolderListing.names(in: LocalPath.joined(folder, place))
      where !name.hasPrefix(".") {
        let next = place + name
        if FolderListing.kind(LocalPath.joined(folder, next), followingLinks: false) == .folder {
          match(parts, in: next + "/", of: folder, &found, wantsUnnamed: wantsUnnamed)
        }
      }
      return
    }
    let names =
      Glob.isPattern(part) ? FolderListing.names(in: LocalPath.joined(folder, place)) : [part]
    let own = PathName(part)
    for name in names where PathName(name) == own || fnmatch(part, name, FNM_PERIOD) == 0 {
      let next = place + name
      switch FolderListing.kind(LocalPath.joined(folder, next), followingLinks: true) {
      case .folder:
        match(rest, in: next + "/", of: folder, &found, wantsUnnamed: wantsUnnamed)
      case .file where rest.isEmpty: found.insert(next)
      case nil where wantsUnnamed && rest.isEmpty: found.insert(next)
      default: continue
      }
    }
  }
}
