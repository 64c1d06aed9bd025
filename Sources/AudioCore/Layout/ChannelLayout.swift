// SPDX-License-Identifier: Apache-2.0

/// The loudspeaker of each channel of a programme, in channel order.
///
/// Channels are always in mask order (WAVEFORMATEXTENSIBLE, libav). Names are ffmpeg's; directions
/// are those of ITU-R BS.2051-3, so that side and back 5.1 both put the surrounds at ±110°.
public struct ChannelLayout: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The speakers, in channel order; none where nothing names them.
  public let speakers: [Speaker]
  /// Number of channels that belong to no known loudspeaker: 0, or all of them.
  public let unnamed: Int

  /// A layout of these speakers, put into mask order; duplicates are dropped.
  public init(_ speakers: [Speaker]) {
    self.speakers = Set(speakers).sorted { $0.rawValue < $1.rawValue }
    unnamed = 0
  }

  /// A layout of `unnamed` channels that belong to no known loudspeaker, as tracks of a recorder do.
  package init(unnamed: Int) {
    speakers = []
    self.unnamed = unnamed
  }

  /// The layout with these mask bits; `nil` when a bit names no known speaker or none is set.
  public init?(mask: UInt64) {
    var speakers: [Speaker] = []
    for bit in 0..<64 where mask & (1 << UInt64(bit)) != 0 {
      guard let speaker = Speaker(rawValue: bit) else { return nil }
      speakers.append(speaker)
    }
    guard !speakers.isEmpty else { return nil }
    self.speakers = speakers
    unnamed = 0
  }

  /// The layout with this name (`5.1`, `7.1.4`, `22.2`) or of these speakers in mask order (`FL+FR+FC`),
  /// in any letter case; `nil` for any other text.
  public init?(name: String) {
    let wanted = name.lowercased()
    if let known = ChannelLayout.catalog.first(where: { $0.name == wanted }) {
      self = known.layout
      return
    }
    let parts = name.split(separator: "+").map { Speaker(name: String($0)) }
    let speakers = parts.compactMap { $0 }
    guard !speakers.isEmpty, speakers.count == parts.count, Set(speakers).count == parts.count
    else { return nil }
    self.init(speakers)
    // Channels lie in mask order; a name in another order would promise a permutation.
    guard self.speakers == speakers else { return nil }
  }

  /// The layout whose ``name`` is `text`, also of channels that nothing names (`12 channels`); `nil` for any other text.
  package init?(coded text: String) {
    if let count = text.wholeMatch(of: #/([0-9]{1,3}) channels/#).flatMap({ Int($0.1) }) {
      self.init(unnamed: count)
    } else {
      self.init(name: text)
    }
  }

  /// The layout that WAV readers assume for 1…8 channels without a mask; `nil` for any other number.
  public static func conventional(channels: Int) -> ChannelLayout? {
    let names = ["mono", "stereo", "3.0", "quad", "5.0", "5.1", "6.1", "7.1"]
    guard names.indices.contains(channels - 1) else { return nil }
    return ChannelLayout(name: names[channels - 1])
  }

  /// One channel, front centre.
  public static let mono = ChannelLayout([.frontCenter])
  /// Front left and right.
  public static let stereo = ChannelLayout([.frontLeft, .frontRight])

  /// Reads a layout from its name.
  /// - Throws: `DecodingError` when no layout has this name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let layout = ChannelLayout(coded: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no channel layout")
    }
    self = layout
  }

  /// Writes the layout's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Number of channels.
  public var count: Int { speakers.count + unnamed }

  /// Mask with one bit per speaker, as in WAVEFORMATEXTENSIBLE (bits above 17 are libav's); 0 where nothing names them.
  public var mask: UInt64 { speakers.reduce(0) { $0 | (1 << UInt64($1.rawValue)) } }

  /// Name of a known layout, else the speakers joined by `+`, or the number of channels that nothing names, e.g.
  /// `12 channels`.
  public var name: String {
    if unnamed > 0 { return "\(unnamed) channels" }
    if let known = ChannelLayout.catalog.first(where: { $0.layout == self }) { return known.name }
    return speakers.map(\.name).joined(separator: "+")
  }

  /// Name of each channel: that of its speaker, or its number from 1.
  package var channelNames: [String] {
    unnamed > 0 ? (1...unnamed).map(String.init) : speakers.map(\.name)
  }

  /// Same as ``name``.
  public var description: String { name }

  /// Names of all layouts that can be asked for by name.
  public static var knownNames: [String] { catalog.map(\.name) }

  /// Direction of the channel at `index`, which must be below ``count``; that of an LFE channel is
  /// straight ahead, and that of one without a name.
  public func direction(at index: Int) -> Direction {
    guard unnamed == 0 else { return Direction(azimuth: 0) }
    return SpeakerDirections.direction(of: speakers[index], in: Set(speakers))
  }

  /// Weight of the channel at `index`, which must be below ``count``, in programme loudness (ITU-R
  /// BS.1770-5, Table 4): the factor of its mean square.
  ///
  /// 0 for LFE and without a name, 1.41 (+1.5 dB) for 60° ≤ |azimuth| ≤ 120° with |elevation| < 30°, else 1.
  public func loudnessWeight(at index: Int) -> Double {
    if unnamed > 0 || speakers[index].isLFE { return 0 }
    let place = direction(at: index)
    let lateral = (60...120).contains(place.azimuth.magnitude) && place.elevation.magnitude < 30
    return lateral ? 1.41 : 1
  }
}

