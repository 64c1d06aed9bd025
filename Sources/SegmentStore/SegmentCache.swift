import Platform

/// A folder of rendered segments, each in a file that is named for its ``SegmentKey``, of bounded size.
///
/// A segment is planes of Float32 with a rate and a head. What a cache can't do costs time, never a render: a
/// file with any fault counts as absent, and a writer whose disk fails stores nothing. Several processes may
/// use one folder at once. Nothing is removed until ``trim(keeping:)`` is called.
package struct SegmentCache: Sendable {
  /// Bytes that the files may take by default: 4 GiB, three hours of stereo at 48 kHz.
  package static let defaultLimit: Int64 = 4 << 30

  /// Where the files lie; made on first use.
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

  /// What the folder holds now, sound or not, without unfinished files.
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
