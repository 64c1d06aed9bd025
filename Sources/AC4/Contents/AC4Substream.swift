/// What the table of contents says of one audio substream (`ac4_substream_info…`).
package struct AC4Substream: Sendable, Equatable, TableEntry {
  /// Coded channel mode; `nil` for objects. For immersive stereo that of the content it was made
  /// from.
  package internal(set) var channelMode: AC4ChannelMode?
  /// Whether four channels lie behind; only said of modes 11…14.
  package internal(set) var hasFourBack = true
  /// Whether a centre channel is there; only said of modes 11…14.
  package internal(set) var hasCentre = true
  /// `top_channels_present`, 0…3; only said of modes 11…14.
  package internal(set) var topChannels = 3
  /// 0 for 96 kHz, 1 for 192 kHz; `nil` at the base rate.
  package internal(set) var rateMultiplier: Int?
  /// `bitrate_indicator` with its length in bits, 3 or 5.
  package internal(set) var bitRateCode: Int?
  /// Whether a mode of 7…10 adds its pair to the surrounds (`add_ch_base`).
  package internal(set) var addsToSurrounds = false
  /// For each codec frame whether it can be read without earlier ones.
  package internal(set) var isIFrame: [Bool] = []
  /// Index of the (first) substream; `nil` when the frame doesn't carry it.
  package internal(set) var index: Int?
  /// Facts of object audio; `nil` for channels.
  package internal(set) var objects: AC4ObjectFacts?
  /// 0 when the substream itself carries level data (bitstream versions 0 and 1), else 1.
  package internal(set) var syntaxVersion = 1

  mutating func clear() {
    var flags = isIFrame
    self = AC4Substream()
    flags.removeAll(keepingCapacity: true)
    isIFrame = flags
  }
}
