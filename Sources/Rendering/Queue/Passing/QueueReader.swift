// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn

/// Delivers the items of a queue one after the other; items that go on in the same track share one decoder.
final class QueueReader {
  private let tracks: QueueTracks
  private let log: DiagnosticLog
  /// Whether what a damaged file lacks is filled.
  private let isConcealing: Bool
  /// The track that was read last.
  private var current: (key: QueueTrack.Key, track: TrackCursor)?

  /// A reader of `tracks`; `log` is that of the run.
  init(_ tracks: QueueTracks, isConcealing: Bool, log: DiagnosticLog) {
    self.tracks = tracks
    self.isConcealing = isConcealing
    self.log = log
  }

  /// The samples of `range` in the track `key`; valid until the next call.
  /// - Throws: ``MediaError`` when the track can't be read.
  func item(_ key: QueueTrack.Key, _ range: Range<Int64>) throws -> any ProgrammeSource {
    let known = try tracks.track(key)
    let cursor: TrackCursor
    if let current, current.key == key, current.track.position <= range.lowerBound {
      cursor = current.track
    } else {
      // Decoders of the track before would only hold memory.
      current = nil
      cursor = TrackCursor(try tracks.source(key))
      current = (key, cursor)
    }
    return TrackRange(
      cursor, range, of: known, isConcealing: isConcealing,
      log: log.about(.input(known.number)))
  }
}

/// A track that is read forwards, range after range.
final class TrackCursor {
  private let source: TrackSource
  /// Samples that were read and aren't handed out yet.
  private let pending: ProgrammeBlock
  private var isAtEnd = false
  /// Number of the next sample.
  private(set) var position: Int64 = 0

  /// A cursor at the first valid sample of `source`.
  init(_ source: TrackSource) {
    self.source = source
    pending = ProgrammeBlock(source.programme)
  }

  /// Programme of every block.
  var programme: Programme { source.programme }

  /// Goes on to sample `target`, or to the end where the track is shorter.
  /// - Throws: ``MediaError`` from the track.
  func advance(to target: Int64) throws {
    if position == 0, pending.frames == 0, target > 0 { position = try source.skip(target) }
    while position < target, try fill() {
      let count = min(target - position, Int64(pending.frames))
      pending.removeFirst(Int(count))
      position += count
    }
  }

  /// Appends the next samples before sample `end` to `block`; `false` when the track has no more.
  /// - Throws: ``MediaError`` from the track.
  func read(until end: Int64, into block: ProgrammeBlock) throws -> Bool {
    guard try fill() else { return false }
    let count = Int(min(end - position, Int64(pending.frames)))
    if count == pending.frames {
      block.take(pending)
    } else {
      block.append(pending, range: 0..<count)
      pending.removeFirst(count)
    }
    position += Int64(count)
    return true
  }

  /// Whether the track goes on after the samples that were handed out.
  func hasMore() throws -> Bool { try fill() }

  private func fill() throws -> Bool {
    while pending.frames == 0, !isAtEnd { isAtEnd = try !source.read(into: pending) }
    return pending.frames > 0
  }
}

/// One range of a track, with exactly as many samples as it was placed by.
private final class TrackRange: ProgrammeSource {
  /// Most samples of silence appended at a time.
  private static let longestSilence: Int64 = 65_536

  let programme: Programme
  private let cursor: TrackCursor
  private let range: Range<Int64>
  private let track: QueueTrack
  private let isConcealing: Bool
  private let log: DiagnosticLog
  private var hasBegun = false
  /// Samples delivered so far.
  private var done: Int64 = 0

  init(
    _ cursor: TrackCursor, _ range: Range<Int64>, of track: QueueTrack, isConcealing: Bool,
    log: DiagnosticLog
  ) {
    self.cursor = cursor
    self.range = range
    self.track = track
    self.isConcealing = isConcealing
    self.log = log
    programme = cursor.programme
  }

  private var length: Int64 { range.upperBound - range.lowerBound }

  func read(into block: ProgrammeBlock) throws -> Bool {
    if !hasBegun {
      try cursor.advance(to: range.lowerBound)
      hasBegun = true
    }
    guard done < length else { return try finish() }
    let before = block.frames
    let hasSound =
      try cursor.position >= range.lowerBound
      && cursor.read(until: range.upperBound, into: block)
    if !hasSound { try fillUp(block) }
    done += Int64(block.frames - before)
    return try done < length || finish()
  }

  /// Puts silence where the file has ended before the length that it states.
  private func fillUp(_ block: ProgrammeBlock) throws {
    let missing = length - done
    guard isConcealing else {
      throw MediaError(
        .damaged, about: track.report.path,
        "ends \(missing) samples before the end of what its headers promise, so what follows would "
          + "move; give a complete copy, or \(setting: .damage) conceal to fill with silence")
    }
    log.degrade(
      .truncated, "the file ends \(missing) samples too early; silence takes their place")
    block.appendSilence(Int(min(missing, TrackRange.longestSilence)))
  }

  /// Makes sure that a track that is used up to its stated end ends there.
  private func finish() throws -> Bool {
    guard range.upperBound == track.frames, !track.isCounted, try cursor.hasMore() else {
      return false
    }
    guard isConcealing else {
      throw MediaError(
        .damaged, about: track.report.path,
        "goes on after the \(track.frames) samples that its headers promise; remux it, or add "
          + "\(setting: .damage) conceal to end it there")
    }
    log.degrade(
      .headerInconsistent,
      "the file goes on after the \(track.frames) samples that its headers promise; it ends there")
    return false
  }
}
