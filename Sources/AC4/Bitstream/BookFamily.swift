import Signal

/// The codebooks of a quantity whose values are coded as differences along frequency or along time.
struct BookFamily {
  /// For the first value along frequency (F0).
  let first: HuffmanDecoder
  /// For the differences along frequency (DF).
  let frequency: HuffmanDecoder
  /// For the differences along time (DT).
  let time: HuffmanDecoder

  /// Decoders of the three tabulated codes.
  init(_ first: HuffmanCode, _ frequency: HuffmanCode, _ time: HuffmanCode) {
    self.first = HuffmanDecoder(first)
    self.frequency = HuffmanDecoder(frequency)
    self.time = HuffmanDecoder(time)
  }
}
