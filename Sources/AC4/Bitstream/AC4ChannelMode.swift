import AudioCore

/// The channels that a substream codes (TS 103 190-1, Table 85; TS 103 190-2, Table 56).
package struct AC4ChannelMode: Sendable, Hashable {
  /// `ch_mode`, 0…15.
  package let rawValue: Int

  /// The mode with this number; `nil` beyond 15.
  package init?(rawValue: Int) {
    guard (0...15).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ number: Int) { rawValue = number }

  /// One channel.
  package static let mono = AC4ChannelMode(0)
  /// Two channels.
  package static let stereo = AC4ChannelMode(1)

  /// Five channels.
  static let fiveZero = AC4ChannelMode(3)
  /// Five channels and low frequencies.
  static let fiveOne = AC4ChannelMode(4)

  private static let names = [
    "mono", "stereo", "3.0", "5.0", "5.1", "7.0 (3/4/0)", "7.1 (3/4/0.1)", "7.0 (5/2/0)",
    "7.1 (5/2/0.1)", "7.0 (3/2/2)", "7.1 (3/2/2.1)", "7.0.4", "7.1.4", "9.0.4", "9.1.4", "22.2",
  ]
  /// Speaker groups, one bit each, as `dac4` lists them (TS 103 190-2, Table A.27).
  private static let masks = [
    0x2, 0x1, 0x3, 0x7, 0x47, 0xF, 0x4F, 0x20007, 0x20047, 0x40007, 0x40047, 0x3F, 0x7F, 0x1003F,
    0x1007F, 0x2FF7F,
  ]

  /// Name of the mode in the standard.
  package var name: String { AC4ChannelMode.names[rawValue] }
  /// Whether it has a low-frequency channel.
  package var hasLFE: Bool { [4, 6, 8, 10, 12, 14, 15].contains(rawValue) }
  /// Whether it has a centre channel.
  package var hasCentre: Bool { rawValue != 1 }
  /// Speaker groups of the mode, one bit each.
  package var speakerGroups: Int { AC4ChannelMode.masks[rawValue] }
  /// Number of channels; 22.2 counts 24.
  package var channels: Int { [1, 2, 3, 5, 6, 7, 8, 7, 8, 7, 8, 11, 12, 13, 14, 24][rawValue] }

  /// The place in ``layout`` of each channel in coded order.
  var places: [Int] {
    // 3/4/0 codes the back pair after the side pair; layouts have it before.
    switch rawValue {
    case 5: return [0, 1, 2, 5, 6, 3, 4]
    case 6: return [0, 1, 2, 3, 6, 7, 4, 5]
    default: return Array(0..<channels)
    }
  }

  /// Short names of the channels' speakers in coded order; none for modes above 10, in which nothing is mixed.
  var codedSpeakers: [String] {
    guard let layout else { return [] }
    return places.map { layout.speakers[$0].name }
  }

  /// The layout of the decoder's output, in this program's order of speakers; `nil` for modes above 10.
  /// Of these, ``ImmersiveChannels`` has the layouts that are decoded.
  package var layout: ChannelLayout? {
    switch rawValue {
    case 0: return .mono
    case 1: return .stereo
    case 2: return ChannelLayout(name: "3.0")
    case 3: return ChannelLayout(name: "5.0(side)")
    case 4: return ChannelLayout(name: "5.1(side)")
    case 5: return ChannelLayout(name: "7.0")
    case 6: return ChannelLayout(name: "7.1")
    case 7: return ChannelLayout(name: "FL+FR+FC+SL+SR+WL+WR")
    case 8: return ChannelLayout(name: "FL+FR+FC+LFE+SL+SR+WL+WR")
    case 9: return ChannelLayout(name: "FL+FR+FC+SL+SR+TFL+TFR")
    case 10: return ChannelLayout(name: "5.1.2")
    default: return nil
    }
  }
}
