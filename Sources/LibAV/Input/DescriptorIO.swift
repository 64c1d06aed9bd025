import CFFmpeg
import Platform

/// Bytes that a file has between those that libavformat writes.
package struct InsertedBytes: Sendable {
  /// Bytes of libavformat before them.
  package let place: Int64
  /// The bytes.
  package let bytes: [UInt8]

  /// Bytes behind the first `place` of libavformat.
  package init(at place: Int64, bytes: [UInt8]) {
    self.place = place
    self.bytes = bytes
  }
}

/// An AVIOContext that overwrites the file of an open descriptor, which the caller still owns.
///
/// libavformat knows nothing of inserted bytes: all its places behind them are moved.
final class DescriptorIO {
  private let descriptor: Int32
  private(set) var handle: UnsafeMutablePointer<AVIOContext>?
  private let inserted: InsertedBytes
  private var position: Int64 = 0
  private var end: Int64 = 0
  /// The first write failure as an `errno`; 0 without one.
  private(set) var failure: Int32 = 0

  init(descriptor: Int32, inserted: InsertedBytes? = nil) throws {
    self.descriptor = descriptor
    self.inserted = inserted ?? InsertedBytes(at: .max, bytes: [])
    let size = 1 << 18
    guard let memory = av_malloc(size) else { throw LibAVError(code: PINNA_ENOMEM) }
    // The opaque pointer is unretained: the context is freed in deinit, before self goes.
    handle = pinna_avio_writer(
      memory.assumingMemoryBound(to: UInt8.self), Int32(size),
      Unmanaged.passUnretained(self).toOpaque(), writeBytes, seekPosition)
    guard handle != nil else {
      av_free(memory)
      throw LibAVError(code: PINNA_ENOMEM)
    }
  }

  deinit {
    if let handle { av_free(handle.pointee.buffer) }
    avio_context_free(&handle)
  }

  /// Truncates the file to what was written, and writes what is inserted.
  func cut() {
    if end >= inserted.place {
      inserted.bytes.withUnsafeBytes { _ = put($0, at: inserted.place) }
    }
    if ftruncate(descriptor, off_t(fileOffset(end))) != 0, failure == 0 { failure = errno }
  }

  /// Where a byte of libavformat's lies in the file.
  private func fileOffset(_ place: Int64) -> Int64 {
    place < inserted.place ? place : place + Int64(inserted.bytes.count)
  }

  /// Writes all of `bytes` to that offset of the file; `false` after a failure.
  private func put(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
    var done = 0
    while done < bytes.count, let base = bytes.baseAddress {
      let moved = pwrite(descriptor, base + done, bytes.count - done, off_t(offset) + done)
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else {
        if failure == 0 { failure = moved == 0 ? ENOSPC : errno }
        return false
      }
      done += moved
    }
    return true
  }

  fileprivate func write(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    let all = UnsafeRawBufferPointer(start: bytes, count: count)
    // What lies on both sides of the inserted bytes is written in two parts.
    let border = Int(min(max(0, inserted.place - position), Int64(count)))
    for part in [0..<border, border..<count] where !part.isEmpty {
      let offset = fileOffset(position)
      guard put(UnsafeRawBufferPointer(rebasing: all[part]), at: offset) else { return PINNA_EIO }
      position += Int64(part.count)
    }
    end = max(end, position)
    return Int32(clamping: count)
  }

  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & PINNA_SEEK_SIZE != 0 { return end }
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = end + offset
    default: return Int64(PINNA_EIO)
    }
    return position
  }
}

private func writeBytes(
  _ opaque: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
  guard let opaque, let bytes else { return PINNA_EIO }
  return Unmanaged<DescriptorIO>.fromOpaque(opaque).takeUnretainedValue().write(bytes, Int(count))
}

private func seekPosition(
  _ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32
) -> Int64 {
  guard let opaque else { return Int64(PINNA_EIO) }
  return Unmanaged<DescriptorIO>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
}
