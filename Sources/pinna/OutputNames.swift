import AudioCore
import Glibc

/// Gives every input its output: one file, or a file in a folder for each.
enum OutputNames {
  static func resolve(inputs: [String], output: String) throws -> [(String, String)] {
    let isFolder = output.hasSuffix("/") || isDirectory(output)
    guard isFolder else {
      guard inputs.count == 1 else {
        throw MediaError(
          .usage, "-o \(output): several inputs need a folder; create it and give its name")
      }
      return [(inputs[0], output)]
    }
    let folder = output.hasSuffix("/") ? output : output + "/"
    let pairs = inputs.map { ($0, folder + stem(of: $0) + ".wav") }
    guard Set(pairs.map(\.1)).count == pairs.count else {
      throw MediaError(
        .usage, "-o \(output): two inputs would be written to the same name; rename one")
    }
    return pairs
  }

  private static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? "output"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func isDirectory(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
