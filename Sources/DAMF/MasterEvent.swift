// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A change of a channel: the fields that an event states. Fields that it omits keep their values.
package struct MasterEvent: Sendable, Equatable {
  /// The fields that an event may state.
  package struct Fields: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let active = Fields(rawValue: 1)
    package static let position = Fields(rawValue: 2)
    package static let snap = Fields(rawValue: 4)
    package static let elevation = Fields(rawValue: 8)
    package static let zones = Fields(rawValue: 16)
    package static let size = Fields(rawValue: 32)
    package static let decorrelation = Fields(rawValue: 64)
    package static let gain = Fields(rawValue: 128)
    package static let ramp = Fields(rawValue: 256)
    package static let headTracking = Fields(rawValue: 512)
    package static let headphones = Fields(rawValue: 1024)

    /// Fields that are reached by a ramp; the others change at once.
    package static let ramped: Fields = [.position, .size, .gain]
  }

  /// Fields that are stated; the others below mean nothing.
  package var stated: Fields = []
  /// Sample at which it begins, from the sound's first one; at least 0.
  package var time: Int64 = 0
  /// Samples until values are reached, at least 0.
  package var ramp: Int64 = 0
  /// Place in the room, as stated: walls at ±1.
  package var position = MasterEvent.front
  /// Width, depth and height, each 0…1 of the room.
  package var size = Triple(x: 0, y: 0, z: 0)
  /// Amplitude, at least 0.
  package var gain = 1.0
  /// Whether the channel sounds.
  package var isActive = true
  /// Whether the nearest loudspeaker plays it.
  package var isSnapped = false
  /// Whether loudspeakers above and below the listener may play it.
  package var hasElevation = true
  /// Whether it is decorrelated.
  package var isDecorrelated = false
  /// Whether it moves with the listener's head.
  package var isHeadLocked = false
  /// Loudspeakers that may play it.
  package var zones = MasterZones.all
  /// Treatment wanted for headphones.
  package var headphones = ObjectRules.HeadphoneMode.unstated

  /// The place of an object that has none.
  package static let front = Triple(x: 0, y: 1, z: 0)

  /// An event without fields: the values that hold before any event.
  package init() {}

  /// Takes the fields that `other` states; its time isn't taken.
  package mutating func take(_ other: MasterEvent) {
    let fields = other.stated
    stated.formUnion(fields)
    if fields.contains(.ramp) { ramp = other.ramp }
    if fields.contains(.position) { position = other.position }
    if fields.contains(.size) { size = other.size }
    if fields.contains(.gain) { gain = other.gain }
    if fields.contains(.active) { isActive = other.isActive }
    if fields.contains(.snap) { isSnapped = other.isSnapped }
    if fields.contains(.elevation) { hasElevation = other.hasElevation }
    if fields.contains(.decorrelation) { isDecorrelated = other.isDecorrelated }
    if fields.contains(.headTracking) { isHeadLocked = other.isHeadLocked }
    if fields.contains(.zones) { zones = other.zones }
    if fields.contains(.headphones) { headphones = other.headphones }
  }
}

/// The loudspeakers that may play an object.
package enum MasterZones: String, Sendable, CaseIterable {
  case all
  case noBack = "no back"
  case noSides = "no sides"
  case centerBack = "center back"
  case screenOnly = "screen only"
  case surroundOnly = "surround only"

  /// Parts of the room whose loudspeakers aren't used, as Dolby's profile of ADM writes them (tables 12 and 13).
  package func excluded(hasElevation: Bool) -> [ObjectRules.Zone] {
    // The lists are made once, because every event asks.
    (hasElevation ? MasterZones.elevated : MasterZones.flat)[self] ?? []
  }

  private static let elevated = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0, $0.boxes) })
  private static let flat = elevated.mapValues { boxes in
    boxes + [
      .box(x: -1...1, y: -1...1, z: -1...(-0.4995)), .box(x: -1...1, y: -1...1, z: 0.4995...1),
    ]
  }

  private var boxes: [ObjectRules.Zone] {
    let level = -0.499...0.499
    let box = { (x: ClosedRange<Double>, y: ClosedRange<Double>) in
      ObjectRules.Zone.box(x: x, y: y, z: level)
    }
    switch self {
    case .all: return []
    case .noBack: return [box(-1...1, -1...(-0.41934))]
    case .noSides:
      return [box(-1...(-0.75806), -0.41934...0.83871), box(0.75806...1, -0.41934...0.83871)]
    case .centerBack:
      return [
        box(-1...(-0.16129), 0.5...1), box(0.16129...1, 0.5...1),
        box(-1...(-0.51611), -0.707...0.49999), box(0.51611...1, -0.707...0.49999),
      ]
    case .screenOnly: return [box(-1...1, -1...0.83871)]
    case .surroundOnly: return [box(-1...1, 0.5...1)]
    }
  }
}
