// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Sizes, times and places of a track's samples (ISO/IEC 14496-12, 8.6 and 8.7); empty where they lie in fragments.
///
/// Four bytes of memory for each sample, and a little more for pictures.
package struct SampleTables: Sendable {
  /// Values that follow each other and are alike.
  private struct Runs: Sendable {
    var entries: [(count: UInt32, value: UInt32)] = []

    mutating func add(_ value: UInt32) {
      if let last = entries.indices.last, entries[last].value == value,
        entries[last].count < UInt32.max
      {
        entries[last].count += 1
      } else {
        entries.append((1, value))
      }
    }
  }

  private var durations = Runs()
  private var offsets = Runs()
  private var sizes: [UInt32] = []
  private var syncs: [UInt32] = []
  private var chunks: [Int64] = []
  /// Samples of each chunk, alike neighbours together.
  private var chunkCounts = Runs()
  private var openChunk: UInt32 = 0
  /// Ticks of all samples.
  package private(set) var duration: Int64 = 0

  /// No samples.
  package init() {}

  /// Number of samples.
  package var count: Int { sizes.count }

  /// Ends a chunk and begins the next one at `offset` of the file.
  package mutating func beginChunk(at offset: Int64) {
    endChunk()
    chunks.append(offset)
  }

  /// Adds a sample, which follows the one before in its chunk.
  package mutating func add(_ sample: FragmentSample) {
    durations.add(UInt32(clamping: sample.duration))
    offsets.add(UInt32(clamping: sample.compositionOffset))
    sizes.append(UInt32(clamping: sample.size))
    if sample.isSync { syncs.append(UInt32(clamping: sizes.count)) }
    duration = Saturating.sum(duration, sample.duration)
    openChunk += 1
  }

  /// Ends the last chunk.
  package mutating func endChunk() {
    guard openChunk > 0 else { return }
    chunkCounts.add(openChunk)
    openChunk = 0
  }

  /// Bytes that `samples` samples in `chunks` chunks take at most besides empty tables; those of sound are alike but for the last few
  /// unless `isIrregular`, and only those of pictures have an order of their own.
  package static func bound(
    samples: Int, chunks: Int, isIrregular: Bool, arePictures: Bool
  ) -> Int {
    let runs = isIrregular || arePictures ? samples : min(samples, 64)
    // stsz 4, stts 8; stsc 12 and co64 8 for each chunk; sbgp 28; ctts 16 and 8, stss 16 and 4.
    return 4 * samples + 8 * runs + 20 * chunks + 28 + (arePictures ? 32 + 12 * samples : 0)
  }

  /// Appends `stts`, `stss`, `ctts`, `stsc`, `stsz` and `stco` or `co64`.
  func append(to table: inout BoxBuilder) {
    table.fullBox("stts") { SampleTables.append(durations, to: &$0) }
    // Without `stss` all samples are sync samples (8.6.2).
    if syncs.count < sizes.count {
      table.fullBox("stss") { box in
        box.u32(syncs.count)
        for number in syncs { box.u32(number) }
      }
    }
    if offsets.entries.contains(where: { $0.value != 0 }) {
      table.fullBox("ctts") { SampleTables.append(offsets, to: &$0) }
    }
    table.fullBox("stsc") { box in
      box.u32(chunkCounts.entries.count)
      var first: UInt32 = 1
      for run in chunkCounts.entries {
        box.u32(first)
        box.u32(run.value)
        box.u32(1)
        first &+= run.count
      }
    }
    table.fullBox("stsz") { box in
      let shared = sizes.first.flatMap { size in sizes.allSatisfy { $0 == size } ? size : nil }
      // A shared size of 0 would say that a table follows.
      let hasTable = (shared ?? 0) == 0
      box.u32(hasTable ? 0 : shared ?? 0)
      box.u32(sizes.count)
      if hasTable { for size in sizes { box.u32(size) } }
    }
    let isLarge = chunks.contains { $0 > Int64(UInt32.max) }
    table.fullBox(isLarge ? "co64" : "stco") { box in
      box.u32(chunks.count)
      for offset in chunks { if isLarge { box.u64(offset) } else { box.u32(offset) } }
    }
  }

  private static func append(_ runs: Runs, to box: inout BoxBuilder) {
    box.u32(runs.entries.count)
    for run in runs.entries {
      box.u32(run.count)
      box.u32(run.value)
    }
  }
}
