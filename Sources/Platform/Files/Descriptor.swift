// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CProcess

/// Reads and writes of descriptors that a signal doesn't break off.
///
/// The names aren't libc's `read` and `write`: a type with a method of such a name could reach libc's only
/// through the name of libc's module, which differs between systems.
package enum Descriptor {
  /// Writes all of `bytes`: to a file from `offset` on, or without one where the descriptor is.
  /// - Returns: 0, or the `errno`.
  package static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64? = nil
  ) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      let moved = writeSome(rest, to: descriptor, at: offset.map { $0 + Int64(done) })
      if moved == -Int(EINTR) { continue }
      guard moved > 0 else { return Int32(-moved) }
      done += moved
    }
    return 0
  }

  /// Writes all of `bytes`, as those of a buffer.
  package static func writeAll(
    _ bytes: [UInt8], to descriptor: Int32, at offset: Int64? = nil
  ) -> Int32 {
    bytes.withUnsafeBytes { writeAll($0, to: descriptor, at: offset) }
  }

  /// Calls write(2) or pwrite(2) once with `bytes`, at least one.
  /// - Returns: how many were written, at least one, or −`errno`.
  package static func writeSome(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64? = nil
  ) -> Int {
    let moved =
      if let offset { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) } else {
        write(descriptor, bytes.baseAddress, bytes.count)
      }
    // Only a full disk takes no byte, and then it sets no errno.
    return moved > 0 ? moved : -Int(moved == 0 ? ENOSPC : errno)
  }

  /// Reserves `count` bytes from `offset` on, so that a file system finds their places at once and not page by page; the file
  /// doesn't become longer. Where that can't be had nothing happens: a write that finds no room says so itself.
  package static func reserve(_ descriptor: Int32, at offset: Int64, count: Int64) {
    process_reserve(descriptor, UInt64(offset), UInt64(count))
  }

  /// Reads `count` bytes to `target`: those of a file from `offset` on, or without one from where the descriptor is; fewer
  /// only at the end.
  /// - Returns: how many were read, or −`errno`.
  package static func readAll(
    _ descriptor: Int32, into target: UnsafeMutableRawPointer, count: Int, at offset: Int64? = nil
  ) -> Int {
    var done = 0
    while done < count {
      let got =
        if let offset {
          pread(descriptor, target + done, count - done, off_t(offset) + off_t(done))
        } else {
          read(descriptor, target + done, count - done)
        }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { return -Int(errno) }
      guard got > 0 else { break }
      done += got
    }
    return done
  }

  /// Hands all that is left to read to `take`, at most `size` bytes at a time.
  /// - Returns: 0, or the `errno`.
  package static func readToEnd(
    _ descriptor: Int32, size: Int = 1 << 16, _ take: (ArraySlice<UInt8>) throws -> Void
  ) rethrows -> Int32 {
    var room = [UInt8](repeating: 0, count: size)
    while true {
      let got = readSome(descriptor, into: &room)
      guard got > 0 else { return got == 0 ? 0 : errno }
      try take(room[..<got])
    }
  }

  /// Reads at most `count` bytes to the front of `room`, or as many as fit.
  /// - Returns: how many were read, 0 at the end, or -1 with the reason in `errno`.
  package static func readSome(
    _ descriptor: Int32, into room: inout [UInt8], atMost count: Int = .max
  ) -> Int {
    while true {
      let got = read(descriptor, &room, min(room.count, count))
      if got >= 0 || errno != EINTR { return got }
    }
  }
}

/// Receives the bytes of an output in order.
package protocol ByteSink: AnyObject {
  /// Takes bytes that follow those before.
  /// - Throws: ``MediaError`` when they can't be kept.
  func write(_ bytes: [UInt8]) throws

  /// Takes bytes in the place of as many that were taken before, from `offset` on.
  /// - Throws: as ``write(_:)``.
  func replace(at offset: Int64, by bytes: [UInt8]) throws

  /// Called before the bytes of fragment `index`, from 0, so that a sink may begin another file.
  /// - Throws: ``MediaError`` when it can't.
  func fragmentBegins(_ index: Int) throws
}

extension ByteSink {
  /// By default all fragments go into one file.
  package func fragmentBegins(_ index: Int) throws {}
}

