import AudioCore
import Glibc
import LibAV
import MediaOut

/// Where one output is written: a file that appears when it is complete, or a temporary file that
/// is copied to standard output when it is proved.
final class OutputTarget {
  let name: String
  let descriptor: Int32
  /// Where the spool overflows to: the output itself where it may be written over, else a file of
  /// its own.
  let spoolDescriptor: Int32
  private let file: AtomicFile?

  /// Whether an output could be reserved now.
  /// - Throws: ``MediaError`` as the initialiser would.
  static func check(
    _ location: RenderJob.Location, input: LocalFile, overwrite: Bool
  ) throws {
    guard case .file(let path) = location else { return }
    try refuseInput(path, input)
    try checkFree(path, overwrite)
  }

  private static func refuseInput(_ path: String, _ input: LocalFile) throws {
    guard !input.isSameFile(as: path) else {
      throw MediaError(
        .outputUnwritable, "\(path): is the input itself; give another output name")
    }
  }

  private static func checkFree(_ path: String, _ overwrite: Bool) throws {
    guard overwrite || access(path, F_OK) != 0 else {
      throw MediaError(.outputExists, "\(path): exists already; add -y to replace it")
    }
  }

  /// Makes sure that ``commit(overwrite:)`` won't meet a file that has appeared meanwhile.
  func checkFree(overwrite: Bool) throws {
    if file != nil { try OutputTarget.checkFree(name, overwrite) }
  }

  /// Reserves the output; refuses to write over the input, whatever path leads there.
  ///
  /// With `ownSpool` the spool stays whole while the output is written.
  init(
    _ location: RenderJob.Location, input: LocalFile, overwrite: Bool, ownSpool: Bool
  ) throws {
    name = location.name
    guard case .file(let path) = location else {
      file = nil
      descriptor = try JobFiles.unlinkedFile()
      spoolDescriptor = ownSpool ? try JobFiles.unlinkedFile() : descriptor
      return
    }
    try OutputTarget.refuseInput(path, input)
    let atomic = try AtomicFile(target: path, overwrite: overwrite)
    file = atomic
    descriptor = atomic.descriptor
    spoolDescriptor = ownSpool ? try JobFiles.unlinkedFile() : descriptor
  }

  deinit {
    if spoolDescriptor != descriptor { close(spoolDescriptor) }
    if file == nil { close(descriptor) }
  }

  /// Puts the complete output where it belongs.
  func commit(overwrite: Bool) throws {
    if let file {
      try file.commit(overwrite: overwrite)
    } else {
      try JobFiles.copyToStandardOutput(descriptor)
    }
  }
}
