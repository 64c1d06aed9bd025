// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The sample tables of a track as read (ISO/IEC 14496-12, 8.6 and 8.7). Damaged tables are read as far as they go; nothing traps.
package struct ReadSampleTables {
  /// Samples that follow each other and have the same value.
  struct Run {
    let count: Int64
    let value: Int64
  }

  /// Samples of one chunk, whose bytes follow each other.
  package struct Chunk: Sendable, Equatable {
    /// Offset of the first byte in the file.
    package let offset: Int64
    /// Bytes.
    package let size: Int64
  }

  /// Bytes of one table at most.
  private static let limit = 1 << 28

  /// Ticks that samples last (`stts`).
  let durations: [Run]
  /// Ticks from decoding to presentation (`ctts`); empty without the box.
  let offsets: [Run]
  /// Numbers of samples at which decoding may begin (`stss`); `nil` where it may at all.
  let syncs: [Int64]?
  /// Number of samples that a roll group covers (`sbgp`); `nil` without one.
  let rollSamples: Int64?
  /// Number of samples that `stsz` states.
  let statedCount: Int64
  /// Number of samples that the chunks have room for (`stsc`).
  let chunkSamples: Int64
  /// Number of samples whose sizes are known.
  package let count: Int64
  /// The chunks in order; those behind the last sample are empty.
  package let chunks: [Chunk]

  /// Reads the tables of the `stbl` box `table`.
  init(_ table: BoxHeader, _ scanner: BoxScanner, fileSize: Int64) {
    let boxes = scanner.boxes(from: table.payload, to: table.end)
    func payload(_ types: String...) -> [UInt8] {
      boxes.first { types.contains($0.type) }.map {
        scanner.payload($0, limit: ReadSampleTables.limit)
      } ?? []
    }
    durations = ReadSampleTables.runs(payload("stts"), isSigned: false)
    let offsetBytes = payload("ctts")
    offsets = ReadSampleTables.runs(offsetBytes, isSigned: offsetBytes.first == 1)
    let syncBytes = payload("stss")
    syncs =
      syncBytes.isEmpty
      ? nil
      : ReadSampleTables.entries(syncBytes, width: 4, at: 8)
        .map { Int64(syncBytes.bigEndian32(at: $0)) }
    rollSamples = boxes.filter { $0.type == "sbgp" }.lazy.map { scanner.payload($0, limit: 4096) }
      .first { $0.count >= 20 && $0[4..<8].elementsEqual("roll".utf8) }
      .map { bytes in
        ReadSampleTables.entries(bytes, width: 8, at: 12)
          .reduce(0) { Saturating.sum($0, Int64(bytes.bigEndian32(at: $1))) }
      }
    let sizes = Sizes(payload("stsz"), fileSize: fileSize)
    statedCount = sizes.stated
    count = sizes.count
    let places = ReadSampleTables.places(payload("stco"), payload("co64"))
    let numbers = ReadSampleTables.numbers(payload("stsc"), chunks: places.count)
    chunkSamples = numbers.reduce(0, Saturating.sum)
    var next: Int64 = 0
    chunks = zip(places, numbers).map { offset, number in
      let end = min(sizes.count, Saturating.sum(next, number))
      defer { next = end }
      return Chunk(offset: offset, size: sizes.sum(next..<end))
    }
  }

  /// Calls `body` with the times of each sample, counted from the first one's decoding.
  package func forEachTime(_ body: (_ decodeTime: Int64, _ compositionOffset: Int64) -> Void) {
    var (time, left): (Int64, Int64) = (0, count)
    var offset = (run: 0, used: Int64(0))
    for run in durations {
      for _ in 0..<min(left, run.count) {
        while offset.run < offsets.count, offset.used >= offsets[offset.run].count {
          offset = (offset.run + 1, 0)
        }
        body(time, offset.run < offsets.count ? offsets[offset.run].value : 0)
        offset.used += 1
        time = Saturating.sum(time, run.value)
      }
      left -= min(left, run.count)
    }
  }

  /// Offset in its payload of a table's entries, whose count stands in front of the first, at `start` − 4.
  private static func entries(_ bytes: [UInt8], width: Int, at start: Int) -> [Int] {
    guard bytes.count > start else { return [] }
    let count = min(Int(bytes.bigEndian32(at: start - 4)), (bytes.count - start) / width)
    return (0..<count).map { start + $0 * width }
  }

  private static func runs(_ bytes: [UInt8], isSigned: Bool) -> [Run] {
    entries(bytes, width: 8, at: 8).map { place in
      let value = bytes.bigEndian32(at: place + 4)
      return Run(
        count: Int64(bytes.bigEndian32(at: place)),
        value: isSigned ? Int64(Int32(bitPattern: value)) : Int64(value))
    }
  }

  private static func places(_ short: [UInt8], _ long: [UInt8]) -> [Int64] {
    short.isEmpty
      ? entries(long, width: 8, at: 8).map { Int64(clamping: long.bigEndian64(at: $0)) }
      : entries(short, width: 4, at: 8).map { Int64(short.bigEndian32(at: $0)) }
  }

  /// Samples of each of `chunks` chunks (`stsc`): an entry holds up to the first chunk of the next one.
  private static func numbers(_ bytes: [UInt8], chunks: Int) -> [Int64] {
    let places = entries(bytes, width: 12, at: 8)
    var result: [Int64] = []
    for (index, place) in places.enumerated() {
      let end =
        index + 1 < places.count ? Int(bytes.bigEndian32(at: places[index + 1])) - 1 : chunks
      let number = Int64(bytes.bigEndian32(at: place + 4))
      while result.count < min(end, chunks) { result.append(number) }
    }
    return result
  }

  /// Sizes of samples (`stsz`).
  private struct Sizes {
    let stated: Int64
    let count: Int64
    private let shared: Int64
    private let bytes: [UInt8]

    init(_ bytes: [UInt8], fileSize: Int64) {
      self.bytes = bytes
      stated = Int64(bytes.bigEndian32(at: 8))
      shared = Int64(bytes.bigEndian32(at: 4))
      let room = Int64(max(0, bytes.count - 12) / 4)
      // No file holds more samples of a shared size than it has bytes for.
      count = min(stated, shared > 0 ? fileSize / shared : room)
    }

    func sum(_ range: Range<Int64>) -> Int64 {
      if shared > 0 { return Saturating.product(Int64(range.count), shared) }
      return range.reduce(0) { Saturating.sum($0, Int64(bytes.bigEndian32(at: 12 + 4 * Int($1)))) }
    }
  }
}

/// The tracks of a movie whose samples lie in tables, not in fragments.
package struct ProgressiveMovieReader {
  /// Movie and tracks.
  package let movie: FragmentedMovieReader
  /// The tables of the tracks, in the same order; `nil` for a track without any.
  package let tables: [ReadSampleTables?]

  /// Reads the `moov` box; `nil` when there is none.
  package init?(_ source: ByteSource) {
    guard let movie = FragmentedMovieReader(source) else { return nil }
    self.movie = movie
    let scanner = movie.scanner
    tables = scanner.boxes(from: movie.movie.payload, to: movie.movie.end)
      .filter { $0.type == "trak" }.prefix(256).map { track in
        scanner.first(["mdia", "minf", "stbl"], in: track).map {
          ReadSampleTables($0, scanner, fileSize: source.size)
        }
      }
  }

  /// Whether the movie has a place for fragments (`mvex`), so that its tables may be empty.
  package var isFragmented: Bool { movie.scanner.first(["mvex"], in: movie.movie) != nil }
}
