// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads the residuals of blocks, which are coded sample by sample, all channels in turn.
final class ResidualReader {
  /// Bits that a code has at most, and the entries of a book.
  private static let codeBits = 9
  private static let entries = 1 << codeBits
  /// Length in the entries that belong to no code.
  private static let noCode = 15

  /// How the residuals of a channel are read in a block.
  private struct Plan: BitwiseCopyable {
    /// For each nine bits, 16 times the value, plus the length of its code.
    var book: UnsafePointer<Int16>
    /// Whether it has no book.
    var isPlain: Bool
    /// Uncoded low bits, 0…31.
    var lowBits: Int
    /// Addend of each value.
    var base: Int
    /// Zeros below each value.
    var step: Int
    var target: UnsafeMutablePointer<Int32>
  }

  /// Bits that a matrix's results get as they are.
  private struct Bypass: BitwiseCopyable {
    var width: Int
    var target: UnsafeMutablePointer<Int32>
  }

  /// Book 0, whose only code has no bits, and the three of the format.
  private let books = Buffer<Int16>(0, count: 4 * entries)
  private let nowhere = Buffer<Int32>(0, count: 1)
  private let plans: Buffer<Plan>
  private let bypasses: Buffer<Bypass>

  /// A reader for any substream.
  init() {
    let codes = [ResidualBooks.book1, ResidualBooks.book2, ResidualBooks.book3]
    for (index, entry) in codes.joined().enumerated() {
      books.base[ResidualReader.entries + index] =
        entry == 0 ? Int16(ResidualReader.noCode) : entry
    }
    let plan = Plan(
      book: UnsafePointer(books.base), isPlain: true, lowBits: 0, base: 0, step: 0,
      target: nowhere.base)
    plans = Buffer(plan, count: Substream.mostChannels)
    bypasses = Buffer(
      Bypass(width: 0, target: nowhere.base), count: MatrixSet.mostMatrices)
  }

  /// Reads a block: residuals to the places of its samples, bypassed bits to those of the matrices.
  /// - Parameter at: the unit's sample that the block begins with.
  /// - Throws: ``TrueHDError``; what was written is of no use then.
  func read(
    _ bits: inout BitReader, _ substream: Substream, at: Int
  ) throws(TrueHDError) {
    let coded = try planChannels(substream, at: at)
    let bypassed = planBypasses(substream, at: at)
    let half = 1 &<< (substream.header.kind.bits - 1)
    let (plans, bypasses) = (plans.base, bypasses.base)
    // A reader of its own stays in registers.
    var reader = bits
    let (end, count) = (bits.end, substream.blockSize)
    // Sums of all values and lengths, so that the loops needn't look at each one.
    var (excess, seen) = (0, 0)
    var index = 0
    while index < count {
      for place in 0..<bypassed {
        let bypass = bypasses[place]
        bypass.target[index] = Int32(truncatingIfNeeded: reader.peek(bypass.width))
        reader.position &+= bypass.width
      }
      var plan = plans
      let last = plans + coded
      while plan < last {
        let (lowBits, target) = (plan.pointee.lowBits, plan.pointee.target)
        let word = reader.peekLong()
        // Without a book, the next place doesn't wait for a look into one.
        let entry =
          plan.pointee.isPlain ? 0 : Int(plan.pointee.book[Int(truncatingIfNeeded: word &>> 55)])
        let length = entry & 15
        let rest = (word &<< UInt64(truncatingIfNeeded: length)) &>> 1
        let low = Int(truncatingIfNeeded: rest &>> UInt64(truncatingIfNeeded: 63 &- lowBits))
        reader.position &+= length &+ lowBits
        let sum = (entry &>> 4) &<< lowBits &+ low &+ plan.pointee.base
        let value = sum &<< plan.pointee.step
        excess |= value &+ half
        // Only the length of no code reaches the bit above lengths.
        seen |= length &+ 1
        target[index] = Int32(truncatingIfNeeded: value)
        plan += 1
      }
      guard reader.position <= end else { throw .damaged("data end too early") }
      index &+= 1
    }
    bits = reader
    guard seen <= ResidualReader.noCode else { throw .damaged("a residual's code") }
    guard excess & ~(half &* 2 &- 1) == 0 else { throw .damaged("a residual out of range") }
  }

  /// Plans the channels that have bits; answers how many these are. The residuals of others are all alike.
  private func planChannels(_ substream: Substream, at: Int) throws(TrueHDError) -> Int {
    var count = 0
    for index in substream.coded {
      let channel = substream.channels.base[index]
      let step = substream.steps.base[index]
      let lowBits = channel.lowBits - step
      guard lowBits >= 0 else { throw .damaged("quantiser step") }
      let places = channel.book == 0 ? lowBits - 1 : lowBits + 2 - channel.book
      let base = channel.offset - (places >= 0 ? 1 << places : 0)
      let target = substream.samples.base + index * Substream.stride + Substream.history + at
      if channel.book == 0, lowBits == 0 {
        // An offset of 15 bits and a step of 15 are more than 24 bits.
        let value = base << step
        let half = 1 << (substream.header.kind.bits - 1)
        guard -half..<half ~= value else { throw .damaged("a residual out of range") }
        target.update(repeating: Int32(value), count: substream.blockSize)
        continue
      }
      let book = UnsafePointer(books.base) + channel.book * ResidualReader.entries
      plans.base[count] = Plan(
        book: book, isPlain: channel.book == 0, lowBits: lowBits, base: base, step: step,
        target: target)
      count += 1
    }
    return count
  }

  /// Plans the matrices that get bits; answers how many these are.
  private func planBypasses(_ substream: Substream, at: Int) -> Int {
    var count = 0
    for index in 0..<substream.matrices.count {
      let width = substream.matrices.matrices.base[index].bypass
      guard width > 0 else { continue }
      let target = substream.output.bypassed.base + index * Substream.mostSamples + at
      bypasses.base[count] = Bypass(width: width, target: target)
      count += 1
    }
    return count
  }
}
