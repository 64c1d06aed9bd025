/// What blocks of loudspeaker channels have beside a position (BS.2076-2, 5.4.3.1).
package struct SpeakerDetails: Sendable, Hashable {
  /// Names of the loudspeaker as written.
  package var labels: [String] = []
  /// Least coordinates that a loudspeaker may have; `nil` for each that isn't stated.
  package var least = PositionBounds()
  /// Greatest coordinates that a loudspeaker may have.
  package var greatest = PositionBounds()
}
