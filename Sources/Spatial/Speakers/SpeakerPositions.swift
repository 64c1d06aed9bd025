// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Directions that replace those of ITU-R BS.2051 for the channels it names.
///
/// Channels go by ffmpeg's names (`FL`, `FR`, `FC`, `SL`, `TFL` …) or by the everyday ones, in any
/// letter case: `L`, `R`, `C` are `FL`, `FR`, `FC`; `LB`, `RB` are `BL`, `BR`; `LS`, `RS` are the
/// surrounds that the layout has: `SL`, `SR`, or `BL`, `BR` where there are no side channels.
public struct SpeakerPositions: Sendable, Hashable, Codable {
  /// A channel's name as given, in capitals, and its direction.
  public struct Entry: Sendable, Hashable, Codable {
    /// ffmpeg's or an everyday name.
    public let name: String
    /// Azimuth −180 < a ≤ 180 and elevation −90…90, in degrees.
    public let direction: Direction
  }

  /// The entries, in the order given.
  public let entries: [Entry]

  /// No channel is moved.
  public static let standard = SpeakerPositions()

  private init() { entries = [] }

  /// Positions of named channels: azimuth in degrees, positive to the left (as in SOFA and
  /// ITU-R BS.2051), −360…360, elevation in degrees, positive upwards, −90…90.
  /// - Throws: ``MediaError`` of kind `usage` for unknown names, LFE channels, names given twice
  ///   and angles out of range.
  public init(_ entries: [(name: String, azimuth: Double, elevation: Double)]) throws {
    var seen: Set<String> = []
    self.entries = try entries.map { given in
      let name = given.name.uppercased()
      try SpeakerPositions.check(name)
      guard seen.insert(SpeakerPositions.fixedAliases[name]?.name ?? name).inserted else {
        throw MediaError(.usage, "speaker positions: \(given.name) is placed twice; name it once")
      }
      return Entry(name: name, direction: try SpeakerPositions.direction(given))
    }
  }

  /// Positions from text such as `L=30,R=-30,C=0,TFL=45/30`: name, azimuth and, after a slash,
  /// elevation (else 0), in degrees.
  /// - Throws: ``MediaError`` of kind `usage` for text of another form, unknown names, LFE channels,
  ///   names given twice and angles out of range.
  public init(parsing text: String) throws {
    try self.init(
      text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        let sides = part.split(separator: "=", omittingEmptySubsequences: false)
          .map(SpeakerPositions.trim)
        guard sides.count == 2, !sides[0].isEmpty else { throw SpeakerPositions.malformed(part) }
        let angles = sides[1].parts(at: "/")
          .map { Double(SpeakerPositions.trim($0)) }
        guard angles.count <= 2, let azimuth = angles[0],
          let elevation = angles.count == 2 ? angles[1] : 0
        else { throw SpeakerPositions.malformed(part) }
        return (name: sides[0], azimuth: azimuth, elevation: elevation)
      })
  }

  /// The direction of every channel of `layout`; that of an LFE channel is straight ahead.
  /// - Throws: ``MediaError`` of kind `usage` when the layout lacks a named channel, or two names
  ///   mean the same one.
  public func directions(in layout: ChannelLayout) throws -> [Direction] {
    var directions = layout.speakers.indices.map { layout.direction(at: $0) }
    var names: [Int: String] = [:]
    for entry in entries {
      guard let speaker = SpeakerPositions.speaker(entry.name, in: layout),
        let index = layout.speakers.firstIndex(of: speaker)
      else {
        let allowed = layout.speakers.filter { !$0.isLFE }.map(\.name).joined(separator: ", ")
        throw MediaError(
          .usage,
          "speaker positions: \(layout) has no channel \(entry.name); place one of \(allowed)")
      }
      if let other = names.updateValue(entry.name, forKey: index) {
        throw MediaError(
          .usage,
          "speaker positions: \(other) and \(entry.name) both mean \(speaker.name) in \(layout); "
            + "name it once")
      }
      directions[index] = entry.direction
    }
    return directions
  }
}

extension SpeakerPositions {
  private static let fixedAliases: [String: Speaker] = [
    "L": .frontLeft, "R": .frontRight, "C": .frontCenter, "LB": .backLeft, "RB": .backRight,
  ]

  private static let surrounds: [String: (side: Speaker, back: Speaker)] = [
    "LS": (.sideLeft, .backLeft), "RS": (.sideRight, .backRight),
  ]

  private static func speaker(_ name: String, in layout: ChannelLayout) -> Speaker? {
    if let pair = surrounds[name] {
      return layout.speakers.contains(pair.side) ? pair.side : pair.back
    }
    return fixedAliases[name] ?? Speaker(name: name)
  }

  private static func check(_ name: String) throws {
    if fixedAliases[name] != nil || surrounds[name] != nil { return }
    guard let speaker = Speaker(name: name) else {
      let known = Speaker.allCases.filter { !$0.isLFE }.map(\.name).joined(separator: ", ")
      throw MediaError(
        .usage,
        "speaker positions: \(name) is no channel; use L, R, C, LS, RS, LB, RB or one of \(known)")
    }
    guard !speaker.isLFE else {
      throw MediaError(
        .usage,
        "speaker positions: \(name) can't be placed, low-frequency effects have no direction; "
          + "leave it out")
    }
  }

  private static func direction(
    _ given: (name: String, azimuth: Double, elevation: Double)
  ) throws -> Direction {
    guard (-360...360).contains(given.azimuth) else {
      throw MediaError(
        .usage,
        "speaker positions: the azimuth of \(given.name) must be within −360…360°, "
          + "not \(given.azimuth)")
    }
    guard (-90...90).contains(given.elevation) else {
      throw MediaError(
        .usage,
        "speaker positions: the elevation of \(given.name) must be within −90…90°, "
          + "not \(given.elevation)")
    }
    return Direction(azimuth: wrapped(given.azimuth), elevation: given.elevation)
  }

  /// `azimuth` as −180 < a ≤ 180.
  private static func wrapped(_ azimuth: Double) -> Double {
    azimuth > 180 ? azimuth - 360 : (azimuth <= -180 ? azimuth + 360 : azimuth)
  }

  private static func malformed(_ part: Substring) -> MediaError {
    MediaError(
      .usage,
      "speaker positions: \"\(part)\" is not of the form name=azimuth or name=azimuth/elevation, "
        + "in degrees, such as L=30 or TFL=45/30")
  }

  private static func trim(_ text: some StringProtocol) -> String {
    String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
