// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ObjectMetadata

/// A group of substreams that presentations use together (`ac4_substream_group_info`, TS 103 190-2, 6.2.1.6).
///
/// Streams of bitstream version 0 have no groups; each substream is then one of its own.
package struct AC4SubstreamGroup: Sendable, Equatable, TableEntry {
  /// Whether the frame carries the group's substreams.
  package internal(set) var isPresent = true
  /// Whether high sampling frequency extensions come with them.
  package internal(set) var hasHighSamplingFrequency = false
  /// Whether they code channels; objects otherwise.
  package internal(set) var isChannelCoded = true
  /// Index of the substream with the metadata of its objects (`oamd_substream`); `nil` without one.
  package internal(set) var metadata: Int?
  /// Whether those metadata can be read without earlier frames (`b_oamd_ndot`).
  var metadataAreIndependent = false
  /// Its audio substreams.
  package internal(set) var substreams: [AC4Substream] = []
  /// `content_classifier`, 0…7; 0 is main, 4 dialogue.
  package internal(set) var content: Int?
  /// Language tag (BCP 47), if the whole of it was sent.
  package internal(set) var language: String?

  /// Resets the group, but keeps its substreams, which are cleared one by one as they are read.
  mutating func clear() {
    let substreams = substreams
    self = AC4SubstreamGroup()
    self.substreams = substreams
  }
}

/// The table of contents' entry for one audio substream (`ac4_substream_info` and, in TS 103 190-2,
/// 6.2.1.8 to 6.2.1.14, `ac4_substream_info_chan`, `_ajoc` and `_obj`).
package struct AC4Substream: Sendable, Equatable, TableEntry {
  /// The channel mode that is sent; `nil` for objects. In immersive stereo it is that of the content that the
  /// coded pair was made from.
  package internal(set) var channelMode: AC4ChannelMode?
  /// `b_4_back_channels_present`; only sent for modes 11…14.
  package internal(set) var hasFourBack = true
  /// `b_centre_present`; only sent for modes 11…14.
  package internal(set) var hasCentre = true
  /// `top_channels_present`, 0…3; only sent for modes 11…14.
  package internal(set) var topChannels = 3
  /// `sf_multiplier`: 0 for 96 kHz, 1 for 192 kHz; `nil` at the base rate.
  package internal(set) var rateMultiplier: Int?
  /// `bitrate_indicator` with its length in bits, 3 or 5.
  package internal(set) var bitRateCode: Int?
  /// Whether a mode of 7…10 adds its pair to the surrounds (`add_ch_base`).
  package internal(set) var addsToSurrounds = false
  /// For each codec frame whether it can be read without earlier ones.
  package internal(set) var isIFrame: [Bool] = []
  /// Index of the substream with its first codec frame; `nil` when the frame doesn't carry it.
  package internal(set) var index: Int?
  /// Facts of object audio; `nil` for channels.
  package internal(set) var objects: AC4ObjectFacts?
  /// `sus_ver`: 0 when the substream itself carries level and dynamic range data (bitstream versions 0 and
  /// 1), else 1.
  package internal(set) var syntaxVersion = 1

  mutating func clear() {
    var flags = isIFrame
    self = AC4Substream()
    flags.removeAll(keepingCapacity: true)
    isIFrame = flags
  }
}

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

  package static let mono = AC4ChannelMode(0)
  /// Two channels.
  package static let stereo = AC4ChannelMode(1)

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

/// The table of contents' entry for object audio (TS 103 190-2, 6.2.1.9 to 6.2.1.12).
package struct AC4ObjectFacts: Sendable, Equatable {
  /// Whether objects are decoded from a downmix (A-JOC).
  package internal(set) var isJointlyCoded = false
  /// Whether the downmix is a 5.X bed.
  package internal(set) var isStaticDownmix = false
  /// Whether there is a low-frequency channel.
  package internal(set) var hasLFE = false
  /// Coded signals, without low frequencies.
  package internal(set) var downmixSignals = 0
  /// Decoded objects, without low frequencies.
  package internal(set) var objects = 0
  /// Channels of the bed that the first objects make, in their order. The other objects are dynamic, or of the
  /// intermediate spatial format.
  package internal(set) var bed = BedList()
  /// Whether some objects belong to a bed of channels.
  package internal(set) var hasBed = false
  /// Whether some objects are dynamic: they have a position that may move.
  package internal(set) var hasDynamicObjects = false
  /// Whether they are of the intermediate spatial format.
  package internal(set) var isIntermediateFormat = false
  /// As ``bed``, of the signals of the downmix.
  var downmixBed = BedList()
}

/// Channels of a bed in the order of their objects, at most 64. The list has no memory of its own, because each frame
/// lists them anew.
package struct BedList: Equatable, Sendable {
  /// The most channels.
  static let capacity = 64

  /// Number of channels.
  package private(set) var count = 0
  private var codes = SIMD64<UInt8>.zero

  package var channels: [BedChannel] {
    (0..<count).compactMap { BedChannel(rawValue: Int(codes[$0])) }
  }

  /// Adds a channel; the list mustn't be full.
  mutating func append(_ channel: BedChannel) {
    codes[count] = UInt8(truncatingIfNeeded: channel.rawValue)
    count += 1
  }
}
