import CFFmpeg
import Platform

/// An AVIOContext that overwrites the file of an open descriptor, which the caller still owns.
final class DescriptorIO {
  private let descriptor: Int32
  private(set) var handle: UnsafeMutablePointer<AVIOContext>?
  private var position: Int64 = 0
  private var end: Int64 = 0
  /// The first write failure as an `errno`; 0 without one.
  private(set) var failure: Int32 = 0

  init(descriptor: Int32) throws {
    self.descriptor = descriptor
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

  /// Truncates the file to what was written.
  func cut() {
    if ftruncate(descriptor, off_t(end)) != 0, failure == 0 { failure = errno }
  }

  fileprivate func write(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    var done = 0
    while done < count {
      let moved = pwrite(descriptor, bytes + done, count - done, off_t(position))
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else {
        if failure == 0 { failure = moved == 0 ? ENOSPC : errno }
        return PINNA_EIO
      }
      done += moved
      position += Int64(moved)
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
