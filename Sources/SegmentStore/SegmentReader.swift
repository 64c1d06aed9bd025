import AudioCore
import Platform

/// Reads the samples of one segment from the first to the last; see ``SegmentCache/open(_:)``.
///
/// No sample is handed out before the checksum of its chunk was right. Not thread-safe.
package final class SegmentReader {
  /// Number of planes.
  package var channels: Int { header.channels }
  /// Samples per second.
  package var rate: Int { header.rate }
  /// Samples before the item's first one; at most ``frames``.
  package var head: Int64 { header.head }
  /// Samples in each plane.
  package var frames: Int64 { header.frames }

  private let file: LocalFile
  private let header: SegmentHeader
  private var next: Int64 = 0

  /// A reader of `file`; `nil` unless it is a whole segment of this key. Chunks are checked as they are read.
  init?(_ file: LocalFile, _ key: SegmentKey) {
    let bytes = file.bytes(at: 0, count: Int(SegmentHeader.size))
    guard let header = SegmentHeader(bytes, key, fileSize: file.size) else { return nil }
    self.file = file
    self.header = header
  }

  /// Appends the next chunk, at most 32,768 samples in each plane, to `buffer`; answers `false` when nothing is
  /// left.
  /// - Throws: ``SegmentDamage`` when the file changed since it was written, or `buffer` has another number of
  ///   channels; `buffer` is then as it was, and the next call throws as well.
  package func read(into buffer: AudioBuffer) throws(SegmentDamage) -> Bool {
    guard next < header.chunks else { return false }
    let start = buffer.frames
    guard buffer.channels == channels, load(into: buffer) else {
      buffer.truncate(to: start)
      throw SegmentDamage(path: file.path, chunk: next)
    }
    next += 1
    return true
  }

  private func load(into buffer: AudioBuffer) -> Bool {
    let count = header.length(of: next)
    let start = buffer.grow(by: count)
    var offset = header.place(of: next)
    var planes: [UnsafeRawBufferPointer] = []
    for channel in 0..<channels {
      let plane = UnsafeMutableRawBufferPointer(
        UnsafeMutableBufferPointer(rebasing: buffer.channel(channel)[start...]))
      guard fill(plane, from: offset) else { return false }
      planes.append(UnsafeRawBufferPointer(plane))
      offset += Int64(plane.count)
    }
    var stored: UInt64 = 0
    guard withUnsafeMutableBytes(of: &stored, { fill($0, from: offset) }) else { return false }
    return SegmentHeader.checksum(planes, next, header.key) == UInt64(littleEndian: stored)
  }

  /// Fills `room` with the bytes at `offset`.
  /// - Returns: whether the file has as many.
  private func fill(_ room: UnsafeMutableRawBufferPointer, from offset: Int64) -> Bool {
    var done = 0
    while done < room.count, let base = room.baseAddress {
      let got = file.read(into: base + done, count: room.count - done, at: offset + Int64(done))
      guard got > 0 else { return false }
      done += got
    }
    return true
  }
}

/// A segment's file isn't what was written: whoever reads it renders its samples anew.
package struct SegmentDamage: Error, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The chunk that can't be used, from 0.
  package let chunk: Int64

  /// What a log says.
  package var description: String {
    "\(path): chunk \(chunk) of this cached segment is damaged; its samples have to be rendered anew"
  }
}