/// Writes an output's bytes to an open file, from its front; old content is overwritten.
package final class DescriptorSink: ByteSink {
  /// Bytes that are gathered before they are written.
  private static let capacity = 1 << 18

  private let descriptor: Int32
  private let name: String
  private var held: [UInt8] = []
  private var position: Int64 = 0

  /// A sink for `descriptor`, which stays the caller's; `name` appears in errors.
  package init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
    held.reserveCapacity(DescriptorSink.capacity)
  }

  /// Bytes taken so far.
  package var count: Int64 { position + Int64(held.count) }

  /// Takes bytes; they are written to the file once the buffer is full, or at once where they would fill it alone.
  package func write(_ bytes: [UInt8]) throws {
    guard bytes.count < DescriptorSink.capacity else {
      try flush()
      return try put(bytes)
    }
    held.append(contentsOf: bytes)
    if held.count >= DescriptorSink.capacity { try flush() }
  }

  /// Writes bytes over earlier ones.
  package func replace(at offset: Int64, by bytes: [UInt8]) throws {
    try flush()
    try OutputFailure.check(Descriptor.writeAll(bytes, to: descriptor, at: offset), name)
  }

  /// Writes the rest of the buffer and truncates the file to what was written.
  package func finish() throws {
    try flush()
    guard ftruncate(descriptor, off_t(position)) == 0 else {
      throw OutputFailure.error(errno, name)
    }
  }

  private func flush() throws {
    defer { held.removeAll(keepingCapacity: true) }
    try put(held)
  }

  private func put(_ bytes: [UInt8]) throws {
    let failure = Descriptor.writeAll(bytes, to: descriptor, at: position)
    position += Int64(bytes.count)
    try OutputFailure.check(failure, name)
  }
}

/// Turns an `errno` met while writing into the right error.
package enum OutputFailure {
  /// The error for `code`, met while the written file `path` was read back.
  package static func readingBack(_ code: Int32, _ path: String) -> MediaError {
    guard ![EMFILE, ENFILE, ENOMEM].contains(code) else { return error(code, path) }
    return MediaError(
      .verificationFailed, about: path,
      "the written file can't be read back (\(String(cString: strerror(code)))); nothing was kept")
  }

  /// Throws the error for `code` at `path` unless that is 0.
  package static func check(_ code: Int32, _ path: String) throws {
    guard code == 0 else { throw error(code, path) }
  }

  /// The error for `code` at `path`.
  package static func error(_ code: Int32, _ path: String) -> MediaError {
    if let refusal = Sandbox.writeRefusal(path, code) {
      return MediaError(.outputUnwritable, about: path, refusal)
    }
    let text = String(cString: strerror(code))
    switch code {
    case ENOSPC, EDQUOT, EFBIG:
      return MediaError(
        .diskFull, about: path, "no space left to write it (\(text)); free some and run again")
    case EMFILE, ENFILE, ENOMEM:
      return MediaError(.outOfResources, about: path, "can't be written now (\(text)); try again")
    case EEXIST: return OutputPlace(path, overwrite: false).taken()
    case ENOENT:
      return MediaError(
        .outputUnwritable, about: path,
        "its folder doesn't exist (\(text)), nor the one above; create it first")
    case ENOTDIR:
      return MediaError(
        .outputUnwritable, about: path,
        "a file stands where its folder should be (\(text)); correct the path")
    case EPIPE:
      return MediaError(
        .outputUnwritable, about: path, "can't be written (\(text)): its reader has ended")
    default:
      return MediaError(
        .outputUnwritable, about: path, "can't be written (\(text)); check folder and permissions")
    }
  }
}

/// Flags of open(2) that libc's module doesn't show, or that not every system has.
enum OpenFlags {
  /// Locates a folder without opening it for reading, which works without permission to read it.
  static var locate: Int32 {
    #if canImport(Darwin)
      // O_SEARCH: O_EXEC, which Darwin's headers show to C only as a cast, with O_DIRECTORY.
      0x4000_0000 | O_DIRECTORY
    #else
      // O_PATH.
      0o10_000_000 | O_DIRECTORY
    #endif
  }

  /// Makes a file that never has a name in the folder that is opened; `nil` where there is no such flag.
  static var nameless: Int32? {
    #if canImport(Darwin)
      nil
    #else
      // O_TMPFILE.
      0o20_000_000 | O_DIRECTORY
    #endif
  }
}
