// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Blocks of a source, of which some may be looked at before they are taken.
final class ReadAhead {
  /// A block's facts, and how accurate the source's clock was when it was read.
  struct Entry {
    let block: TimedBlock
    let accuracy: ClockAccuracy
  }

  private let source: any TimedSource
  /// Samples that were read and aren't taken; the source always appends to this block, because it adds an object's update
  /// only where the state changes.
  private let store: ProgrammeBlock
  private var entries: ArraySlice<Entry> = []
  /// End of the reading ahead: an error, or the end of the source.
  private var end: Result<Void, any Error>?

  /// Reads `source`.
  init(_ source: any TimedSource) {
    self.source = source
    store = ProgrammeBlock(source.programme)
  }

  /// Moves the next block into `block`, which is empty; `nil` at the end.
  /// - Throws: what the source throws.
  func take(into block: ProgrammeBlock) throws -> Entry? {
    if entries.isEmpty { try readOne() }
    guard let entry = entries.popFirst() else {
      try end?.get()
      return nil
    }
    if entries.isEmpty {
      block.take(store)
    } else {
      block.append(store, range: 0..<entry.block.frames)
      store.removeFirst(entry.block.frames)
    }
    return entry
  }

  /// The facts of up to `count` blocks that come next. An error of the source is thrown once the blocks before it
  /// are taken.
  func look(_ count: Int) -> [TimedBlock] {
    while entries.count < count, end == nil {
      do { try readOne() } catch { end = .failure(error) }
    }
    return entries.prefix(count).map(\.block)
  }

  /// Reads one block behind those that are kept.
  private func readOne() throws {
    guard end == nil else { return }
    guard let block = try source.read(into: store) else {
      end = .success(())
      return
    }
    entries.append(Entry(block: block, accuracy: ClockAccuracy(source)))
  }
}

/// How accurate the timestamps of a source are when a block is read; see ``TimedSource``.
struct ClockAccuracy: Equatable {
  /// Greatest error of a timestamp, in samples.
  let tolerance: Int64
  /// Samples of a codec frame; 0 when they vary or nothing is known.
  let codecFrame: Int64
  /// Greatest error of a jump's length, in samples.
  let uncertainty: Int64

  /// The accuracy that `source` states now.
  init(_ source: any TimedSource) {
    tolerance = max(0, source.timestampTolerance)
    codecFrame = source.codecFrame
    uncertainty = source.clockUncertainty
  }

  /// A deviation up to this many samples is the rounding of the clock.
  var noise: Int64 { max(1, uncertainty) }

  /// Packets are lost whole: a jump that is a number of codec frames within the clock's uncertainty
  /// is taken as exactly that many.
  func wholeFrames(_ jump: Int64) -> Int64 {
    guard codecFrame > 0 else { return jump }
    let size = Int64(jump.magnitude)
    let whole = (size + codecFrame / 2) / codecFrame * codecFrame
    guard whole > 0, abs(whole - size) <= uncertainty else { return jump }
    return jump > 0 ? whole : -whole
  }

  /// Whether `jump` is a number of codec frames.
  func isWholeFrames(_ jump: Int64) -> Bool { codecFrame > 0 && jump % codecFrame == 0 }
}
