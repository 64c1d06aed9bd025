/// A stream: joins a track format to a channel (audioStreamFormat, BS.2076-2, 5.2).
package struct AudioStreamFormat: Sendable {
  package var id: ElementID
  package var channel: ElementID?
  package var tracks: [ElementID] = []
  /// Whether it is coded as PCM.
  package var isPCM = true
}
