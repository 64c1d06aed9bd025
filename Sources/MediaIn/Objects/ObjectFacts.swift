import AudioCore

/// What is known of an object, a loudspeaker channel or a sound field before it is rendered.
package struct ObjectFacts: Sendable, Equatable {
  /// What it is.
  package enum Kind: String, Sendable, Equatable {
    /// A source with a position.
    case object
    /// Channels for the loudspeakers of a layout.
    case bed
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
  package private(set) var path: [Point] = []
  /// Changes from one point of the path to the next.
  private var stride = 1

  /// What is known of an element that hasn't changed yet.
  package init(
    id: String? = nil, kinds: [String] = [], interaction: ObjectInteraction? = nil, name: String?,
    kind: Kind, tracks: [Int], start: Int64? = nil
  ) {
    (self.id, self.kinds, self.interaction) = (id, kinds, interaction)
    (self.name, self.kind, self.tracks, self.start) = (name, kind, tracks, start)
  }

  /// Adds a change: the state that is sent to at sample `time`, and whether it holds from there on.
  package mutating func add(_ state: ObjectState, at time: Int64, isResting: Bool) {
    if state.gain > 0 {
      start = start ?? time
      end = nil
      widen(state.position)
    } else if start != nil, end == nil, isResting {
      end = time
    }
    if changes % stride == 0 {
      if path.count == ObjectFacts.mostPoints {
        path = path.indices.filter { $0 % 2 == 0 }.map { path[$0] }
        stride *= 2
      }
      if changes % stride == 0 {
        path.append(Point(at: time, position: state.position, gain: state.gain))
      }
    }
    changes += 1
  }

  private mutating func widen(_ position: ObjectPosition) {
    let values = position.coordinates
    if case .cartesian = position { isCartesian = true }
    guard !least.isEmpty else {
      (least, greatest) = (values, values)
      return
    }
    for axis in 0..<3 {
      least[axis] = min(least[axis], values[axis])
      greatest[axis] = max(greatest[axis], values[axis])
    }
  }
}
