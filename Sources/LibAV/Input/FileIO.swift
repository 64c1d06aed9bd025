// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Platform

/// Bytes that libav is shown instead of those of a file.
package struct FilePatch: Sendable, Equatable {
  let offset: Int64
  let bytes: [UInt8]

  /// Shows `bytes` from `offset` on.
  package init(offset: Int64, bytes: [UInt8]) {
    self.offset = offset
    self.bytes = bytes
  }

  /// Puts the patched bytes over those of `target`, which were read from `position` on.
  func apply(to target: UnsafeMutableBufferPointer<UInt8>, readFrom position: Int64) {
    for (index, byte) in bytes.enumerated() {
      let place = offset + Int64(index) - position
      if place >= 0, place < Int64(target.count) { target[Int(place)] = byte }
    }
  }
}

/// An AVIOContext that reads one ``LocalFile`` and can open nothing else.
final class FileIO {
  private let file: LocalFile
  private let patches: [FilePatch]
  private(set) var handle: UnsafeMutablePointer<AVIOContext>?
  private(set) var position: Int64 = 0
  /// Bytes read so far.
  private(set) var bytesRead: Int64 = 0
  /// The first read failure, as a libav code.
  private(set) var failure: Int32?

  init(file: LocalFile, patches: [FilePatch] = []) throws {
    self.file = file
    self.patches = patches
    let size = 65536
    guard let memory = av_malloc(size) else { throw LibAVError(code: PINNA_ENOMEM) }
    // The opaque pointer is unretained: the context is freed in deinit, before self goes.
    handle = avio_alloc_context(
      memory.assumingMemoryBound(to: UInt8.self), Int32(size), 0,
      Unmanaged.passUnretained(self).toOpaque(), readBytes, nil, seekBytes)
    guard handle != nil else {
      av_free(memory)
      throw LibAVError(code: PINNA_ENOMEM)
    }
  }

  deinit {
    if let handle { av_free(handle.pointee.buffer) }
    avio_context_free(&handle)
  }

  fileprivate func read(_ target: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int32 {
    let got = file.read(into: target, count: count, at: position)
    if got == 0 { return PINNA_EOF }
    guard got > 0 else {
      failure = failure ?? Int32(clamping: got)
      return Int32(clamping: got)
    }
    for patch in patches {
      patch.apply(to: UnsafeMutableBufferPointer(start: target, count: got), readFrom: position)
    }
    position += Int64(got)
    bytesRead += Int64(got)
    return Int32(clamping: got)
  }

  fileprivate func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    if whence & PINNA_SEEK_SIZE != 0 { return file.size }
    switch whence & ~AVSEEK_FORCE {
    case SEEK_SET: position = offset
    case SEEK_CUR: position += offset
    case SEEK_END: position = file.size + offset
    default: return Int64(PINNA_EIO)
    }
    return position
  }
}

private func readBytes(
  _ opaque: UnsafeMutableRawPointer?, _ target: UnsafeMutablePointer<UInt8>?, _ count: Int32
) -> Int32 {
  guard let opaque, let target else { return PINNA_EIO }
  return Unmanaged<FileIO>.fromOpaque(opaque).takeUnretainedValue().read(target, Int(count))
}

private func seekBytes(_ opaque: UnsafeMutableRawPointer?, _ offset: Int64, _ whence: Int32)
  -> Int64
{
  guard let opaque else { return Int64(PINNA_EIO) }
  return Unmanaged<FileIO>.fromOpaque(opaque).takeUnretainedValue().seek(offset, whence)
}
