/// One fragment's headers (ISO/IEC 14496-12, 8.8.4): `moof` with `mfhd` and a `traf` for each track.
/// The media data follow at once in one `mdat`, track after track.
package struct MovieFragmentBox: Sendable, Equatable {
  /// Number of the fragment, from 1.
  package var sequenceNumber: Int
  /// Tracks that have samples in it.
  package var tracks: [TrackFragmentBox]

  /// A fragment of the given runs.
  package init(sequenceNumber: Int, tracks: [TrackFragmentBox]) {
    self.sequenceNumber = sequenceNumber
    self.tracks = tracks
  }

  /// `moof` and the header of the `mdat` after it; the samples' bytes have to follow.
  /// - Throws: ``BoxError`` when the data don't fit the 31 bits of their offsets.
  package func encoded() throws -> [UInt8] {
    var builder = BoxBuilder()
    var places: [Int] = []
    builder.box("moof") { box in
      box.fullBox("mfhd") { $0.u32(sequenceNumber) }
      for track in tracks { places.append(track.append(to: &box)) }
    }
    let payload = tracks.reduce(Int64(0)) { $0 + $1.dataSize }
    let header = BoxBuilder.header("mdat", payloadSize: payload)
    var offset = Int64(builder.bytes.count + header.count)
    guard offset + payload <= Int64(Int32.max) else {
      throw BoxError("trun", "a fragment of \(payload) bytes; at most 2 GiB are possible")
    }
    for (place, track) in zip(places, tracks) {
      builder.patch(UInt32(clamping: offset), at: place)
      offset += track.dataSize
    }
    builder.append(header)
    return builder.bytes
  }
}