extension ChannelLayout {
  /// A layout that can be asked for by name.
  struct Named: Sendable {
    let name: String
    let layout: ChannelLayout

    init(_ name: String, _ speakers: String) {
      self.name = name
      self.layout = ChannelLayout(
        speakers.split(separator: " ").compactMap { Speaker(name: String($0)) })
    }
  }

  /// Names as ffmpeg prints them, plus the immersive layouts of ITU-R BS.2051 under their
  /// everyday names. The first entry with a given speaker set names it.
  static let catalog: [Named] = [
    Named("mono", "FC"),
    Named("stereo", "FL FR"),
    Named("2.1", "FL FR LFE"),
    Named("3.0", "FL FR FC"),
    Named("3.0(back)", "FL FR BC"),
    Named("4.0", "FL FR FC BC"),
    Named("quad", "FL FR BL BR"),
    Named("quad(side)", "FL FR SL SR"),
    Named("3.1", "FL FR FC LFE"),
    Named("5.0", "FL FR FC BL BR"),
    Named("5.0(side)", "FL FR FC SL SR"),
    Named("4.1", "FL FR FC LFE BC"),
    Named("5.1", "FL FR FC LFE BL BR"),
    Named("5.1(side)", "FL FR FC LFE SL SR"),
    Named("6.0", "FL FR FC BC SL SR"),
    Named("6.0(front)", "FL FR FLC FRC SL SR"),
    Named("hexagonal", "FL FR FC BL BR BC"),
    Named("6.1", "FL FR FC LFE BC SL SR"),
    Named("6.1(back)", "FL FR FC LFE BL BR BC"),
    Named("6.1(front)", "FL FR LFE FLC FRC SL SR"),
    Named("7.0", "FL FR FC BL BR SL SR"),
    Named("7.0(front)", "FL FR FC FLC FRC SL SR"),
    Named("7.1", "FL FR FC LFE BL BR SL SR"),
    Named("7.1(wide)", "FL FR FC LFE BL BR FLC FRC"),
    Named("7.1(wide-side)", "FL FR FC LFE FLC FRC SL SR"),
    Named("octagonal", "FL FR FC BL BR BC SL SR"),
    Named("5.1.2", "FL FR FC LFE SL SR TFL TFR"),
    Named("5.1.2(back)", "FL FR FC LFE BL BR TFL TFR"),
    Named("5.1.4", "FL FR FC LFE SL SR TFL TFR TBL TBR"),
    Named("5.1.4(back)", "FL FR FC LFE BL BR TFL TFR TBL TBR"),
    Named("7.1.2", "FL FR FC LFE BL BR SL SR TFL TFR"),
    Named("7.1.4", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR"),
    Named("9.1.4", "FL FR FC LFE BL BR FLC FRC SL SR TFL TFR TBL TBR"),
    Named("9.1.6", "FL FR FC LFE BL BR FLC FRC SL SR TFL TFR TBL TBR TSL TSR"),
    Named("9.1.4(wide)", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR WL WR"),
    Named("9.1.6(wide)", "FL FR FC LFE BL BR SL SR TFL TFR TBL TBR WL WR TSL TSR"),
    Named(
      "22.2",
      "FL FR FC LFE BL BR FLC FRC BC SL SR TC TFL TFC TFR TBL TBC TBR LFE2 TSL TSR BFC BFL BFR"),
    Named("downmix", "DL DR"),
  ]
}

/// Loudspeaker positions as ISO/IEC 23091-3 numbers them (table 7).
package enum ChannelPositions {
  private static let numbers: [Speaker: Int] = [
    .frontLeft: 0, .frontRight: 1, .frontCenter: 2, .lowFrequency: 3, .sideLeft: 4, .sideRight: 5,
    .frontLeftOfCenter: 6, .frontRightOfCenter: 7, .backLeft: 8, .backRight: 9, .backCenter: 10,
    .wideLeft: 15, .wideRight: 16, .topFrontLeft: 17, .topFrontRight: 18, .topFrontCenter: 19,
    .topBackLeft: 20, .topBackRight: 21, .topBackCenter: 22, .topSideLeft: 23, .topSideRight: 24,
    .topCenter: 25, .lowFrequency2: 26, .bottomFrontLeft: 27, .bottomFrontRight: 28,
    .bottomFrontCenter: 29,
  ]

  /// Numbers of all of a layout's channels; `nil` when it has one without a number.
  package static func numbers(of layout: ChannelLayout) -> [Int]? {
    // Numbers 4 and 5 are left and right surround. The only surround pair of a layout gets them, even
    // where the layout calls it back left and right.
    let hasSides = layout.speakers.contains(.sideLeft)
    let found = layout.speakers.compactMap { speaker -> Int? in
      switch speaker {
      case .backLeft where !hasSides: return 4
      case .backRight where !hasSides: return 5
      default: return numbers[speaker]
      }
    }
    return found.count == layout.count ? found : nil
  }

  /// The layout whose channels have these numbers, in this order; `nil` when it has a number without
  /// a speaker, one twice, or another order than ``ChannelLayout``'s.
  package static func layout(of numbers: [Int]) -> ChannelLayout? {
    let speakers = numbers.compactMap { number in
      ChannelPositions.numbers.first { $0.value == number }?.key
    }
    let layout = ChannelLayout(speakers)
    guard !numbers.isEmpty, speakers.count == numbers.count, layout.speakers == speakers else {
      return nil
    }
    return layout
  }
}
