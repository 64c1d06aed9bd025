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
