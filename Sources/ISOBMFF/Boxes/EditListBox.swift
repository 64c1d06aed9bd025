// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The edit list of a track (ISO/IEC 14496-12, 8.6.6).
package struct EditListBox: WritableBox, Equatable {
  /// One edit.
  package struct Entry: Sendable, Equatable {
    /// Length on the presentation timeline, in movie timescale ticks; 0 means "to the end".
    package let duration: Int64
    /// Start in the media, in media timescale ticks; −1 for an empty edit.
    package let mediaTime: Int64
    /// Speed of the media in 1/65536; anything but 65536 plays it faster, slower or not at all.
    package let rate: Int32

    /// Whether media is presented at another speed than its own.
    package var changesSpeed: Bool { mediaTime >= 0 && rate != Entry.normalRate }

    /// Its own speed.
    package static let normalRate: Int32 = 0x10000

    /// An edit of `duration` movie ticks from `mediaTime` media ticks.
    package init(duration: Int64, mediaTime: Int64, rate: Int32 = normalRate) {
      self.duration = duration
      self.mediaTime = mediaTime
      self.rate = rate
    }
  }

  /// The edits in order.
  package let entries: [Entry]

  /// A list of the given edits.
  package init(entries: [Entry]) { self.entries = entries }

  /// Appends `elst`, always with 64-bit times, so that one form serves every length.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("elst", version: 1) { box in
      box.u32(entries.count)
      for entry in entries {
        box.u64(entry.duration)
        box.i64(entry.mediaTime)
        box.i32(entry.rate)
      }
    }
  }

  /// Parses the payload of an `elst` box; entries cut off by its end are left out.
  package init(payload: [UInt8]) {
    let isLong = payload.first == 1
    let size = isLong ? 20 : 12
    let count = min(Int(payload.bigEndian32(at: 4)), max(0, payload.count - 8) / size)
    entries = (0..<count).map { index in
      let offset = 8 + index * size
      if isLong {
        return Entry(
          duration: Int64(clamping: payload.bigEndian64(at: offset)),
          mediaTime: Int64(bitPattern: payload.bigEndian64(at: offset + 8)),
          rate: Int32(bitPattern: payload.bigEndian32(at: offset + 16)))
      }
      return Entry(
        duration: Int64(payload.bigEndian32(at: offset)),
        mediaTime: Int64(Int32(bitPattern: payload.bigEndian32(at: offset + 4))),
        rate: Int32(bitPattern: payload.bigEndian32(at: offset + 8)))
    }
  }
}
