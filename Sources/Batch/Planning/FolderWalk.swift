// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Finds the media files in a folder and those below it.
struct FolderWalk {
  /// Extensions of files that are rendered.
  static let endings: Set<String> = {
    let read = ContainerTraits.all.compactMap(\.input).filter { !$0.isPlaylist }
    return Set(read.flatMap(\.extensions)).union(unread)
  }()

  /// Extensions of sound in containers that Pinna doesn't read. Each such file fails with its reason,
  /// instead of being left out unseen.
  private static let unread = ["alac", "amr", "mpc", "mxf", "tak"]

  /// Media files, relative to the folder, sorted by their bytes.
  private(set) var files: [String] = []
  /// Files that were left out, with the reason.
  var skipped: [String: String] { aside.reasons }

  private(set) var aside = SkippedFiles()

  private let root: String
  /// The folder's path without symbolic links.
  private let place: String
  /// The folder that outputs go to, which may lie inside.
  private let outputs: [UInt64]?

  /// Walks `root`; links out of it aren't followed, and links to folders never are.
  /// - Throws: ``MediaError`` where the disk refuses to say what is there; a folder in it without permission is skipped.
  init(root: String, outputs: String) throws {
    self.root = root
    place = PathParts.real(root) ?? root
    self.outputs = FolderListing.identity(outputs)
    try walk("")
    files = files.sortedAsNames()
  }

  private mutating func walk(_ folder: String) throws {
    let own = PathParts.joined(root, folder)
    guard access(own, R_OK | X_OK) == 0 else {
      let code = errno
      guard code == EACCES, !folder.isEmpty else { throw LocalFile.openFailure(own, code) }
      aside.add(folder, "folder that can't be read")
      return
    }
    for name in try FolderListing.read(own) {
      let path = folder.isEmpty ? name : folder + "/" + name
      let full = PathParts.joined(root, path)
      if name.hasPrefix(".") {
        aside.add(path, "hidden")
        continue
      }
      let kind = FolderListing.kind(full, followingLinks: false)
      let code = errno
      switch kind {
      case .folder?:
        if outputs != nil, FolderListing.identity(full) == outputs {
          aside.add(path, "the output folder")
        } else {
          try walk(path)
        }
      case .file?: take(path)
      case .link?: takeLink(path, full)
      case .other?: aside.add(path, "not a regular file")
      case nil:
        if name.hasPrefix(FolderListing.unnamed) {
          aside.add(path, FolderListing.unnamedReason)
        } else if code == ENOENT {
          aside.add(path, "gone while the folder was listed")
        } else {
          throw LocalFile.openFailure(full, code)
        }
      }
    }
  }

  private mutating func take(_ path: String) {
    let ending = LocalPath.ending(of: path)
    if FolderWalk.endings.contains(ending) {
      files.append(path)
    } else {
      aside.add(path, ending.isEmpty ? "no extension" : "not media by its extension .\(ending)")
    }
  }

  private mutating func takeLink(_ path: String, _ full: String) {
    guard FolderListing.kind(full, followingLinks: true) == .file, let real = PathParts.real(full)
    else {
      aside.add(path, "link that doesn't lead to a file")
      return
    }
    guard PathParts.rest(of: real, below: place) != nil else {
      aside.add(path, "link out of the folder")
      return
    }
    take(path)
  }
}

/// Files that a batch leaves aside, each with the reason.
package struct SkippedFiles {
  /// The reasons by name. Names that are the same text in other bytes would be one key of a dictionary and of a JSON
  /// object, so all but the first of them have a number.
  package private(set) var reasons: [String: String] = [:]
  private var names: PathSet = []

  /// Notes why the file `name` is left aside; the first reason counts.
  mutating func add(_ name: String, _ reason: String) {
    guard names.insert(name) else { return }
    var key = name
    var number = 1
    while reasons[key] != nil {
      number += 1
      key = "\(name) (\(number))"
    }
    reasons[key] = reason
  }

  /// The number of files that have each reason with the reason, the most frequent first, and `more` about it; in words.
  package static func text(_ reasons: [String: String], more: (String) -> String = { _ in "" })
    -> String
  {
    Dictionary(grouping: reasons.values) { $0 }.map { ($0.key, $0.value.count) }
      .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      .map { "\($0.1) \($0.0)" + more($0.0) }.joined(separator: "; ")
  }
}

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
    guard !isEntered || FolderListing.identity(PathParts.joined(folder, place)) != excluded
    else { return }
    guard let part = parts.first else { return }
    let rest = parts.dropFirst()
    if part == "**" {
      match(rest, in: place, of: folder, &found, wantsUnnamed: wantsUnnamed)
      for name in FolderListing.names(in: PathParts.joined(folder, place))
      where !name.hasPrefix(".") {
        let next = place + name
        if FolderListing.kind(PathParts.joined(folder, next), followingLinks: false) == .folder {
          match(parts, in: next + "/", of: folder, &found, wantsUnnamed: wantsUnnamed)
        }
      }
      return
    }
    let names =
      Glob.isPattern(part) ? FolderListing.names(in: PathParts.joined(folder, place)) : [part]
    let own = PathName(part)
    for name in names where PathName(name) == own || fnmatch(part, name, FNM_PERIOD) == 0 {
      let next = place + name
      switch FolderListing.kind(PathParts.joined(folder, next), followingLinks: true) {
      case .folder:
        match(rest, in: next + "/", of: folder, &found, wantsUnnamed: wantsUnnamed)
      case .file where rest.isEmpty: found.insert(next)
      case nil where wantsUnnamed && rest.isEmpty: found.insert(next)
      default: continue
      }
    }
  }
}
