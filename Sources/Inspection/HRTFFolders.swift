import AudioCore
import Essentials
import Platform
import Rendering

/// Where sets are looked for.
package enum HRTFFolders {
  /// The user's folders that exist: `$XDG_DATA_HOME/pinna/hrtf` and `~/.local/share/pinna/hrtf`. A
  /// relative XDG_DATA_HOME counts as unset (XDG Base Directory Specification).
  package static func users(_ environment: [String: String]) -> [String] {
    let named = environment["XDG_DATA_HOME"]
    let home = environment["HOME"].map { $0 + "/.local/share" }
    var folders: [String] = []
    for base in [named, home].compactMap({ $0 }) where base.hasPrefix("/") {
      let folder = base + "/pinna/hrtf"
      if isFolder(folder), !folders.contains(where: { PathName($0) == PathName(folder) }) {
        folders.append(folder)
      }
    }
    return folders
  }

  /// The set that `text` names: `kemar`, a path, or a file in the user's folders, with or without its extension. A path goes before a name.
  /// - Throws: ``MediaError`` of kind `inputMissing` that lists the names that are known.
  package static func choice(
    _ text: String, _ environment: [String: String]
  ) throws -> HRTFRequest.Choice {
    let own = HRTFRequest.Choice(text)
    guard let path = own.path, !path.contains("/"), access(path, F_OK) != 0 else { return own }
    let folders = users(environment)
    for folder in folders {
      for ending in [""] + endings.flatMap({ [$0, $0.uppercased()] })
      where !path.isEmpty && access(folder + "/" + path + ending, F_OK) == 0 {
        return .file(folder + "/" + path + ending)
      }
    }
    let known = folders.flatMap { (try? files(at: $0)) ?? [] }.map { PathParts.split($0).name }
    let names = ["kemar"] + known.map(name)
    throw MediaError(
      .inputMissing, about: path,
      "no such file, and no set that pinna hrtf list shows is called so; known are "
        + names.joined(separator: ", "))
  }

  /// Extensions of sets, which a name may leave out.
  private static let endings = [".sofa", ".wav"]

  private static func name(_ file: String) -> String {
    endings.first { file.lowercased().hasSuffix($0) }.map { String(file.dropLast($0.count)) }
      ?? file
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
    }.sortedAsNames().map { folder + $0 }
  }

  private static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
