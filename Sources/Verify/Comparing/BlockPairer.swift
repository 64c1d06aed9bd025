// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Reads two sources side by side, one of them shifted, in blocks of equal length.
package final class BlockPairer {
  private let reference: AudioSource
  private let test: AudioSource
  private let old: AudioBuffer
  private let new: AudioBuffer
  private let fresh: [AudioBuffer]
  private var toDrop: (reference: Int64, test: Int64)
  private var isOver = (reference: false, test: false)
  /// Pairs sample n of `reference` with sample n + `lag` of `test`.
  package init(reference: AudioSource, test: AudioSource, lag: Int64 = 0) {
    self.reference = reference
    self.test = test
    toDrop = (max(0, -lag), max(0, lag))
    old = AudioBuffer(channels: reference.format.channels, capacity: 16384)
    new = AudioBuffer(channels: test.format.channels, capacity: 16384)
    fresh = [
      AudioBuffer(channels: reference.format.channels, capacity: 8192),
      AudioBuffer(channels: test.format.channels, capacity: 8192),
    ]
  }

  /// Hands all pairs to `body` with their number of samples; reads both sources to their ends.
  /// - Parameters:
  ///   - onReference: gets each block of REF as read, nothing dropped.
  ///   - onTest: gets each block of TEST as read, nothing dropped.
  ///   - body: gets a block of each and how many samples of them belong together.
  /// - Throws: ``MediaError`` from a source or a closure.
  package func run(
    onReference: (AudioBuffer) throws -> Void = { _ in },
    onTest: (AudioBuffer) throws -> Void = { _ in },
    _ body: (AudioBuffer, AudioBuffer, Int) throws -> Void
  ) throws {
    while !isOver.reference || !isOver.test {
      if old.frames <= new.frames || isOver.test, !isOver.reference {
        isOver.reference = try !pull(reference, fresh[0], old, &toDrop.reference, onReference)
      } else if !isOver.test {
        isOver.test = try !pull(test, fresh[1], new, &toDrop.test, onTest)
      }
      let count = min(old.frames, new.frames)
      if count > 0 {
        try body(old, new, count)
        old.removeFirst(count)
        new.removeFirst(count)
      }
      // Samples without a partner aren't needed any more.
      if isOver.reference, old.frames == 0 { new.removeAll() }
      if isOver.test, new.frames == 0 { old.removeAll() }
    }
  }

  private func pull(
    _ source: AudioSource, _ fresh: AudioBuffer, _ queue: AudioBuffer, _ toDrop: inout Int64,
    _ tap: (AudioBuffer) throws -> Void
  ) throws -> Bool {
    fresh.removeAll()
    let more = try source.read(into: fresh)
    if fresh.frames > 0 { try tap(fresh) }
    let dropped = Int(min(toDrop, Int64(fresh.frames)))
    toDrop -= Int64(dropped)
    queue.append(fresh, range: dropped..<fresh.frames)
    return more
  }
}
