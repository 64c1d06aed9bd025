// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import MediaOut
import Platform

/// Opens the input and reserves the outputs of a job before any work is done.
package enum JobFiles {
  /// Milliseconds after which a wait for a pipe looks for cancellation.
  private static let patience: Int32 = 100
  /// A pipe that is ready for writing takes this many bytes without blocking (pipe(7)).
  private static let pipeRoom = 4096

  /// Standard input, copied to an unlinked temporary file.
  /// - Throws: ``MediaError``; of kind `interrupted` when `isCancelled` while waiting for data.
  package static func bufferedStandardInput(
    isCancelled: () -> Bool = { Task.isCancelled }
  ) throws -> LocalFile {
    let descriptor = try unlinkedFile()
    do {
      try copyStandardInput(to: descriptor, isCancelled)
    } catch {
      close(descriptor)
      throw error
    }
    return try LocalFile(descriptor: descriptor, name: "standard input")
  }

  private static func copyStandardInput(
    to descriptor: Int32, _ isCancelled: () -> Bool
  ) throws {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try wait(STDIN_FILENO, POLLIN, "standard input", isCancelled)
      let got = Descriptor.readSome(STDIN_FILENO, into: &bytes)
      if got < 0, errno == EAGAIN { continue }
      guard got >= 0 else {
        throw MediaError(.inputUnreadable, "standard input can't be read; check the pipe")
      }
      if got == 0 { return }
      let code = bytes[..<got].withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
      try OutputFailure.check(code, "temporary file")
    }
  }

  /// A temporary file that has no name any more.
  package static func unlinkedFile() throws -> Int32 { try TemporaryFile.makeDescriptor() }

  /// Copies a whole file to standard output.
  /// - Throws: ``MediaError``; of kind `interrupted` when `isCancelled` while the reader stalls.
  package static func copyToStandardOutput(
    _ descriptor: Int32, isCancelled: () -> Bool = { Task.isCancelled }
  ) throws {
    var facts = stat()
    let isFile = fstat(STDOUT_FILENO, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
    let step = isFile ? 1 << 16 : pipeRoom
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var offset: off_t = 0
    while true {
      let got = bytes.withUnsafeMutableBytes { room in
        room.baseAddress.map {
          Descriptor.readAll(descriptor, into: $0, count: room.count, at: Int64(offset))
        } ?? 0
      }
      guard got >= 0 else { throw OutputFailure.error(Int32(-got), "temporary file") }
      if got == 0 { return }
      offset += got
      for start in stride(from: 0, to: got, by: step) {
        try bytes[start..<min(got, start + step)].withUnsafeBytes {
          try writeToStandardOutput($0, isCancelled)
        }
      }
    }
  }

  /// Waits until `descriptor` is ready for `event`, or has failed, which the next call reports.
  private static func wait(
    _ descriptor: Int32, _ event: Int32, _ name: String, _ isCancelled: () -> Bool
  ) throws {
    while true {
      if isCancelled() { throw MediaError(.interrupted, about: name, "stopped before it was done") }
      var state = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let ready = poll(&state, 1, patience)
      if ready > 0 { return }
      guard ready == 0 || errno == EINTR else { return }
    }
  }

  /// Writes `bytes`, and waits before each piece until the reader has room.
  private static func writeToStandardOutput(
    _ bytes: UnsafeRawBufferPointer, _ isCancelled: () -> Bool
  ) throws {
    let name = "standard output"
    var done = 0
    while done < bytes.count {
      try wait(STDOUT_FILENO, POLLOUT, name, isCancelled)
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let moved = Descriptor.writeSome(rest, to: STDOUT_FILENO)
      if moved == -Int(EINTR) || moved == -Int(EAGAIN) { continue }
      guard moved > 0 else { throw OutputFailure.error(Int32(-moved), name) }
      done += moved
    }
  }
}
