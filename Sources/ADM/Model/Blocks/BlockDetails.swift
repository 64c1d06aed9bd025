/// What only some blocks have; equal blocks of a channel share one value.
package struct BlockDetails: Sendable, Hashable {
  /// What only Objects have.
  package var object = ObjectDetails()
  /// What only DirectSpeakers have.
  package var speaker = SpeakerDetails()
  /// What only HOA has.
  package var scene: SceneDetails?
  /// What only Matrix has.
  package var matrix: MatrixDetails?
  /// The edge of the screen that the position snaps to.
  package var screenEdge = ScreenEdge()
  /// Whether headphones leave it as it is.
  package var bypassesHeadphones = false
  /// Ratio of direct to reverberant sound for headphones, in dB.
  package var directToReverberant = 130.0

  /// Details that say nothing.
  package static let none = BlockDetails()
}
