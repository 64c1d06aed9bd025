import Platform
import Rendering
import AudioCore
import MediaIn

/// Gives every input its output: one file, or a file in a folder for each.
enum OutputNames {
  static func resolve(
    inputs: [String], output: String, form: OutputForm
  ) throws -> [(String, String)] {
    let isFolder = output.hasSuffix("/") || isDirectory(output)
    guard isFolder else {
      guard inputs.count == 1 else {
        throw MediaError(
          .usage, "-o \(output): several inputs need a folder; create it and give its name")
      }
      return [(inputs[0], output)]
    }
    let folder = output.hasSuffix("/") ? output : output + "/"
    let pairs = inputs.map { ($0, folder + stem(of: $0) + "." + form.fileExtension) }
    let files = pairs.flatMap { form.files(of: $0.1) }
    guard Set(files).count == files.count else {
      throw MediaError(
        .usage, "-o \(output): two inputs would be written to the same name; rename one")
    }
    return pairs
  }

  /// Refuses a report that would replace the input, an output or, without `-y`, any other file.
  static func checkReport(_ path: String, jobs: [RenderJob], overwrite: Bool) throws {
    let taken = jobs.flatMap { job in
      [job.input]
        + job.outputs.flatMap { job.form.files(of: $0.location.name) }.map {
          RenderJob.Location($0)
        }
    }
    for location in taken where location.isSameFile(as: path) {
      throw MediaError(
        .outputUnwritable, "--report \(path): is the input or an output; give another name")
    }
    guard overwrite || access(path, F_OK) != 0 else {
      throw MediaError(
        .outputExists, "--report \(path): exists already; add -y to replace it")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    guard access(folder, W_OK) == 0 else {
      throw MediaError(
        .outputUnwritable, "--report \(path): its folder can't be written; check the path")
    }
  }

  private static func stem(of path: String) -> String {
    let local = WebAddress(path).map(\.lastComponent) ?? path
    let name = local.split(separator: "/").last.map(String.init) ?? "output"
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  private static func isDirectory(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
