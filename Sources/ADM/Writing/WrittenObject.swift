/// An audioObject of the document, with its pack and channels.
struct WrittenObject {
  /// Its identifier.
  var id: ElementID
  /// Its name, which its own pack has too.
  var name: String
  /// Its pack.
  var pack: ElementID
  /// Whether the pack is a common definition.
  var hasCommonPack: Bool
  /// The kind of its channels.
  var kind: ContentKind
  /// A channel for each track.
  var channels: [WrittenChannel]
  /// The part of the programme in which it sounds; `nil` for all of it.
  var part: Range<Int64>?
  /// Amplitude of all its channels.
  var gain = 1.0
  /// Its tracks, from 0.
  var tracks: Range<Int>

  /// The audioTrackUIDs of its tracks.
  var uids: [ElementID] { tracks.map { ElementID(known: "ATU_" + $0.hexadecimal(8, from: 1)) } }
}
