import AudioCore
import Essentials
import Platform
import Rendering

/// Where sets are looked for.
struct HRTFFolders {
  /// The user's folders that exist: `$XDG_DATA_HOME/pinna/hrtf` and `~/.local/share/pinna/hrtf`. A
  /// relative XDG_DATA_HOME counts as unset (XDG Base Directory Specification).
  static func users(_ environment: [String: String]) -> [String] {
    let named = environment["XDG_DATA_HOME"]
    let home = environment["HOME"].map { $0 + "/.local/share" }
    var folders: [String] = []
    for base in [named, home].compactMap({ $0 }) where base.hasPrefix("/") {
      let folder = base + "/pinna/hrtf"
      if isFolder(folder), !folders.contains(folder) { folders.append(folder) }
    }
    return folders
  }

  /// `path` itself when it is no folder, else the `.sofa` files in it (not in folders inside), and the `.wav` files with as
  /// many channels as those of HeSuVi, by name; hidden ones are left out.
  /// - Throws: ``MediaError`` of kind `inputMissing` or `inputUnreadable`.
  static func files(at path: String) throws -> [String] {
    guard isFolder(path) else {
      guard access(path, F_OK) == 0 else {
        throw MediaError(.inputMissing, about: path, "no such file or folder; check the path")
      }
      return [path]
    }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw MediaError(.inputUnreadable, about: path, "can't be listed; check its permissions")
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    return names.filter { name in
      let lower = name.lowercased()
      guard !name.hasPrefix(".") else { return false }
      return lower.hasSuffix(".sofa")
        || lower.hasSuffix(".wav") && HeSuViFile.looksLikeASet(folder + name)
    }.sorted().map { folder + $0 }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
