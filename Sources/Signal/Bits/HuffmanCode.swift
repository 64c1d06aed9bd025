/// A prefix code as the standard tabulates it: a length and a codeword for each symbol.
struct HuffmanCode: Sendable {
  /// A symbol's value is its index less this (`cb_off`).
  let offset: Int
  /// Bits of each symbol's codeword, 1…23.
  let lengths: [UInt8]
  /// Codewords, most significant bit first.
  let codewords: [UInt32]
}
