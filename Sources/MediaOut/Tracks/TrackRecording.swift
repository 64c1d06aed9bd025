// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV

/// The packets of a rendered track that is written into its file later, beside others; memory doesn't grow with their number.
package final class TrackRecording {
  private var store: PacketStore
  /// Facts of the track and its codec as HLS and MIME types name it (RFC 6381); `nil` before it begins.
  package private(set) var codec: String?
  package private(set) var facts: OutputTrackFacts?

  /// A recording without packets.
  /// - Throws: ``MediaError`` when no temporary file can be made.
  package init() throws { store = try PacketStore() }

  /// Begins anew, for the packets of `track`.
  /// - Throws: as the initialiser.
  func begin(_ track: any PushedTrack) throws {
    if store.count > 0 { store = try PacketStore() }
    (facts, codec) = (track.facts, track.codec)
  }

  /// Adds the next sample.
  /// - Throws: ``MediaError`` when it can't be stored.
  func add(_ sample: MediaSample) throws {
    try store.append(
      EncodedPacket(
        data: sample.data, time: sample.decodeTime, duration: Int(clamping: sample.duration)))
  }

  /// The track, to be pulled once.
  /// - Throws: ``MediaError`` of kind `internal` where nothing was recorded.
  package func makeTrack() throws -> any CodedTrack {
    guard let facts else { throw MediaError(.internal, "a track is written before it is rendered") }
    return RecordedTrack(facts, store)
  }
}

/// Hands out the packets of a recording.
private final class RecordedTrack: CodedTrack {
  let name = "a rendered track"
  let facts: OutputTrackFacts
  private let store: PacketStore
  private var place = 0

  init(_ facts: OutputTrackFacts, _ store: PacketStore) {
    self.facts = facts
    self.store = store
  }

  func next() throws -> MediaSample? {
    guard place < store.count else { return nil }
    let packet = try store.packet(place)
    place += 1
    return MediaSample(
      data: packet.data, decodeTime: packet.time, duration: Int64(packet.duration))
  }
}
