/// The settings that an A-SPX element is read with.
struct ASPXContext {
  /// Settings of the last I-frame.
  let configuration: ASPXConfiguration
  /// Whether this frame is an I-frame of the substream.
  let isIFrame: Bool
  /// A-SPX slots per frame.
  let steps: Int
  /// Whether the stream belongs to the 48 kHz family.
  let is48kHz: Bool
  /// The codebooks.
  let books: ASPXBooks
}
