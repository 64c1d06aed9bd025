/// A prefix code as the standard tabulates it: a length and a codeword for each symbol.
package struct HuffmanCode: Sendable {
  /// A symbol's value is its index less this (`cb_off`).
  package let offset: Int
  /// Bits of each symbol's codeword, 1…24.
  package let lengths: [UInt8]
  /// Codewords, most significant bit first.
  package let codewords: [UInt32]

  /// A code from its table.
  package init(offset: Int, lengths: [UInt8], codewords: [UInt32]) {
    self.offset = offset
    self.lengths = lengths
    self.codewords = codewords
  }
}
