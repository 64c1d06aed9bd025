// SPDX-License-Identifier: Apache-2.0

/// One loudspeaker position of a channel layout.
///
/// Raw values are the bit numbers of the WAVEFORMATEXTENSIBLE mask and of libav's channel order,
/// so masks convert without a table. Directions depend on the layout; see
/// ``ChannelLayout/direction(at:)``.
public enum Speaker: Int, CaseIterable, Sendable, Hashable, Codable {
  /// Front left.
  case frontLeft = 0
  /// Front right.
  case frontRight = 1
  /// Front centre.
  case frontCenter = 2
  /// Low-frequency effects.
  case lowFrequency = 3
  /// Back left.
  case backLeft = 4
  /// Back right.
  case backRight = 5
  /// Front left of centre.
  case frontLeftOfCenter = 6
  /// Front right of centre.
  case frontRightOfCenter = 7
  /// Back centre.
  case backCenter = 8
  /// Side left.
  case sideLeft = 9
  /// Side right.
  case sideRight = 10
  /// Top centre.
  case topCenter = 11
  /// Top front left.
  case topFrontLeft = 12
  /// Top front centre.
  case topFrontCenter = 13
  /// Top front right.
  case topFrontRight = 14
  /// Top back left.
  case topBackLeft = 15
  /// Top back centre.
  case topBackCenter = 16
  /// Top back right.
  case topBackRight = 17
  /// Left of a stereo downmix (Lt or Lo).
  case downmixLeft = 29
  /// Right of a stereo downmix (Rt or Ro).
  case downmixRight = 30
  /// Wide left.
  case wideLeft = 31
  /// Wide right.
  case wideRight = 32
  /// Second low-frequency effects.
  case lowFrequency2 = 35
  /// Top side left.
  case topSideLeft = 36
  /// Top side right.
  case topSideRight = 37
  /// Bottom front centre.
  case bottomFrontCenter = 38
  /// Bottom front left.
  case bottomFrontLeft = 39
  /// Bottom front right.
  case bottomFrontRight = 40

  /// Short name as ffmpeg prints it, e.g. `FL`, `LFE`, `TFR`.
  public var name: String { Speaker.names[self] ?? "?" }

  /// Whether the channel carries low-frequency effects only.
  public var isLFE: Bool { self == .lowFrequency || self == .lowFrequency2 }

  /// The speaker with this short name, in any letter case.
  public init?(name: String) {
    let wanted = name.uppercased()
    guard let match = Speaker.names.first(where: { $0.value == wanted }) else { return nil }
    self = match.key
  }

  private static let names: [Speaker: String] = [
    .frontLeft: "FL", .frontRight: "FR", .frontCenter: "FC", .lowFrequency: "LFE",
    .backLeft: "BL", .backRight: "BR", .frontLeftOfCenter: "FLC", .frontRightOfCenter: "FRC",
    .backCenter: "BC", .sideLeft: "SL", .sideRight: "SR", .topCenter: "TC", .topFrontLeft: "TFL",
    .topFrontCenter: "TFC", .topFrontRight: "TFR", .topBackLeft: "TBL", .topBackCenter: "TBC",
    .topBackRight: "TBR", .downmixLeft: "DL", .downmixRight: "DR", .wideLeft: "WL",
    .wideRight: "WR", .lowFrequency2: "LFE2", .topSideLeft: "TSL", .topSideRight: "TSR",
    .bottomFrontCenter: "BFC", .bottomFrontLeft: "BFL", .bottomFrontRight: "BFR",
  ]
}

/// Directions of loudspeakers by ITU-R BS.2051-3. A speaker of the same name stands elsewhere in another layout, so
/// several directions depend on which other speakers are present.
enum SpeakerDirections {
  /// Direction of `speaker` in a layout of `all` speakers.
  static func direction(of speaker: Speaker, in all: Set<Speaker>) -> Direction {
    if let pair = pairs[speaker] {
      let place = leftDirection(of: pair.left, in: all)
      return Direction(
        azimuth: speaker == pair.left ? place.azimuth : -place.azimuth, elevation: place.elevation)
    }
    return medianDirections[speaker] ?? Direction(azimuth: 0)
  }

