// SPDX-License-Identifier: Apache-2.0
import CSndFile
import Platform

/// Gathers small writes, libsndfile's and those of our own writers, into large aligned ones on a descriptor it doesn't own.
///
/// libsndfile writes 8 KiB at a time after a header of odd size. Without this buffer every piece
/// would cost the kernel two partial pages.
final class BufferedDescriptor {
  /// Bytes of the buffer, a multiple of the page size.
  private static let capacity = 1 << 18

  /// The first `errno` met; 0 while all is well.
  private(set) var failure: Int32 = 0
  private let descriptor: Int32
  private let bytes: UnsafeMutableRawPointer
  private var start: Int64 = 0
  private var filled = 0
  /// End of what was written. The file itself may be longer, because it still holds the data that
  /// are being replaced.
  private var end: Int64 = 0

  init(descriptor: Int32) {
    self.descriptor = descriptor
    bytes = .allocate(byteCount: BufferedDescriptor.capacity, alignment: 4096)
  }

  deinit { bytes.deallocate() }

  /// The callbacks through which libsndfile reaches this object; it must outlive the handle.
  static func callbacks() -> SF_VIRTUAL_IO {
    SF_VIRTUAL_IO(
      get_filelen: { BufferedDescriptor.of($0)?.length ?? -1 },
      seek: { BufferedDescriptor.of($2)?.seek($0, $1) ?? -1 },
      read: { BufferedDescriptor.of($2)?.read($0, Int($1)) ?? 0 },
      write: { BufferedDescriptor.of($2)?.write($0, Int($1)) ?? 0 },
      tell: { BufferedDescriptor.of($0)?.position ?? -1 })
  }

  /// Writes out what is held back; `false` after any failure.
  func flush() -> Bool {
    if failure == 0 {
      let held = UnsafeRawBufferPointer(start: bytes, count: filled)
      failure = Descriptor.writeAll(held, to: descriptor, at: start)
    }
    start += Int64(filled)
    end = max(end, start)
    filled = 0
    return failure == 0
  }

  /// Writes the rest of the buffer and truncates the file to what was written; `false` after any
  /// failure.
  func finish() -> Bool {
    guard flush() else { return false }
    if ftruncate(descriptor, off_t(end)) != 0 { failure = errno }
    return failure == 0
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> BufferedDescriptor? {
    pointer.map { Unmanaged<BufferedDescriptor>.fromOpaque($0).takeUnretainedValue() }
  }

  private var position: Int64 { start + Int64(filled) }

  private var length: Int64 { max(end, position) }

  /// Goes to `offset` bytes from what `whence` says; the place that results, −1 after a failure.
  func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let base = whence == SEEK_CUR ? position : (whence == SEEK_END ? length : 0)
    guard flush(), base + offset >= 0 else { return -1 }
    start = base + offset
    return start
  }

  private func read(_ target: UnsafeMutableRawPointer?, _ count: Int) -> Int64 {
    guard let target, flush() else { return 0 }
    let got = Descriptor.readAll(descriptor, into: target, count: count, at: start)
    if got < 0 { failure = Int32(-got) }
    start += Int64(max(0, got))
    return Int64(max(0, got))
  }

  /// Takes all of `bytes` at the present place; `name` is that of the file in messages.
  /// - Throws: ``MediaError`` when they can't be written.
  func put(_ bytes: [UInt8], to name: String) throws {
    let written = bytes.withUnsafeBytes { write($0.baseAddress, $0.count) }
    guard bytes.isEmpty || written == bytes.count else { throw OutputFailure.error(failure, name) }
  }

  /// Takes `count` bytes at the present place; the number taken, fewer after a failure.
  func write(_ source: UnsafeRawPointer?, _ count: Int) -> Int64 {
    guard let source else { return 0 }
    var done = 0
    while done < count {
      // Pieces end at multiples of the capacity in the file, so that they stay page-aligned.
      let boundary = BufferedDescriptor.capacity - Int(start) % BufferedDescriptor.capacity
      let part = min(count - done, boundary - filled)
      (bytes + filled).copyMemory(from: source + done, byteCount: part)
      filled += part
      done += part
      if filled == boundary, !flush() { return Int64(done - part) }
    }
    return Int64(done)
  }
}
