/// A prefix code as tabulated: one length and one codeword for each symbol.
struct HuffmanCode: Sendable {
  /// What is taken from a symbol's index to get its value.
  let offset: Int
  /// Bits of each symbol's codeword, 1…23.
  let lengths: [UInt8]
  /// Codewords, most significant bit first.
  let codewords: [UInt32]
}
