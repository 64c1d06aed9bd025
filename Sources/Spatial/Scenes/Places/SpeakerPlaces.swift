import AudioCore

/// Directions of channels that are meant for one loudspeaker each (DirectSpeakers, ITU-R BS.2076-2,
/// 5.4.3.1).
struct SpeakerPlaces {
  /// How Cartesian positions become directions.
  let angles: ObjectAngles

  /// Angle in degrees within which a stated position stands for the loudspeaker that its label names.
  private static let tolerance = 10.0

  /// The direction of `channel`, stated at `position`.
  ///
  /// Dolby's labels (`RC_L` …) decide alone. Else it is the stated position, or the nominal one of
  /// the first label of ITU-R BS.2051 that lies within the channel's bounds or 10° of it.
  func direction(of channel: SpeakerChannel, at position: ObjectPosition) -> Direction {
    let stated = angles.direction(of: position).direction
    for label in channel.labels {
      if let known = SpeakerPlaces.dolby[label] { return known }
      guard let nominal = SpeakerPlaces.nominal(label) else { continue }
      if SpeakerPlaces.angle(nominal, stated) <= SpeakerPlaces.tolerance { return nominal }
      if case .polar = position, SpeakerPlaces.isInside(nominal, channel) { return nominal }
    }
    return stated
  }

  /// The nominal direction of a label such as `M+030`, also at the end of a URN; `nil` for others.
  static func nominal(_ label: String) -> Direction? {
    let name = label.split(separator: ":").last.map(String.init) ?? label
    guard let sign = name.firstIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
    let layers: [Substring: Double] = ["M": 0, "U": 30, "UH": 45, "B": -30, "T": 90]
    guard let elevation = layers[name[..<sign]] else { return nil }
    let text = name[sign...]
    if text == "+SC" || text == "-SC" {
      return Direction(azimuth: text == "+SC" ? 15 : -15, elevation: elevation)
    }
    guard text.count == 4, let azimuth = Int(text), (-180...180).contains(azimuth) else {
      return nil
    }
    return Direction(azimuth: Double(azimuth), elevation: elevation)
  }

  /// Angle between two directions, in degrees.
  private static func angle(_ one: Direction, _ other: Direction) -> Double {
    VoicePath.angle(UnitVector.of(one), UnitVector.of(other))
  }

  /// Whether the channel states bounds that hold `direction`.
  private static func isInside(_ direction: Direction, _ channel: SpeakerChannel) -> Bool {
    let (least, greatest) = (channel.least, channel.greatest)
    guard let right = least.first, let left = greatest.first, let low = least.second,
      let high = greatest.second
    else { return false }
    // Azimuths go to the left, from the least to the greatest, and may pass the back.
    let span = left - right < 0 ? left - right + 360 : left - right
    var turn = direction.azimuth - right
    while turn < 0 { turn += 360 }
    while turn >= 360 { turn -= 360 }
    return turn <= span && (low...max(low, high)).contains(direction.elevation)
  }

  /// Names of loudspeakers in Dolby's masters; the top middle pair hangs higher than the mapping of
  /// its cube position says.
  private static let dolby: [String: Direction] = {
    let pairs: [(name: String, azimuth: Double, elevation: Double)] = [
      ("", 30, 0), ("ss", 90, 0), ("rs", 135, 0), ("s", 110, 0), ("ts", 90, 45), ("w", 60, 0),
    ]
    var table = ["RC_C": Direction(azimuth: 0), "RC_LFE": Direction(azimuth: 0)]
    for pair in pairs {
      table["RC_L" + pair.name] = Direction(azimuth: pair.azimuth, elevation: pair.elevation)
      table["RC_R" + pair.name] = Direction(azimuth: -pair.azimuth, elevation: pair.elevation)
    }
    return table
  }()
}
