// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Reads folders.
package enum FolderListing {
  /// The kind of something in a folder.
  enum Kind: Equatable {
    case file
    case folder
    case link
    case other
  }

  /// Names in a folder but for `.` and `..`, sorted by their bytes; none when it can't be read.
  static func names(in folder: String) -> [String] { (try? read(folder)) ?? [] }

  /// Names in a folder as ``names(in:)`` gives them.
  /// - Throws: ``MediaError`` of kind `inputMissing`, `inputUnreadable` or `outOfResources`.
  static func read(_ folder: String) throws -> [String] {
    guard let stream = opendir(folder.isEmpty ? "." : folder) else {
      throw LocalFile.openFailure(folder, errno)
    }
    defer { closedir(stream) }
    var found: [[UInt8]] = []
    while let entry = readdir(stream) {
      found.append(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
    }
    var nameless = 0
    let names = found.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes in
      if let name = String(validating: bytes, as: UTF8.self) { return name }
      // A name that isn't UTF-8 can't appear in a report as it is; the number tells those apart that look alike.
      nameless += 1
      return "\(unnamed)\(nameless) \(String(decoding: bytes, as: UTF8.self))"
    }
    return names.filter { $0 != "." && $0 != ".." }.sortedAsNames()
  }

  /// Beginning of names that stand for those that aren't UTF-8.
  static let unnamed = "\u{FFFD}"

  /// Why files with such names are left aside.
  package static let unnamedReason = "name that isn't UTF-8; rename it"

  /// Bytes of the regular file at `path`; `nil` when there is none.
  static func size(_ path: String) -> Int64? {
    var facts = stat()
    guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(facts.st_size)
  }

  /// The kind of file at `path`; `nil` when there is none.
  static func kind(_ path: String, followingLinks: Bool) -> Kind? {
    var facts = stat()
    guard (followingLinks ? stat(path, &facts) : lstat(path, &facts)) == 0 else { return nil }
    switch facts.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    case S_IFLNK: return .link
    default: return .other
    }
  }

  /// Device and inode of the file at `path`; `nil` when there is none.
  static func identity(_ path: String) -> [UInt64]? { FilePlace.identity(path) }

  /// Makes a folder and those above it.
  /// - Returns: 0 or the `errno`.
  static func make(_ folder: String) -> Int32 {
    if mkdir(folder, 0o777) == 0 { return 0 }
    let code = errno
    if code == ENOENT, PathParts.folder(of: folder) != folder {
      let above = make(PathParts.folder(of: folder))
      guard above == 0 else { return above }
      return mkdir(folder, 0o777) == 0 || errno == EEXIST ? 0 : errno
    }
    return kind(folder, followingLinks: true) == .folder ? 0 : code
  }
}

/// Paths as text.
enum LocalPath {
  /// The last part of the path of a URL, or `output` where it has none: the host isn't a name, and user and password may
  /// stand before it.
  static func name(ofURL text: String) -> String {
    let plain = text.prefix { $0 != "?" && $0 != "#" }
    let place = plain.firstRange(of: "://").map { plain[$0.upperBound...] } ?? plain
    return PathParts.of(place).dropFirst(PathParts.isAbsolute(place) ? 0 : 1).last ?? "output"
  }

  /// `name` without what follows its last dot; a name that begins with its only dot is whole.
  static func stem(of name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension of `path`, lower case.
  static func ending(of path: String) -> String {
    let name = PathParts.split(path).name
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }

  /// Whether `text` is an http or https URL.
  static func isWeb(_ text: String) -> Bool {
    let lower = text.prefix(8).lowercased()
    return lower.hasPrefix("http://") || lower.hasPrefix("https://")
  }
}
