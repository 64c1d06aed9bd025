import AudioCore

/// What the beginning of a track says of its coded objects (ETSI TS 103 420, ETSI TS 103 190-2).
package struct ObjectCodingFacts: Sendable, Equatable {
  /// Number of all objects by E-AC-3's headers (`complexity_index_type_a`), 1…16; `nil` where they state none.
  package var complexity: Int?
  /// Channels of the bed; `nil` without one.
  package var bed: ChannelLayout?
  /// Number of objects that can move.
  package var objects: Int
  /// The downmix that they are coded in, e.g. `5.1, surrounds at 90°` or `9 signals and LFE`.
  package var downmix: String
  /// Updates of each object in a second; `nil` where they come at no fixed rate.
  package var updatesPerSecond: Double?
}
