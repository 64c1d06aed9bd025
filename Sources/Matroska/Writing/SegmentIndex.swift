// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The SeekHead in a hole that is left free for it in front (RFC 9559, 5.1.1 and 6.3).
struct SeekHeadHole {
  /// Bytes of an entry at most: heads of Seek, SeekID and SeekPosition, four of an identifier and eight of a place.
  private static let entryLength = 3 + 3 + 4 + 3 + 8

  /// Bytes in all.
  let length: Int

  /// A hole for as many entries.
  init(entries: Int) {
    // Identifier and size of SeekHead, and a Void behind it, which has two bytes at least.
    length = 4 + 2 + entries * SeekHeadHole.entryLength + 2
  }

  /// Nothing, while the places aren't known.
  var empty: [UInt8] { EBMLBuilder.void(length: length) }

  /// The SeekHead of `places`, offsets from the segment's first child on, and Void up to the hole's end.
  func filled(_ places: [(id: EBMLID, offset: Int64)]) -> [UInt8] {
    var builder = EBMLBuilder()
    builder.master(.seekHead) {
      for place in places {
        $0.master(.seek) { seek in
          seek.binary(.seekID, place.id.bytes)
          seek.unsigned(.seekPosition, place.offset)
        }
      }
    }
    return builder.bytes + EBMLBuilder.void(length: length - builder.bytes.count)
  }
}

/// The index of places for seeking (RFC 9559, 5.1.5 and 22).
struct CueIndex {
  /// A block that a player may jump to.
  private struct Entry {
    let time: Int64
    let track: Int
    /// Offset of the cluster from the segment's first child on.
    let cluster: Int64
    /// Offset of the block from the cluster's first child on.
    let block: Int
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Adds the places in a cluster.
  mutating func add(_ cluster: ClusterBuilder, at offset: Int64) {
    entries += cluster.cues.map {
      // Cues have no time before zero.
      Entry(time: max(0, $0.time), track: $0.track, cluster: offset, block: $0.offset)
    }
  }

  /// The Cues element, in the order of times.
  var encoded: [UInt8] {
    let order = entries.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    var builder = EBMLBuilder()
    builder.master(.cues) {
      for entry in order.map(\.element) {
        $0.master(.cuePoint) { point in
          point.unsigned(.cueTime, entry.time)
          point.master(.cueTrackPositions) { place in
            place.unsigned(.cueTrack, entry.track)
            place.unsigned(.cueClusterPosition, entry.cluster)
            place.unsigned(.cueRelativePosition, entry.block)
          }
        }
      }
    }
    return builder.bytes
  }
}
