import AudioCore

/// What is known of an object, a loudspeaker channel or a sound field before it is rendered.
package struct ObjectFacts: Sendable, Equatable {
  /// What it is.
  package enum Kind: String, Sendable, Equatable {
    /// A source with a position.
    case object
    /// A channel for a loudspeaker.
    case speaker
    /// A signal for one ear.
    case ear
    /// A sound field in spherical harmonics.
    case field
  }

  /// A state that is reached at a time.
  package struct Point: Sendable, Equatable {
    /// Sample from which on it holds, on the file's clock.
    package var at: Int64
    /// Where it is.
    package var position: ObjectPosition
    /// Its gain.
    package var gain: Double
  }

  /// Points that are kept of a path.
  package static let mostPoints = 100

  /// Identifier of its object, e.g. `AO_1001`; `nil` where the file names no objects.
  package var id: String?
  /// Kinds of its content that a listener may name it by.
  package var kinds: [String] = []
  /// What a listener may change about it; `nil` when that isn't stated.
  package var interaction: ObjectInteraction?
  /// Its name; `nil` where the file gives none.
  package var name: String?
  /// What it is.
  package var kind: Kind
  /// Tracks of the file that it is made of, from 0.
  package var tracks: [Int]
  /// First sample in which it sounds; `nil` where it never does.
  package var start: Int64?
  /// Sample behind the last one in which it sounds; `nil` where it has no end.
  package var end: Int64?
  /// Changes of its state, the beginning and the end among them.
  package var changes = 0
  /// Least coordinates that are reached while it sounds; empty for a field. Azimuth, elevation and distance,
  /// or X, Y and Z.
  package var least: [Double] = []
  /// Greatest coordinates.
  package var greatest: [Double] = []
  /// Whether coordinates are X, Y and Z.
  package var isCartesian = false
  /// Where it goes; at most ``mostPoints``, evenly chosen from its changes.
  package var path: [Point] = []
}
