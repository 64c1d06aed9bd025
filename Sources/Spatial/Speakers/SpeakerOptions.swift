/// What can be chosen about a rendering for a pair of loudspeakers.
package struct SpeakerOptions: Sendable {
  /// Angle between the loudspeakers seen from the listener, in degrees, 10…60.
  package var spanDegrees: Double
  /// Level of LFE channels relative to a main channel, in dB, −60…+30; `nil` drops them.
  package var lfeGainDB: Double?
  /// Directions of channels that don't come from where ITU-R BS.2051 puts them; the loudspeakers
  /// themselves stay at ``spanDegrees``.
  package var positions: SpeakerPositions

  /// Options; 20° is a screen with loudspeakers at its sides, seen from just under three times its
  /// width. By default LFE is played 10 dB above a main channel (ITU-R BS.775-3).
  package init(
    spanDegrees: Double = 20, lfeGainDB: Double? = 10, positions: SpeakerPositions = .standard
  ) {
    self.spanDegrees = spanDegrees
    self.lfeGainDB = lfeGainDB
    self.positions = positions
  }
}
