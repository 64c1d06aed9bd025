// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue

/// The way of one item's rendered samples into one mix: from the renderer or the cache, to the sum or to what
/// holds the item back.
final class ItemWay: ItemSink {
  /// Number of the mix.
  let number: Int
  /// Item with its place.
  let placed: PlacedItem
  /// The hold that keeps the item back until its loudness is known, and the goal; `nil` where it has none of its own.
  let hold: (item: ItemHold, goal: ItemGoal)?
  /// Sample of the programme after the last one that was handed on.
  private(set) var position: Int64
  private let sum: OverlapSum
  /// Writer for the samples; `nil` where they aren't kept.
  private var writer: SegmentWriter?
  /// Samples that were handed on from the cache and come once more from the renderer.
  private var skipped: Int64 = 0
  /// Samples that must come out; `nil` where nothing is compared.
  private var expected: ExpectedSegment?

  /// The way of the item at `placed`, whose samples begin at sample `start`, into the mix of this number.
  init(
    _ number: Int, _ placed: PlacedItem, from start: Int64, sum: OverlapSum,
    hold: (item: ItemHold, goal: ItemGoal)?
  ) {
    self.number = number
    self.placed = placed
    self.sum = sum
    self.hold = hold
    position = start
  }

  /// Hands on all of `segment`; `pass` is called after each piece.
  /// - Returns: `false` when the segment is damaged; what is missing has to be rendered then.
  /// - Throws: what `pass` throws.
  func replay(_ segment: SegmentReader, _ pass: () throws -> Void) throws -> Bool {
    let buffer = AudioBuffer(channels: segment.channels)
    do {
      while try segment.read(into: buffer) {
        try forward(buffer)
        skipped += Int64(buffer.frames)
        buffer.removeAll()
        try pass()
      }
      return true
    } catch is SegmentDamage {
      // The renderer begins anew; what was handed on already is left out when it comes once more.
      position -= skipped
      return false
    }
  }

  /// Keeps what is rendered in `writer`, and compares it with `expected`.
  func store(in writer: SegmentWriter?, comparing expected: SegmentReader?) {
    self.writer = writer
    self.expected = expected.map { ExpectedSegment($0) }
  }

  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws {
    writer?.append(samples)
    try expected?.compare(samples)
    let gone = min(skipped, Int64(samples.frames))
    skipped -= gone
    position += gone
    guard gone > 0 else { return try forward(samples) }
    let rest = AudioBuffer(channels: samples.channels)
    rest.append(samples, range: Int(gone)..<samples.frames)
    try forward(rest)
  }

  /// Ends the item: what was stored appears in the cache when `isKept`.
  /// - Throws: ``MediaError`` of kind `verification-failed` when the cache held something else.
  func finish(isKept: Bool) throws {
    if isKept { writer?.finish() }
    writer = nil
    try expected?.finish()
  }

  private func forward(_ samples: AudioBuffer) throws {
    guard samples.frames > 0 else { return }
    if let hold {
      try hold.item.add(samples, at: position, of: placed)
    } else {
      sum.add(samples, at: position, of: placed)
    }
    position += Int64(samples.frames)
  }
}

/// A segment of the cache that is compared with what is rendered.
private final class ExpectedSegment {
  private let reader: SegmentReader
  private let pending: AudioBuffer
  private var hasMore = true

  init(_ reader: SegmentReader) {
    self.reader = reader
    pending = AudioBuffer(channels: reader.channels)
  }

  func compare(_ samples: AudioBuffer) throws {
    while pending.frames < samples.frames, hasMore {
      do { hasMore = try reader.read(into: pending) } catch { throw differs }
    }
    guard pending.frames >= samples.frames, pending.channels == samples.channels else {
      throw differs
    }
    for channel in 0..<samples.channels {
      for (own, other) in zip(samples.channel(channel), pending.channel(channel))
      where own.bitPattern != other.bitPattern { throw differs }
    }
    pending.removeFirst(samples.frames)
  }

  func finish() throws {
    do {
      while hasMore, pending.frames == 0 { hasMore = try reader.read(into: pending) }
    } catch { throw differs }
    guard pending.frames == 0 else { throw differs }
  }

  private var differs: MediaError {
    MediaError(
      .verificationFailed,
      "the cache holds other samples than are rendered now; remove the cache's folder and report this"
    )
  }
}
