// SPDX-License-Identifier: Apache-2.0
import Signal

/// Parts that a block header may have, as bits of `guards`.
private enum Part {
  static let guards = 0x01
  static let offset = 0x02
  static let iir = 0x04
  static let fir = 0x08
  static let steps = 0x10
  static let outputShifts = 0x20
  static let matrices = 0x40
  static let size = 0x80
}

extension Substream {
  /// Reads a block header (`block_header`).
  /// - Parameters:
  ///   - at: the unit's sample that the block begins with.
  ///   - unitLength: samples of a unit.
  /// - Throws: ``TrueHDError``.
  func readBlockHeader(
    _ bits: inout BitReader, at: Int, unitLength: Int
  ) throws(TrueHDError) {
    // New guards count for the rest of this header.
    if guards & Part.guards != 0, try bits.flag() { guards = try bits.read(8) }
    if guards & Part.size != 0, try bits.flag() {
      blockSize = try bits.read(9)
      guard 8...unitLength ~= blockSize else { throw .damaged("block size") }
    }
    if guards & Part.matrices != 0, try bits.flag() { try matrices.read(&bits, header) }
    if guards & Part.outputShifts != 0, try bits.flag() {
      for channel in 0..<header.channels { outputShifts.base[channel] = try bits.signed(4) }
    }
    if guards & Part.steps != 0, try bits.flag() {
      // Also for channels before the first coded one: presentations of several substreams need them.
      for channel in 0..<(header.lastChannel + 1) { steps.base[channel] = try bits.read(4) }
    }
    for channel in coded where try bits.flag() { try readChannel(channel, &bits, at: at) }
  }

  private func readChannel(
    _ index: Int, _ bits: inout BitReader, at: Int
  ) throws(TrueHDError) {
    var channel = channels.base[index]
    let taps = taps.base + index * Substream.tapStride
    if guards & Part.fir != 0, try bits.flag() {
      channel.firOrder = try readFilter(
        &bits, taps, &channel.firPrecision, most: Substream.firTaps)
      if channel.firOrder > 0, try bits.flag() { throw .damaged("states of an FIR filter") }
    }
    if guards & Part.iir != 0, try bits.flag() {
      channel.iirOrder = try readFilter(
        &bits, taps + Substream.firTaps, &channel.iirPrecision, most: 4)
      if channel.iirOrder > 0, try bits.flag() {
        try readStates(&bits, index, channel.iirOrder, at: at)
      }
    }
    guard channel.firOrder + channel.iirOrder <= 8 else { throw .damaged("orders of filters") }
    guard
      channel.firOrder == 0 || channel.iirOrder == 0
        || channel.firPrecision == channel.iirPrecision
    else { throw .damaged("precisions of filters") }
    if guards & Part.offset != 0, try bits.flag() { channel.offset = try bits.signed(15) }
    (channel.book, channel.lowBits) = (try bits.read(2), try bits.read(5))
    guard channel.lowBits <= header.kind.mostLowBits else { throw .damaged("huff_lsbs") }
    channels.base[index] = channel
  }

  /// Reads a filter up to its states; answers its order.
  private func readFilter(
    _ bits: inout BitReader, _ taps: UnsafeMutablePointer<Int32>, _ precision: inout Int, most: Int
  ) throws(TrueHDError) -> Int {
    let order = try bits.read(4)
    guard order <= most else { throw .damaged("a filter's order") }
    guard order > 0 else { return 0 }
    precision = try bits.read(4)
    let (width, shift) = (try bits.read(5), try bits.read(3))
    guard 1...16 ~= width, width + shift <= 16 else { throw .damaged("a filter's coefficients") }
    for tap in 0..<order { taps[tap] = Int32(try bits.signed(width) << shift) }
    return order
  }

  /// Reads states of an IIR filter: they replace what it took of the last samples, the newest first.
  private func readStates(
    _ bits: inout BitReader, _ index: Int, _ order: Int, at: Int
  ) throws(TrueHDError) {
    let (width, shift) = (try bits.read(4), try bits.read(4))
    let newest = errors.base + index * Substream.stride + at + Substream.history - 1
    for place in 0..<Substream.history {
      newest[-place] = place < order ? Int32(try bits.signed(width) << shift) : 0
    }
  }
}
