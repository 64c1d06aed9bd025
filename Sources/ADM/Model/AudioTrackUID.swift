/// A use of a track of the file (audioTrackUID, BS.2076-2, 5.9).
package struct AudioTrackUID: Sendable {
  package var id: ElementID
  /// An audioTrackFormat; `nil` when nothing is stated.
  package var format: ElementID?
  /// An audioChannelFormat; `nil` when nothing is stated.
  package var channel: ElementID?
  package var pack: ElementID?
}
