// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The facts about an object, a loudspeaker channel or a sound field before it is rendered.
package struct ObjectFacts: Sendable, Equatable {
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
    /// Position of the object.
    package var position: ObjectPosition
    package var gain: Double
  }

  /// Points that are kept of a path.
  package static let mostPoints = 100

  /// Identifier of its object, e.g. `AO_1001`; `nil` where the file names no objects.
  package var id: String?
  /// Kinds of its content that a listener may name it by.
  package var kinds: [String] = []
  /// Changes allowed to a listener; `nil` when that isn't stated.
  package var interaction: ObjectInteraction?
  /// Its name; `nil` where the file gives none.
  package var name: String?
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
  /// Positions over time; at most ``mostPoints``, evenly chosen from its changes.
  package private(set) var path: [Point] = []
  /// Changes from one point of the path to the next.
  private var stride = 1

  /// The facts about an element that hasn't changed yet.
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

/// Follows the elements of a decoded programme, at most one bed and then objects, through the updates that come
/// with its samples.
struct DecodedScene {
  private var ways: [ObjectWay]
  /// Plane of the first object less the place of its element.
  private let shift: Int

  /// The elements of `programme` as they begin.
  init(_ programme: Programme) {
    ways = ObjectWay.all(of: programme)
    // A plane of the bed has no updates, and objects follow it one plane each.
    shift = programme.planes - ways.count
  }

  /// Facts about each element so far.
  var facts: [ObjectFacts] { ways.map(\.facts) }

  /// Notes an update whose time is on the file's clock.
  mutating func note(_ update: ObjectUpdate) { ways[update.plane - shift].note(update) }
}

/// Follows a programme's element through the updates of a decoder.
struct ObjectWay {
  /// Facts so far.
  private(set) var facts: ObjectFacts

  /// The elements of a programme of at most one bed, then objects.
  static func all(of programme: Programme) -> [ObjectWay] { programme.elements.map(ObjectWay.init) }

  private init(_ element: Programme.Element) {
    switch element {
    case .object(let name, let start):
      facts = ObjectFacts(name: name, kind: .object, tracks: [])
      facts.add(start, at: 0, isResting: true)
    case .bed(let layout):
      facts = ObjectFacts(name: layout.name, kind: .bed, tracks: [], start: 0)
    case .scene: facts = ObjectFacts(name: nil, kind: .field, tracks: [], start: 0)
    }
  }

  /// Notes an update. An object that fades out sounds until the ramp ends, and no update follows there.
  mutating func note(_ update: ObjectUpdate) {
    let end = update.at + Int64(update.ramp.rounded(.up))
    let isSilent = update.state.gain == 0
    facts.add(update.state, at: isSilent ? end : update.at, isResting: isSilent)
  }
}

/// The data at the beginning of a track on its coded objects (ETSI TS 103 420, ETSI TS 103 190-2).
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
