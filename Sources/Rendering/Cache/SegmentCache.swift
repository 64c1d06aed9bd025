// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// A folder of rendered segments, each in a file that is named for its ``SegmentKey``, of bounded size.
///
/// A segment is planes of Float32 with a rate and a head. A failure of the cache costs time, never a render: a
/// file with any fault counts as absent, and a writer whose disk fails stores nothing. Several processes may
/// use one folder at once. Nothing is removed until ``trim(keeping:)`` is called.
package struct SegmentCache: Sendable {
  /// Bytes that the files may take by default: 4 GiB, three hours of stereo at 48 kHz.
  package static let defaultLimit: Int64 = 4 << 30

  /// Folder of the files; made on first use.
  package let path: String
  /// Bytes that all files may take; 0 keeps nothing.
  package let limit: Int64

  /// Seconds in a day: nothing is rendered for as long without a sample being stored.
  private static let patience = 86400

  /// A cache in the folder `path` of at most `limit` bytes.
  package init(path: String, limit: Int64 = SegmentCache.defaultLimit) {
    self.path = path
    self.limit = max(0, limit)
  }

  /// The segment of this key, opened to read; `nil` when there is none, or its file isn't sound.
  ///
  /// The use counts for ``trim(keeping:)``. A segment that is open can be read to its end, even when its file
  /// is removed or replaced meanwhile.
  package func open(_ key: SegmentKey) -> SegmentReader? {
    guard let file = files.find(key.text), file.size <= limit,
      let reader = SegmentReader(file, key)
    else { return nil }
    files.markUsed(file)
    return reader
  }

  /// A writer of the segment of this key, which replaces one that is there; `nil` when nothing can be written.
  /// - Parameters:
  ///   - channels: planes, 1 to 1024.
  ///   - rate: samples per second, 1 to 768,000.
  ///   - head: samples before the item's first one; at most as many as the segment gets.
  package func writer(
    _ key: SegmentKey, channels: Int, rate: Int, head: Int64 = 0
  ) -> SegmentWriter? {
    guard let header = SegmentHeader(key, channels: channels, rate: rate, head: head, frames: head),
      header.place(of: 0) <= limit, let file = files.begin()
    else { return nil }
    return SegmentWriter(file, header, limit: limit)
  }

  /// Removes what killed processes left, and then the segments unused for longest, until all files are within
  /// ``limit``.
  /// - Parameter keeping: segments of the current programme; they go only when no others are left.
  /// - Returns: what was removed of whole segments.
  @discardableResult
  package func trim(keeping: Set<SegmentKey> = []) -> SegmentStatistics {
    let own = Set(keeping.map(\.text))
    return SegmentStatistics(files.trim(to: limit) { own.contains($0) })
  }

  /// Statistics of the folder's files, sound or not, without unfinished ones.
  package var statistics: SegmentStatistics { SegmentStatistics(files.amount) }

  private var files: CacheFolder {
    CacheFolder(path: path, isSplit: true, patience: SegmentCache.patience)
  }
}

/// A number of segments and their size.
package struct SegmentStatistics: Sendable, Equatable {
  /// Bytes of their files.
  package var bytes: Int64
  /// How many there are.
  package var segments: Int

  init(_ amount: CacheFolder.Amount) {
    bytes = amount.bytes
    segments = amount.files
  }
}

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
  /// Offset of the next byte.
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

  /// Description for logs.
  package var description: String {
    "\(path): chunk \(chunk) of this cached segment is damaged; its samples have to be rendered anew"
  }
}
