// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Cuts an elementary stream, handed over in pieces of any size, into sync frames.
///
/// The scanner keeps no more than the last piece and one frame. Bytes that belong to no frame are skipped and counted
/// in the next frame's ``AC4SyncFrame/skippedBytes``. After such bytes it believes a sync word only if
/// the checksum of its frame matches, or another sync word or the end follows the frame.
package struct AC4FrameScanner {
  /// The largest frame that is believed, in bytes: at the lowest frame rate it makes 196 Mbit/s, more than
  /// any stream has.
  package static let largestFrame = 1 << 20

  /// The result of looking for a frame at the first byte that isn't consumed.
  private enum Match {
    case frame(AC4SyncFrame, length: Int)
    case needsMore
    case none
  }

  private var buffer: [UInt8] = []
  /// Index of the first byte of the buffer that isn't consumed.
  private var start = 0
  /// Position of the buffer's first byte in the stream.
  private var bufferPosition: Int64 = 0
  /// Bytes skipped since the last frame.
  private var skipped: Int64 = 0
  /// Whether a frame ended right before the first byte that isn't consumed.
  private var isSynchronised = true
  private var isFinished = false

  /// A scanner at the beginning of a stream.
  package init() {}

  /// Hands over the next bytes of the stream.
  package mutating func push(_ bytes: some Collection<UInt8>) {
    if start > 0 {
      buffer.removeFirst(start)
      bufferPosition += Int64(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Ends the stream: ``next()`` then answers the frames that are left.
  package mutating func finish() { isFinished = true }

  /// The next frame; `nil` when more bytes are needed or, after ``finish()``, when none is left.
  package mutating func next() -> AC4SyncFrame? {
    while start < buffer.count {
      switch match() {
      case .frame(let frame, let length):
        start += length
        skipped = 0
        isSynchronised = true
        return frame
      case .needsMore:
        return nil
      case .none:
        skipToCandidate()
      }
    }
    return nil
  }

  /// Bytes after the last frame that belong to none. Complete once the stream is finished and ``next()`` has
  /// answered `nil`.
  package var skippedBytes: Int64 { skipped }

  /// Whether `bytes` begin with a sync word.
  package static func isSyncWord(_ bytes: some Collection<UInt8>) -> Bool {
    // 0xAC40 without a checksum, 0xAC41 with one (Annex G).
    let pair = Array(bytes.prefix(2))
    return pair.count == 2 && pair[0] == 0xAC && pair[1] & 0xFE == 0x40
  }

  /// Moves on to the next byte that may begin a sync word.
  private mutating func skipToCandidate() {
    isSynchronised = false
    var next = start + 1
    while next < buffer.count, buffer[next] != 0xAC { next += 1 }
    skipped += Int64(next - start)
    start = next
  }

  /// Looks for a frame at `start`.
  private func match() -> Match {
    let have = buffer.count - start
    guard have >= 4 else { return short(syncPossible) }
    guard AC4FrameScanner.isSyncWord(buffer[start..<start + 2]) else { return .none }
    var header = 4
    var size = Int(buffer.bigEndian16(at: start + 2))
    // `frame_size` 0xFFFF announces one of 24 bits.
    if size == 0xFFFF {
      guard have >= 7 else { return short(true) }
      header = 7
      size = buffer[start + 4..<start + 7].bigEndian()
    }
    guard size > 0, size <= AC4FrameScanner.largestFrame else { return .none }
    let hasCRC = buffer[start + 1] == 0x41
    let length = header + size + (hasCRC ? 2 : 0)
    guard have >= length else { return short(true) }
    var isGood: Bool?
    if hasCRC {
      let sum = Checksums.dolby.of(buffer[start + 2..<start + header + size])
      isGood = sum == buffer.bigEndian16(at: start + length - 2)
    }
    if isGood != true, !(isGood == nil && isSynchronised) {
      // Without a matching checksum only the bytes after the frame can confirm it.
      guard have >= length + 2 || isFinished else { return .needsMore }
      let follows = have == length || AC4FrameScanner.isSyncWord(buffer[(start + length)...])
      guard follows else { return .none }
    }
    let frame = AC4SyncFrame(
      position: bufferPosition + Int64(start),
      rawFrame: Array(buffer[start + header..<start + header + size]), isCRCGood: isGood,
      skippedBytes: skipped)
    return .frame(frame, length: length)
  }

  /// Whether the few bytes at `start` may be the beginning of a sync word.
  private var syncPossible: Bool {
    buffer[start] == 0xAC && (buffer.count - start < 2 || buffer[start + 1] & 0xFE == 0x40)
  }

  /// The answer when the bytes end before a frame does.
  private func short(_ isPossible: Bool) -> Match {
    isPossible && !isFinished ? .needsMore : .none
  }
}

/// One `ac4_syncframe` of an elementary stream (TS 103 190-1, Annex G).
package struct AC4SyncFrame: Sendable, Equatable {
  /// Position of its sync word in the stream, in bytes.
  package let position: Int64
  /// The `raw_ac4_frame` without sync header and checksum, as an MP4 sample holds it.
  package let rawFrame: [UInt8]
  /// Whether the checksum matches; `nil` when the frame has none.
  package let isCRCGood: Bool?
  /// Bytes between the frame before and this one that belong to no frame.
  package let skippedBytes: Int64
}
