/// One substream of a presentation, and where a frame has it.
struct SubstreamSource: Equatable {
  /// Its role in the presentation.
  let role: SubstreamRole
  /// What its element codes.
  let layout: ElementLayout
  /// How it codes objects; `nil` for channels.
  let objects: ObjectCoding?
  /// Codec frames in the transport frame (`frame_rate_factor`).
  let parts: Int
  /// Place of its group's `sg_gain` among those that are sent; `nil` without one.
  let gainPlace: Int?
  /// Index of the substream with its first codec frame; those of the others follow.
  let first: Int
  /// For each codec frame whether it can be read without earlier ones, one bit each.
  let flags: UInt8
  /// `sf_multiplier`: 0 for 96 kHz, 1 for 192 kHz; `nil` at the base rate.
  let rateMultiplier: Int?
  /// `sus_ver`: 0 when the substream itself carries level and dynamic range data, 1 when the presentation's
  /// own substream does.
  let syntaxVersion: Int

  /// Whether codec frame `part` can be read without earlier ones.
  func isIFrame(_ part: Int) -> Bool { flags >> UInt8(part & 7) & 1 == 1 }

  /// Whether one decoder can decode both.
  func isLike(_ other: SubstreamSource) -> Bool {
    role == other.role && layout == other.layout && objects == other.objects
      && parts == other.parts
  }
}
