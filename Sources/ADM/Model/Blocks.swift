// SPDX-License-Identifier: Apache-2.0

/// A timed block of a channel (audioBlockFormat, BS.2076-2, 5.4), kept small: 104 bytes, of which a film
/// has up to millions. Values that few blocks have stand in ``BlockDetails``, which equal blocks share.
package struct AudioBlock: Sendable {
  /// Properties that are on or off.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let hasStart = Flags(rawValue: 1)
    package static let hasDuration = Flags(rawValue: 2)
    /// Position and size are Cartesian.
    package static let isCartesian = Flags(rawValue: 4)
    /// The position is taken at once, or within the interpolation's length.
    package static let jumps = Flags(rawValue: 8)
    /// One loudspeaker plays it, if one is near enough.
    package static let isLocked = Flags(rawValue: 16)
    /// Its position moves with the head.
    package static let isHeadLocked = Flags(rawValue: 32)
    /// Its position refers to the screen.
    package static let refersToScreen = Flags(rawValue: 64)
  }

  /// When it begins, from the object's start; zero when nothing is stated.
  package var start = ADMTime.zero
  /// How long it lasts; zero when nothing is stated.
  package var duration = ADMTime.zero
  /// Position, of Objects and DirectSpeakers.
  package var position = Position(0, 0, 1)
  /// Amplitude.
  package var gain = 1.0
  /// Width, height and depth: degrees, degrees and 0…1, or 0…1 each.
  package var size = Position(0, 0, 0)
  /// Decorrelated part of the power, 0…1.
  package var diffuse = 0.0
  /// The place of its ``BlockDetails`` in its channel's list; −1 when it has none.
  package var details: Int32 = -1
  package var flags: Flags = []
  /// How important it is, 0…10.
  package var importance: UInt8 = 10
}

/// A place: azimuth, elevation and distance, or X, Y and Z; which of them is said beside it.
///
/// Azimuth in degrees, positive to the left, −180…180; elevation in degrees, positive upwards, −90…90;
/// distance at least 0, of which 1 is that of the loudspeakers. X to the right, Y to the front, Z up, the
/// loudspeakers at ±1.
package struct Position: Sendable, Hashable {
  /// Azimuth or X.
  package var first: Double
  /// Elevation or Y.
  package var second: Double
  /// Distance or Z.
  package var third: Double

  /// A place with these coordinates.
  package init(_ first: Double, _ second: Double, _ third: Double) {
    self.first = first
    self.second = second
    self.third = third
  }
}

/// The values that only some blocks have; equal blocks of a channel share one value.
package struct BlockDetails: Sendable, Hashable {
  /// Values of Objects only.
  package var object = ObjectDetails()
  /// Values of DirectSpeakers only.
  package var speaker = SpeakerDetails()
  /// Values of HOA only.
  package var scene: SceneDetails?
  /// Values of Matrix only.
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

/// The edges of the screen that a position snaps to (screenEdgeLock).
package struct ScreenEdge: Sendable, Hashable {
  package enum Horizontal: Sendable, Hashable { case left, right }
  package enum Vertical: Sendable, Hashable { case bottom, top }

  /// Left or right.
  package var horizontal: Horizontal?
  /// Bottom or top.
  package var vertical: Vertical?
}

/// The values of a loudspeaker channel's blocks beside a position (BS.2076-2, 5.4.3.1).
package struct SpeakerDetails: Sendable, Hashable {
  /// Names of the loudspeaker as written.
  package var labels: [String] = []
  /// Least coordinates that a loudspeaker may have; `nil` for each that isn't stated.
  package var least = PositionBounds()
  /// Greatest coordinates that a loudspeaker may have.
  package var greatest = PositionBounds()
}

/// Bounds of some coordinates of a ``Position``.
package struct PositionBounds: Sendable, Hashable {
  /// Azimuth or X.
  package var first: Double?
  /// Elevation or Y.
  package var second: Double?
  /// Distance or Z.
  package var third: Double?
}

/// How a channel is mixed from others (BS.2076-2, 5.4.3.2).
package struct MatrixDetails: Sendable, Hashable {
  /// One addend.
  package struct Coefficient: Sendable, Hashable {
    /// The channel that is mixed in.
    package var input: ElementID
    /// Amplitude.
    package var gain: Double
    /// Delay in milliseconds.
    package var delay: Double
  }

  /// The channel that results; `nil` when nothing is stated.
  package var output: ElementID?
  /// The addends.
  package var coefficients: [Coefficient] = []
}

/// The values that only some blocks of objects have (BS.2076-2, 5.4.3.3).
package struct ObjectDetails: Sendable, Hashable {
  /// How long a jump takes; `nil` when nothing is stated.
  package var interpolation: ADMTime?
  /// How far a loudspeaker may be to be locked to, as a distance in the unit cube or sphere; `nil`
  /// without limit.
  package var lockDistance: Double?
  /// How much goes to either side, 0…1.
  package var divergence = 0.0
  /// Degrees from the position to either side; `nil` when nothing is stated.
  package var azimuthRange: Double?
  /// Distance in X from the position to either side; `nil` when nothing is stated.
  package var positionRange: Double?
  /// Loudspeakers in these zones aren't used.
  package var zones: [ExcludedZone] = []
}

/// A part of space whose loudspeakers aren't used (zoneExclusion, BS.2076-2, 5.4.3.3).
package enum ExcludedZone: Sendable, Hashable {
  /// A box, from its least to its greatest coordinates.
  case box(least: Position, greatest: Position)
  /// A part of the sphere in degrees; azimuths go anticlockwise, to the left, from the first to the second.
  case sector(fromAzimuth: Double, toAzimuth: Double, elevations: ClosedRange<Double>)
}

/// The component of a sound field that a channel is (BS.2076-2, 5.4.3.4).
package struct SceneDetails: Sendable, Hashable {
  /// How components are scaled.
  package enum Normalization: String, Sendable, CaseIterable {
    case sn3d = "SN3D"
    case n3d = "N3D"
    case fuMa = "FuMa"
  }

  /// Order, at least 0; `nil` when nothing is stated.
  package var order: Int?
  /// Degree, −order…order; `nil` when nothing is stated.
  package var degree: Int?
  /// Scaling; `nil` when nothing is stated, which is that of the pack, or SN3D.
  package var normalization: Normalization?
  /// Distance that near-field effects are compensated for, in metres; 0 for none, `nil` when nothing is
  /// stated.
  package var nearFieldDistance: Double?
  /// Whether it refers to the screen; `nil` when nothing is stated.
  package var refersToScreen: Bool?
}
