// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The parts of a path as the kernel sees them.
package enum PathParts {
  /// Parts of `path` between its slashes, without empty ones.
  ///
  /// Each byte of a slash separates. As a character of text, a slash with a combining mark behind it is another one,
  /// so splitting text could hide a `..`.
  package static func of(_ path: some StringProtocol) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// `path` up to its last slash with it, which is empty for a name alone, and what stands behind.
  package static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
    let name = path.utf8[path.utf8.index(after: slash)...]
    return (
      String(decoding: path.utf8[...slash], as: UTF8.self), String(decoding: name, as: UTF8.self)
    )
  }

  /// The folder of `path` without its last slash, but for that of the root; `.` for a name alone.
  package static func folder(of path: String) -> String {
    let folder = split(path).folder
    if folder.isEmpty { return "." }
    return folder.utf8.count == 1 ? folder : String(decoding: folder.utf8.dropLast(), as: UTF8.self)
  }

  /// Whether `path` has a slash, so that it is more than a name.
  package static func hasFolder(_ path: String) -> Bool {
    path.utf8.contains(UInt8(ascii: "/"))
  }

  /// Whether `path` ends in a slash, so that it can only be a folder.
  package static func endsInSlash(_ path: String) -> Bool {
    path.utf8.last == UInt8(ascii: "/")
  }

  /// The path of `folder` with a slash at its end, behind which a name can stand.
  package static func start(of folder: String) -> String {
    endsInSlash(folder) ? folder : folder + "/"
  }

  /// `path` as seen from `folder`.
  package static func joined(_ folder: String, _ path: String) -> String {
    isAbsolute(path) ? path : start(of: folder) + path
  }

  /// The absolute path of `path` from the process's working folder.
  package static func absolute(_ path: String) -> String {
    guard !isAbsolute(path), let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return joined(String(cString: here), path == "." ? "" : path)
  }

  /// The parts of `path`, behind those of `folder` for a relative one, without `.` and with each `..` resolved as text;
  /// `nil` where a relative path leads above its start. The root is its own parent.
  package static func normalized(_ path: String, below folder: [String] = []) -> [String]? {
    var parts = isAbsolute(path) ? [] : folder
    for part in of(path) where part != "." {
      if part != ".." {
        parts.append(part)
      } else if parts.popLast() == nil, !isAbsolute(path) {
        return nil
      }
    }
    return parts
  }

  /// Whether `path` begins at the root.
  package static func isAbsolute(_ path: some StringProtocol) -> Bool {
    path.utf8.first == UInt8(ascii: "/")
  }

  /// The part of `path` below `folder`, as they are spelled; `nil` for any other path.
  ///
  /// As text, a path begins with a folder whose name has the same letters in other bytes.
  package static func rest(of path: String, below folder: String) -> String? {
    let start = start(of: folder)
    guard path.utf8.starts(with: start.utf8) else { return nil }
    return String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self)
  }

  /// Whether there is a folder at `path`, or a link to one.
  package static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }

  /// The absolute path of the existing `path` without symbolic links; `nil` where there is nothing.
  package static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }
}

/// The folders of a user's own files (XDG Base Directory Specification).
package enum UserFolders {
  /// The folder that `variable` of `environment` names, and `usual` in the user's own folder: those that there are, the
  /// first going before. A relative path, and an empty one, counts as unset.
  package static func of(
    _ variable: String, usual: String, _ environment: [String: String]
  ) -> [String] {
    func folder(_ name: String) -> String? {
      environment[name].flatMap { PathParts.isAbsolute($0) ? $0 : nil }
    }
    return [folder(variable), folder("HOME").map { $0 + "/" + usual }].compactMap { $0 }
  }
}

/// The place that a path refers to, independent of its spelling: the folder's identity and the last
/// name.
package struct FilePlace: Hashable {
  private let device: UInt64
  private let folder: UInt64
  private let name: PathName

  /// Device and inode of an existing file; `nil` when there is none.
  package static func identity(_ path: String) -> [UInt64]? {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return nil }
    return [FilePlace.device(facts), UInt64(facts.st_ino)]
  }

  /// The place of `path`; a folder that can't be looked at keeps its spelling.
  package init(_ path: String) {
    var facts = stat()
    let isKnown = stat(PathParts.folder(of: path), &facts) == 0
    device = isKnown ? FilePlace.device(facts) : 0
    self.folder = isKnown ? UInt64(facts.st_ino) : 0
    name = PathName(isKnown ? PathParts.split(path).name : path)
  }

  /// The number of the device; on Darwin it has a sign.
  private static func device(_ facts: stat) -> UInt64 { UInt64(truncatingIfNeeded: facts.st_dev) }
}

/// The names in an open folder.
package enum FolderNames {
  /// The names in the folder at `path`, as ``of(_:)`` gives them; a link to a folder has none.
  package static func of(path: String) -> [String] {
    of(open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
  }

  /// The names in the folder that `descriptor` was opened to read, in no certain order, without `.` and `..`.
  ///
  /// The descriptor is closed. A folder that can't be read has no names.
  package static func of(_ descriptor: Int32) -> [String] {
    guard descriptor >= 0 else { return [] }
    guard let stream = fdopendir(descriptor) else {
      close(descriptor)
      return []
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
