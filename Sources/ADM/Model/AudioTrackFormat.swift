/// The format of a track (audioTrackFormat, BS.2076-2, 5.1).
package struct AudioTrackFormat: Sendable {
  package var id: ElementID
  package var stream: ElementID?
  /// Whether it is coded as PCM.
  package var isPCM = true
}
