import AudioCore

/// What the first access units of a track say of its coded objects (ETSI TS 103 420).
package struct ObjectCodingFacts: Sendable, Equatable {
  /// Number of all objects by the headers (`complexity_index_type_a`), 1…16; `nil` where they state none.
  package var complexity: Int?
  /// Channels of the bed; `nil` without one.
  package var bed: ChannelLayout?
  /// Number of objects that can move.
  package var objects: Int
  /// The downmix that they are coded in, e.g. `5.1, surrounds at 90°`.
  package var downmix: String
  /// Updates of each object in a second.
  package var updatesPerSecond: Double
}
