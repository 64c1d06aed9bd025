// SPDX-License-Identifier: Apache-2.0

/// Decodes the symbols of a complete prefix code: codewords of up to ten bits by table, longer ones by
/// search.
public final class HuffmanDecoder {
  /// Longest codeword in the table: larger tables would crowd the processor's cache.
  public static let shortBits = 10

  /// A symbol's value is its index less this.
  public let offset: Int
  /// Number of symbols.
  public let count: Int
  /// For every ten bits that data may begin with, the symbol times 32 plus the length of its codeword; 0
  /// where the codeword is longer.
  @usableFromInline let short: UnsafeMutablePointer<UInt16>
  /// All codewords in ascending order, their first bit the most significant one.
  @usableFromInline let starts: UnsafeMutablePointer<UInt32>
  /// The symbol times 32 plus the length of each of them.
  @usableFromInline let entries: UnsafeMutablePointer<UInt16>
  /// The owners of the three tables.
  private let memory: (Buffer<UInt16>, Buffer<UInt32>, Buffer<UInt16>)

  /// A decoder of `code`.
  package init(_ code: HuffmanCode) {
    offset = code.offset
    count = code.lengths.count
    memory = (
      Buffer(0, count: 1 << HuffmanDecoder.shortBits), Buffer(0, count: count),
      Buffer(0, count: count)
    )
    (short, starts, entries) = (memory.0.base, memory.1.base, memory.2.base)
    let aligned = zip(code.codewords, code.lengths).map { $0 << (32 - UInt32($1)) }
    let order = aligned.indices.sorted { aligned[$0] < aligned[$1] }
    for (place, symbol) in order.enumerated() {
      let length = Int(code.lengths[symbol])
      let entry = UInt16(symbol << 5 | length)
      starts[place] = aligned[symbol]
      entries[place] = entry
      guard length <= HuffmanDecoder.shortBits else { continue }
      let first = Int(aligned[symbol] >> UInt32(32 - HuffmanDecoder.shortBits))
      for index in first..<first + 1 << (HuffmanDecoder.shortBits - length) {
        short[index] = entry
      }
    }
  }

  /// The index of the next symbol, `hidx`.
  @inlinable @inline(__always)
  public func index<Failure: BitstreamFailure>(
    _ bits: inout BitReader<Failure>
  ) throws(Failure) -> Int {
    let word = bits.peek32()
    var entry = short[Int(word &>> UInt32(32 - HuffmanDecoder.shortBits))]
    if entry == 0 { entry = search(word) }
    try bits.skip(Int(entry & 31))
    return Int(entry &>> 5)
  }

  /// The value of the next symbol, `hval`.
  @inlinable @inline(__always)
  public func value<Failure: BitstreamFailure>(
    _ bits: inout BitReader<Failure>
  ) throws(Failure) -> Int { try index(&bits) - offset }

  /// The symbol times 32 plus the length of the codeword that `word` begins with: the last that isn't larger.
  public func search(_ word: UInt32) -> UInt16 {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= word { low = middle } else { high = middle }
    }
    return entries[low]
  }
}

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
