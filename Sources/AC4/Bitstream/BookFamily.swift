/// The codebooks of one quantity that is coded along frequency or along time.
struct BookFamily {
  /// For the first value along frequency.
  let first: HuffmanDecoder
  /// For the others along frequency.
  let frequency: HuffmanDecoder
  /// For values along time.
  let time: HuffmanDecoder

  /// Decoders of the three tabulated codes.
  init(_ first: HuffmanCode, _ frequency: HuffmanCode, _ time: HuffmanCode) {
    self.first = HuffmanDecoder(first)
    self.frequency = HuffmanDecoder(frequency)
    self.time = HuffmanDecoder(time)
  }
}
