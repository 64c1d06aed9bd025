// SPDX-License-Identifier: Apache-2.0

/// The rendering rules that few objects have (ITU-R BS.2076-2, 5.4.3.3).
public struct ObjectRules: Sendable, Hashable, Codable {
  /// The role of an object's samples.
  public enum Role: Sendable, Hashable, Codable {
    /// A sound at the object's position.
    case source
    /// A channel for a loudspeaker.
    case speaker(SpeakerChannel)
    /// The signal of one ear, rendered for headphones before.
    case ear(Ear)
  }

  /// An ear.
  public enum Ear: String, Sendable, Hashable, Codable, CaseIterable {
    /// The left one.
    case left
    /// The right one.
    case right
  }

  /// One loudspeaker plays the object, if one is near enough.
  public struct ChannelLock: Sendable, Hashable, Codable {
    /// How far that loudspeaker may be, as a distance in the unit sphere or the room; `nil` without limit.
    public var within: Double?

    /// A lock to the nearest loudspeaker within this distance.
    public init(within: Double? = nil) { self.within = within }
  }

  /// The object is played at two further places, one to each side.
  public struct Divergence: Sendable, Hashable, Codable {
    /// How much goes to the sides, 0…1.
    public var value: Double
    /// How far they lie from the position: degrees with a polar position, X with a Cartesian one.
    public var range: Double

    /// A divergence.
    public init(value: Double, range: Double) {
      self.value = value
      self.range = range
    }
  }

  /// A part of space whose loudspeakers aren't used.
  public enum Zone: Sendable, Hashable, Codable {
    /// A box of the room.
    case box(x: ClosedRange<Double>, y: ClosedRange<Double>, z: ClosedRange<Double>)
    /// A part of the sphere in degrees; azimuths go to the left, from the first to the second.
    case sector(fromAzimuth: Double, toAzimuth: Double, elevations: ClosedRange<Double>)
  }

  /// The treatment that the mixer wants for headphones.
  public enum HeadphoneMode: String, Sendable, Hashable, Codable, CaseIterable {
    /// Nothing is stated.
    case unstated
    /// The object isn't virtualised.
    case off
    /// The object is virtualised without a room.
    case near
    /// The object is virtualised, with the room of what isn't marked.
    case middle
    /// The object is virtualised, with stronger reflections.
    case far
  }

  /// Role of the samples.
  public var role: Role
  /// Whether one loudspeaker plays it.
  public var lock: ChannelLock?
  /// Whether further places play it.
  public var divergence: Divergence?
  /// Loudspeakers in these zones aren't used.
  public var zones: [Zone]
  /// Treatment wanted for headphones.
  public var headphones: HeadphoneMode
  /// Whether the object moves with the listener's head.
  public var isHeadLocked: Bool

  /// An ordinary object.
  public static let none = ObjectRules()

  /// Rules; those of an ordinary object by default.
  public init(
    role: Role = .source, lock: ChannelLock? = nil, divergence: Divergence? = nil,
    zones: [Zone] = [], headphones: HeadphoneMode = .unstated, isHeadLocked: Bool = false
  ) {
    self.role = role
    self.lock = lock
    self.divergence = divergence
    self.zones = zones
    self.headphones = headphones
    self.isHeadLocked = isHeadLocked
  }
}

/// A channel that is meant for one loudspeaker (DirectSpeakers, ITU-R BS.2076-2, 5.4.3.1).
public struct SpeakerChannel: Sendable, Hashable, Codable {
  /// Bounds of the coordinates of loudspeakers that may play the channel: azimuth, elevation and distance,
  /// or X, Y and Z, as the object's position has them. `nil` for each that isn't stated.
  public struct Bounds: Sendable, Hashable, Codable {
    /// Azimuth or X.
    public var first: Double?
    /// Elevation or Y.
    public var second: Double?
    /// Distance or Z.
    public var third: Double?

    /// Bounds; none by default.
    public init(first: Double? = nil, second: Double? = nil, third: Double? = nil) {
      self.first = first
      self.second = second
      self.third = third
    }
  }

  /// Names of the loudspeaker as written, e.g. `M+030`, in the order in which they are tried.
  public var labels: [String]
  /// The common pack that it belongs to, e.g. `AP_00010003`; `nil` for a pack of the programme's own.
  public var pack: String?
  /// Whether it carries low frequencies only.
  public var isLFE: Bool
  /// Least coordinates.
  public var least: Bounds
  /// Greatest coordinates.
  public var greatest: Bounds

  /// A channel for a loudspeaker.
  public init(
    labels: [String] = [], pack: String? = nil, isLFE: Bool = false, least: Bounds = Bounds(),
    greatest: Bounds = Bounds()
  ) {
    self.labels = labels
    self.pack = pack
    self.isLFE = isLFE
    self.least = least
    self.greatest = greatest
  }
}