  /// Left members of each symmetric pair; a right speaker mirrors its left.
  private static let pairs: [Speaker: (left: Speaker, right: Speaker)] = {
    let couples: [(left: Speaker, right: Speaker)] = [
      (.frontLeft, .frontRight), (.backLeft, .backRight), (.sideLeft, .sideRight),
      (.frontLeftOfCenter, .frontRightOfCenter), (.topFrontLeft, .topFrontRight),
      (.topBackLeft, .topBackRight), (.downmixLeft, .downmixRight), (.wideLeft, .wideRight),
      (.topSideLeft, .topSideRight), (.bottomFrontLeft, .bottomFrontRight),
    ]
    var table: [Speaker: (left: Speaker, right: Speaker)] = [:]
    for couple in couples {
      table[couple.left] = couple
      table[couple.right] = couple
    }
    return table
  }()

  private static let medianDirections: [Speaker: Direction] = [
    .frontCenter: Direction(azimuth: 0), .lowFrequency: Direction(azimuth: 0),
    .lowFrequency2: Direction(azimuth: 0), .backCenter: Direction(azimuth: 180),
    .topCenter: Direction(azimuth: 0, elevation: 90),
    .topFrontCenter: Direction(azimuth: 0, elevation: 30),
    .topBackCenter: Direction(azimuth: 180, elevation: 30),
    .bottomFrontCenter: Direction(azimuth: 0, elevation: -30),
  ]

  private static func leftDirection(of left: Speaker, in all: Set<Speaker>) -> Direction {
    // Of the named layouts only 22.2 has both; its front left and right stand at ±60°.
    let is22 = all.contains(.bottomFrontCenter) && all.contains(.topCenter)
    let hasSides = all.contains(.sideLeft)
    let hasBacks = all.contains(.backLeft)
    let hasSevenBed = hasSides && hasBacks
    switch left {
    case .frontLeft: return Direction(azimuth: is22 ? 60 : 30)
    case .downmixLeft: return Direction(azimuth: 30)
    case .wideLeft: return Direction(azimuth: 60)
    // 9.1.4 and 9.1.6 name their wide pair front left and right of centre.
    case .frontLeftOfCenter: return Direction(azimuth: is22 ? 30 : (hasSevenBed ? 60 : 15))
    case .sideLeft: return Direction(azimuth: hasBacks ? 90 : 110)
    case .backLeft: return Direction(azimuth: hasSides ? 135 : 110)
    case .topFrontLeft: return Direction(azimuth: hasSevenBed ? 45 : 30, elevation: 30)
    case .topBackLeft: return Direction(azimuth: hasSevenBed ? 135 : 110, elevation: 30)
    case .topSideLeft: return Direction(azimuth: 90, elevation: 30)
    case .bottomFrontLeft: return Direction(azimuth: 45, elevation: -30)
    default: return Direction(azimuth: 0)
    }
  }
}

/// The direction that a sound comes from, seen from the listener.
public struct Direction: Sendable, Hashable, Codable {
  /// Degrees, 0 in front, positive to the left (as in SOFA and ITU-R BS.2051), −180…180.
  public var azimuth: Double
  /// Degrees, 0 at ear height, positive upwards, −90…90.
  public var elevation: Double

  /// A direction from its angles in degrees.
  public init(azimuth: Double, elevation: Double = 0) {
    self.azimuth = azimuth
    self.elevation = elevation
  }

  /// The position's label in ITU-R BS.2051, e.g. `M+030`, `U-110`, `B+000`: `T` above 75° of elevation,
  /// `U` above 15°, `B` below −15°, else `M`; then the azimuth in whole degrees.
  public var label: String {
    let layer = elevation > 15 ? (elevation > 75 ? "T" : "U") : (elevation < -15 ? "B" : "M")
    let degrees = String(Int(azimuth.magnitude.rounded()))
    let padded = String(repeating: "0", count: max(0, 3 - degrees.count)) + degrees
    return layer + (azimuth < 0 ? "-" : "+") + padded
  }
}
