import AudioCore

/// Values of an object that a set of alternatives may replace (alternativeValueSet, BS.2076-2, 5.6.6).
package struct ObjectValues: Sendable, Hashable {
  /// The set's identifier; `nil` for the object's own values.
  package var id: ElementID?
  /// Amplitude; `nil` when nothing is stated.
  package var gain: Double?
  /// Whether it is silent; `nil` when nothing is stated.
  package var isMuted: Bool?
  /// What is added to positions; `nil` when nothing is stated.
  package var offset: PositionOffset?
  /// What a listener may change; `nil` when nothing is stated.
  package var interaction: ObjectInteraction?

  /// These values, with those of `other` that are stated in their place.
  package func replaced(by other: ObjectValues) -> ObjectValues {
    ObjectValues(
      id: other.id, gain: other.gain ?? gain, isMuted: other.isMuted ?? isMuted,
      offset: other.offset ?? offset, interaction: other.interaction ?? interaction)
  }
}
