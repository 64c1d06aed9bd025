import AudioCore
import Platform
import Rendering

/// What the commands that write queues have in common.
enum QueueOutput {
  /// Refuses an output that is the queue itself or, without `overwrite`, any file.
  static func check(_ output: String, notOver queue: String, _ overwrite: Bool) throws {
    guard !MediaLocation.file(queue).isSameFile(as: output) else {
      throw MediaError(.outputUnwritable, "-o \(output): is the input; give another name")
    }
    guard overwrite || access(output, F_OK) != 0 else {
      throw MediaError(.outputExists, "-o \(output): exists already; add -y to replace it")
    }
  }

  /// Says that comments of `file` aren't in what was written to `output`.
  static func tellComments(of file: QueueFile, in output: String) {
    guard file.hasComments else { return }
    Terminal.error(PlainText.line("\(output): the comments of \(file.path) are lost") + "\n")
  }
}
