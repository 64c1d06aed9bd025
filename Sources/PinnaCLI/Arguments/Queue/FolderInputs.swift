import AudioCore
import Essentials
import Platform
import PlayQueue

/// The media files in a folder that is to be joined.
enum FolderInputs {
  /// The files in the folder at `path` with an extension of a container that is read, in natural order: 2 before
  /// 10. `nil` where there is no folder.
  /// - Throws: ``MediaError`` of kind `inputMissing` for a folder without any.
  static func files(in path: String) throws -> [String]? {
    var facts = stat()
    guard stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
    let folder = path.hasSuffix("/") ? path : path + "/"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let media = names.filter { name in
      guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
      let suffix = name[name.index(after: dot)...].lowercased()
      return suffix != "m3u8" && suffix != "m3u"
        && !ContainerTraits.promised(by: suffix).isEmpty
    }
    guard !media.isEmpty else {
      throw MediaError(
        .inputMissing, about: path, "holds no media file; give files, or another folder")
    }
    return media.sorted(by: NaturalOrder.precedes).map { folder + $0 }
  }
}
