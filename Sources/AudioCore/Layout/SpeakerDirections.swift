/// Directions of loudspeakers by ITU-R BS.2051-3. The same speaker stands elsewhere in another layout, so
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
