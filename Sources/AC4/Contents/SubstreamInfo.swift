/// What the table of contents says of a substream that is decoded.
struct SubstreamInfo {
  /// Whether it can be read without earlier frames.
  let isIFrame: Bool
  /// The frame's `sequence_counter`.
  let sequenceCounter: Int
  /// 0 when the substream itself carries level data, else 1.
  var syntaxVersion = 1
}
