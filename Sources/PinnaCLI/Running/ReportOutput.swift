import AudioCore
import MediaOut
import Platform
import Rendering
import Report

/// A file that `report` writes, or standard output.
struct ReportOutput {
  /// The option that named it.
  let option: String
  let path: String

  private var isStandardOutput: Bool { path == "-" }

  /// Refuses, before anything is written, outputs that would replace a report, another output or,
  /// without `overwrite`, any file.
  static func check(_ outputs: [ReportOutput], inputs: [String], overwrite: Bool) throws {
    guard outputs.count(where: \.isStandardOutput) <= 1 else {
      throw MediaError(.usage, "-: only one of -o, --junit and --markdown can have standard output")
    }
    for (index, output) in outputs.enumerated() where !output.isStandardOutput {
      let location = MediaLocation.file(output.path)
      for input in inputs where input != "-" && location.isSameFile(as: input) {
        throw MediaError(
          .outputUnwritable,
          "\(output.option) \(output.path): is one of the reports; give another name")
      }
      for other in outputs[..<index] where !other.isStandardOutput {
        guard other.path != output.path, !location.isSameFile(as: other.path) else {
          throw MediaError(
            .usage,
            "\(output.option) \(output.path): is the file of \(other.option), too; give another")
        }
      }
      guard overwrite || access(output.path, F_OK) != 0 else {
        throw MediaError(
          .outputExists, "\(output.option) \(output.path): exists already; add -y to replace it")
      }
    }
  }

  /// Writes `text`, whole or not at all.
  func write(_ text: String, overwrite: Bool) throws {
    guard !isStandardOutput else { return Terminal.output(data: text) }
    try TextFile.write(text, to: path, overwrite: overwrite)
  }

  /// Links from this file to others, whose relative paths start at `start`. Files that don't exist
  /// get none.
  func links(from start: String = ".") -> PageLinks {
    guard !isStandardOutput, let current = PathParts.real(start),
      let folder = PathParts.real(PathParts.folder(of: path))
    else { return .none }
    return PageLinks(folder: folder, current: current) { access($0, F_OK) == 0 }
  }
}
