import AudioCore
import Platform

/// Stores one segment while it is rendered; see ``SegmentCache/writer(_:channels:rate:head:)``.
///
/// The segment can be opened once ``finish()`` has answered `true`; before that, and when the writer is dropped,
/// nothing is there. After any fault of the disk, the writer takes samples without storing them. Not
/// thread-safe.
package final class SegmentWriter {
  private let header: SegmentHeader
  private let limit: Int64
  private let current: AudioBuffer
  private var chunks: Int64 = 0
  private var frames: Int64 = 0
  /// Where the next byte goes.
  private var end = SegmentHeader.size
  /// `nil` once the segment is finished or was given up.
  private var file: UnfinishedFile?

  /// A writer to `file` of a segment with the key, channels, rate and head of `header`; it is given up when it
  /// takes more than `limit` bytes.
  init(_ file: UnfinishedFile, _ header: SegmentHeader, limit: Int64) {
    self.file = file
    self.header = header
    self.limit = limit
    current = AudioBuffer(channels: header.channels, capacity: SegmentHeader.chunkFrames)
  }

  /// Whether samples are still stored; `false` after a fault and after ``finish()``.
  package var isStoring: Bool { file != nil }

  /// Appends all of `buffer`. A buffer with another number of channels ends the storing.
  package func append(_ buffer: AudioBuffer) {
    guard buffer.channels == header.channels else { return giveUp() }
    var position = 0
    while file != nil, position < buffer.frames {
      let count = min(buffer.frames - position, SegmentHeader.chunkFrames - current.frames)
      current.append(buffer, range: position..<position + count)
      position += count
      if current.frames == SegmentHeader.chunkFrames { storeChunk() }
    }
  }

  /// Makes the segment appear in the cache.
  /// - Returns: whether it did; `false` as well when it has fewer samples than its head.
  @discardableResult
  package func finish() -> Bool {
    if current.frames > 0 { storeChunk() }
    defer { giveUp() }
    guard let file,
      let header = SegmentHeader(
        header.key, channels: header.channels, rate: header.rate, head: header.head, frames: frames)
    else { return false }
    return header.bytes.withUnsafeBytes { file.store($0, at: 0) } && file.place(as: header.key.text)
  }

  private func storeChunk() {
    let planes = (0..<header.channels).map { UnsafeRawBufferPointer(current.channel($0)) }
    let sum = SegmentHeader.checksum(planes, chunks, header.key).littleEndian
    let isStored =
      planes.allSatisfy(store) && withUnsafeBytes(of: sum) { store($0) }
    chunks += 1
    frames += Int64(current.frames)
    current.removeAll()
    if !isStored { giveUp() }
  }

  private func store(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let file, Int64(bytes.count) <= limit - end, file.store(bytes, at: end) else {
      return false
    }
    end += Int64(bytes.count)
    return true
  }

  /// Removes the unfinished file; a finished one has its name already and stays.
  private func giveUp() { file = nil }
}
