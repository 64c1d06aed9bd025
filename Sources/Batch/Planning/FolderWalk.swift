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
    let own = LocalPath.joined(root, folder)
    guard access(own, R_OK | X_OK) == 0 else {
      let code = errno
      guard code == EACCES, !folder.isEmpty else { throw LocalFile.openFailure(own, code) }
      aside.add(folder, "folder that can't be read")
      return
    }
    for name in try FolderListing.read(own) {
      let path = folder.isEmpty ? name : folder + "/" + name
      let full = LocalPath.joined(root, path)
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
