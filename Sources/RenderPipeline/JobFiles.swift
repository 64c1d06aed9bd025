import AudioCore
import Glibc
import LibAV
import MediaOut

/// Opens the input and reserves the outputs of a job before any work is done.
enum JobFiles {
  /// The input as a regular file; standard input is copied to an unlinked temporary file first.
  static func open(_ input: RenderJob.Location) throws -> LocalFile? {
    guard case .standardStream = input else { return nil }
    let descriptor = try unlinkedFile()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = read(STDIN_FILENO, &bytes, bytes.count)
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else {
        close(descriptor)
        throw MediaError(.inputUnreadable, "standard input can't be read; check the pipe")
      }
      if got == 0 { break }
      try writeAll(descriptor, bytes, got, "temporary file")
    }
    return try LocalFile(descriptor: descriptor, name: "standard input")
  }

  /// A temporary file that has no name any more.
  static func unlinkedFile() throws -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var name = Array((folder + "/pinna-XXXXXX").utf8CString)
    let descriptor = name.withUnsafeMutableBufferPointer {
      $0.baseAddress.map { mkstemp($0) } ?? -1
    }
    guard descriptor >= 0 else { throw OutputFailure.error(errno, "temporary file in \(folder)") }
    _ = name.withUnsafeBufferPointer { $0.baseAddress.map { unlink($0) } }
    return descriptor
  }

  /// Copies a whole file to standard output.
  static func copyToStandardOutput(_ descriptor: Int32) throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var offset: off_t = 0
    while true {
      let got = pread(descriptor, &bytes, bytes.count, offset)
      guard got >= 0 else { throw MediaError(.internal, "the temporary file can't be read") }
      if got == 0 { return }
      offset += got
      try writeAll(STDOUT_FILENO, bytes, got, "standard output")
    }
  }

  private static func writeAll(
    _ descriptor: Int32, _ bytes: [UInt8], _ count: Int, _ name: String
  ) throws {
    var done = 0
    while done < count {
      let moved = bytes.withUnsafeBytes { raw -> Int in
        guard let base = raw.baseAddress else { return 0 }
        return write(descriptor, base + done, count - done)
      }
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { throw OutputFailure.error(errno, name) }
      done += moved
    }
  }
}
