// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Sizes and times of all fragments, in front of the first (`sidx`, ISO/IEC 14496-12, 8.16.3): with it a player over the
/// network finds any time in one more request.
package struct SegmentIndexBox: WritableBox, Equatable {
  /// A fragment with its media data.
  package struct Entry: Sendable, Equatable {
    /// Bytes, 0…2147483647.
    package var size: Int64
    /// Ticks that it presents, 0…4294967295.
    package var duration: Int64
    /// How decoding may begin at it (Annex I): 1 with nothing presented before its first sample, 3 where pictures that depend on an
    /// earlier fragment are; 0 where it isn't known.
    package var accessType: Int

    /// A fragment of these facts.
    package init(size: Int64, duration: Int64, accessType: Int = 1) {
      self.size = size
      self.duration = duration
      self.accessType = accessType
    }
  }

  /// Fragments that one box can list: its counter has 16 bits.
  package static let mostEntries = 65_535

  /// Number of the track whose times the entries state, from 1.
  package var trackID: Int
  /// Ticks a second of that track.
  package var timescale: Int64
  /// When the first fragment is presented, after the edit list.
  package var earliestTime: Int64
  /// Bytes between the end of this box and the first fragment.
  package var firstOffset: Int64 = 0
  /// The fragments in file order.
  package var entries: [Entry]

  /// An index of fragments that follow at once.
  package init(trackID: Int, timescale: Int64, earliestTime: Int64, entries: [Entry]) {
    self.trackID = trackID
    self.timescale = timescale
    self.earliestTime = earliestTime
    self.entries = entries
  }

  /// Bytes of the whole box with so many entries.
  package static func size(entries: Int) -> Int { 40 + 12 * entries }

  /// Appends the whole box.
  package func append(to builder: inout BoxBuilder) {
    builder.fullBox("sidx", version: 1) { box in
      box.u32(trackID)
      box.u32(timescale)
      box.u64(earliestTime)
      box.u64(firstOffset)
      box.u16(0)
      box.u16(entries.count)
      for entry in entries {
        // The upper bit would say that another index is meant.
        box.u32(min(entry.size, Int64(Int32.max)))
        box.u32(entry.duration)
        let type = UInt32(entry.accessType & 7)
        box.u32((type == 0 ? 0 : 1 << 31) | type << 28)
      }
    }
  }

  /// Parses the payload of a `sidx` box; `nil` where it is shorter than its fields, or names other indices instead of fragments.
  package init?(payload: [UInt8]) {
    let isLong = payload.first == 1
    let start = isLong ? 32 : 24
    guard payload.count >= start else { return nil }
    let count = Int(payload.bigEndian16(at: start - 2))
    guard payload.count >= start + 12 * count else { return nil }
    trackID = Int(payload.bigEndian32(at: 4))
    timescale = max(1, Int64(payload.bigEndian32(at: 8)))
    earliestTime =
      isLong ? Int64(clamping: payload.bigEndian64(at: 12)) : Int64(payload.bigEndian32(at: 12))
    firstOffset =
      isLong ? Int64(clamping: payload.bigEndian64(at: 20)) : Int64(payload.bigEndian32(at: 16))
    entries = (0..<count).map { index in
      let place = start + 12 * index
      return Entry(
        size: Int64(payload.bigEndian32(at: place)),
        duration: Int64(payload.bigEndian32(at: place + 4)),
        accessType: Int(payload.bigEndian32(at: place + 8) >> 28 & 7))
    }
    guard entries.allSatisfy({ $0.size <= Int64(Int32.max) }) else { return nil }
  }
}
