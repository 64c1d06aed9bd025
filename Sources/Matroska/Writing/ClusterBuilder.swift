// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Gathers the blocks of one cluster (RFC 9559, 5.1.3).
struct ClusterBuilder {
  /// A cluster ends at the next key frame after this time.
  private static let longest = MediaTime(ticks: 5, rate: 1)
  /// A cluster ends before a block that would make it larger; both bounds are those that RFC 9559, 25.1 recommends.
  private static let largest = 5 << 20

  /// The timestamp of all, in ticks from 0.
  private(set) var timestamp: Int64 = 0
  /// When its first block is presented.
  private var start = MediaTime(ticks: 0, rate: 1)
  private(set) var body: [UInt8] = []
  private var headLength = 0
  /// Places that Cues shall name, with offsets from the cluster's first child on.
  private(set) var cues: [(time: Int64, track: Int, offset: Int)] = []

  /// Begins a new cluster with a block of this time; the memory of the former one is used again.
  ///
  /// A block that is earlier than the `former` cluster, as pictures that are shown before one that was decoded before them, keeps the
  /// timestamps of clusters in order where sixteen bits hold the distance.
  mutating func begin(ticks: Int64, start: MediaTime, former: Int64) {
    let isNear = Int16(exactly: Saturating.difference(ticks, former)) != nil
    // Timestamps are unsigned; what is earlier than zero has a negative distance.
    timestamp = max(0, isNear ? max(ticks, former) : ticks)
    self.start = start
    var builder = EBMLBuilder()
    builder.unsigned(.timestamp, timestamp)
    // Growing by doubling would hold twice as much at times; pages that no cluster reaches take no memory.
    if body.capacity == 0 { body.reserveCapacity(ClusterBuilder.largest) }
    body.removeAll(keepingCapacity: true)
    body += builder.bytes
    headLength = body.count
    cues.removeAll(keepingCapacity: true)
  }

  /// Whether no block lies in it yet.
  var isEmpty: Bool { body.count == headLength }

  /// Whether a block of this time and size has to begin the next cluster.
  func ends(before ticks: Int64, _ time: MediaTime, size: Int, mayEnter: Bool) -> Bool {
    if relative(ticks) == nil || body.count + size > ClusterBuilder.largest { return true }
    return mayEnter && time >= start + ClusterBuilder.longest
  }

  /// The distance of a time; `nil` where sixteen bits don't hold it.
  func relative(_ ticks: Int64) -> Int16? {
    Int16(exactly: Saturating.difference(ticks, timestamp))
  }

  /// Adds a block, and its place to the cues where it shall be found.
  /// - Parameters:
  ///   - relative: ticks from the cluster's timestamp.
  ///   - durationTicks: what BlockDuration states; `nil` for none.
  ///   - scale: nanoseconds of a tick.
  mutating func add(
    _ block: MatroskaBlock, relative: Int16, durationTicks: Int64?, scale: Int64,
    cue: (time: Int64, track: Int)?
  ) {
    if let cue { cues.append((cue.time, cue.track, body.count)) }
    block.append(to: &body, relative: relative, durationTicks: durationTicks, scale: scale)
  }

  /// Identifier and size in front of the body.
  var header: [UInt8] { EBMLBuilder.header(.cluster, size: Int64(body.count)) }
}

/// A frame with its time, to be written (RFC 9559, 10).
package struct MatroskaBlock: Sendable {
  /// The number of its track.
  package var track: Int
  /// When it is presented; the writer adds the track's encoder delay. Exact, and rounded once.
  package var time: MediaTime
  package var data: [UInt8]
  /// Whether decoding may begin here.
  package var isKey = true
  /// Whether decoders decode it and don't show it.
  package var isInvisible = false
  /// Whether players may leave it out when they are late.
  package var isDiscardable = false
  /// Time that it lasts, with what is discarded of it taken off; `nil` where that isn't known.
  package var duration: MediaTime?
  /// Whether the file states that time. Of sound, a block that doesn't last its track's `defaultDuration` states it anyway.
  package var statesDuration = false
  /// Time at its end that isn't presented, below zero for its beginning (RFC 9559, 5.1.3.5.7); `nil` for none.
  package var discardPadding: MediaTime?
  /// Times of the frames that it refers to, from its own on; only of a block that isn't key. A BlockGroup without any would be a
  /// key frame, so that it gets the tick before its own.
  package var references: [MediaTime] = []
  /// A whole BlockAdditions element; empty for none.
  package var additions: [UInt8] = []

  /// A key frame of this time.
  package init(track: Int, time: MediaTime, data: [UInt8], duration: MediaTime? = nil) {
    self.track = track
    self.time = time
    self.data = data
    self.duration = duration
  }

  /// Appends the block as an element to the body of its cluster: a SimpleBlock where that can say all of it, else a BlockGroup.
  fileprivate func append(
    to body: inout [UInt8], relative: Int16, durationTicks: Int64?, scale: Int64
  ) {
    let isSimple =
      durationTicks == nil && discardPadding == nil && additions.isEmpty && references.isEmpty
    var flags: UInt8 = isInvisible ? 0x08 : 0
    if isSimple {
      // In a BlockGroup, references say so, and these bits are reserved (RFC 9559, 10.1 and 10.2).
      flags |= (isKey ? 0x80 : 0) | (isDiscardable ? 0x01 : 0)
    }
    let head =
      VariableInteger.bytes(UInt64(clamping: track)) + relative.bigEndianBytes + [flags]
    let size = Int64(head.count + data.count)
    guard !isSimple else {
      body += EBMLBuilder.header(.simpleBlock, size: size) + head
      body += data
      return
    }
    var fields = EBMLBuilder()
    fields.append(additions)
    fields.unsigned(.blockDuration, ifAny: durationTicks)
    let distances = references.map { $0.units(nanoseconds: scale) }.filter { $0 != 0 }
    for distance in isKey ? [] : distances.isEmpty ? [-1] : distances {
      fields.signed(.referenceBlock, distance)
    }
    if let discardPadding { fields.signed(.discardPadding, discardPadding.nanoseconds) }
    let whole = EBMLBuilder.length(.block, size: size) + Int64(fields.bytes.count)
    body +=
      EBMLBuilder.header(.blockGroup, size: whole) + EBMLBuilder.header(.block, size: size) + head
    body += data
    body += fields.bytes
  }
}
