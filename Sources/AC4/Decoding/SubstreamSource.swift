/// Where one substream of a presentation is found in a frame.
struct SubstreamSource: Equatable {
  /// What it is in the presentation.
  let role: SubstreamRole
  /// Channels that are coded.
  let mode: AC4ChannelMode
  /// Whether a wide or top pair belongs to the surrounds (`add_ch_base`).
  let addsToSurrounds: Bool
  /// Codec frames in the transport frame.
  let parts: Int
  /// Place of its group's gain among those that are sent; `nil` without one.
  let gainPlace: Int?
  /// Substream of the first codec frame.
  let first: Int
  /// For each codec frame whether it can be read without earlier ones, one bit each.
  let flags: UInt8
  /// 0 for 96 kHz, 1 for 192 kHz; `nil` at the base rate.
  let rateMultiplier: Int?
  /// 0 when the substream itself carries level data, else 1.
  let syntaxVersion: Int

  /// Whether codec frame `part` can be read without earlier ones.
  func isIFrame(_ part: Int) -> Bool { flags >> UInt8(part & 7) & 1 == 1 }

  /// Whether both can be decoded by one decoder.
  func isLike(_ other: SubstreamSource) -> Bool {
    role == other.role && mode == other.mode && addsToSurrounds == other.addsToSurrounds
      && parts == other.parts
  }
}
