import AudioCore
import Glibc
import LibAV
import MediaOut

/// Where one output is written: a file that appears when it is complete, or a temporary file that
/// is copied to standard output when it is proved.
final class OutputTarget {
  let name: String
  let descriptor: Int32
  private let file: AtomicFile?

  /// Reserves the output; refuses to write over the input, whatever path leads there.
  init(_ location: RenderJob.Location, input: LocalFile, overwrite: Bool) throws {
    name = location.name
    guard case .file(let path) = location else {
      file = nil
      descriptor = try JobFiles.unlinkedFile()
      return
    }
    guard !input.isSameFile(as: path) else {
      throw MediaError(
        .outputUnwritable, "\(path): is the input itself; give another output name")
    }
    let atomic = try AtomicFile(target: path, overwrite: overwrite)
    file = atomic
    descriptor = atomic.descriptor
  }

  deinit { if file == nil { close(descriptor) } }

  /// Puts the complete output where it belongs.
  func commit(overwrite: Bool) throws {
    if let file {
      try file.commit(overwrite: overwrite)
    } else {
      try JobFiles.copyToStandardOutput(descriptor)
    }
  }
}
