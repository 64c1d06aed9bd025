// SPDX-License-Identifier: Apache-2.0
import Signal

/// Makes a presentation of coded channels: matrices, output shifts, order of channels, and the check that nothing was lost.
///
/// A presentation has a copy of the coded channels to itself: others that share substreams with it need them unchanged.
final class PresentationOutput {
  private static let stride = Substream.mostSamples

  /// Bits that matrices' results get as they are, ``Substream/mostSamples`` of each matrix.
  let bypassed = Buffer<Int32>(0, count: MatrixSet.mostMatrices * stride)
  /// Samples of the last unit and of the one before, 24 bits with sign, ``Substream/mostSamples`` of each channel.
  private(set) var samples = Buffer<Int32>(0, count: Substream.mostChannels * stride)
  private(set) var before = Buffer<Int32>(0, count: Substream.mostChannels * stride)
  /// Channels of the presentation.
  private(set) var channels = 0
  /// Whether a sample of the unit had more than 24 bits.
  private(set) var isWide = false
  /// Exclusive or of the output since the restart header, of which ``RestartHeader/losslessCheck`` has eight bits.
  private var sum: UInt32 = 0

  private let unitLength: Int
  private var noise = NoiseGenerator()
  private let dither: Buffer<Int32>
  private let ditherValues = Buffer(NoiseTable.values.map(Int32.init), or: 0)
  private let work = Buffer<Int32>(0, count: MatrixSet.columns * stride)
  private let sums = Buffer<Int64>(0, count: stride)
  private let slopes = Buffer<Int64>(0, count: stride)

  /// An output of units of `unitLength` samples.
  init(unitLength: Int, noiseCount: Int) {
    self.unitLength = unitLength
    dither = Buffer(0, count: noiseCount)
  }

  /// The eight bits that a lossless check has.
  var check: Int {
    let half = sum ^ sum >> 16
    return Int((half ^ half >> 8) & 0xFF)
  }

  /// Begins anew with a restart header.
  func restart(_ header: RestartHeader) {
    channels = header.channels
    noise.seed = header.seed
    sum = 0
  }

  /// Samples of a channel.
  func channel(_ index: Int) -> UnsafeMutablePointer<Int32> {
    samples.base + index * PresentationOutput.stride
  }

  /// Whether the last two units are equal in all channels.
  var repeats: Bool {
    (0..<channels).allSatisfy { channel in
      let first = channel * PresentationOutput.stride
      return (first..<first + unitLength).allSatisfy { samples.base[$0] == before.base[$0] }
    }
  }

  /// Begins a unit whose first header was read.
  func beginUnit(_ kind: Substream.Kind) {
    swap(&samples, &before)
    isWide = false
    if kind != .noise { noise.fill(dither, ditherValues) }
  }

  /// Makes the samples of a block.
  /// - Parameters:
  ///   - substream: the presentation's highest substream.
  ///   - sources: all of its substreams, the lowest first.
  ///   - at: the unit's sample that the block begins with.
  func render(_ substream: Substream, _ sources: [Substream], at: Int) {
    let count = substream.blockSize
    gather(substream, sources, at: at, count: count)
    let set = substream.matrices
    for index in 0..<set.count {
      let matrix = set.matrices.base[index]
      let row = set.coefficients.base + index * MatrixSet.columns
      begin(set, index, at: at, count: count)
      multiply(row, substream.header.columns, into: sums.base, at: at, count: count)
      if set.isChanging {
        addSlope(set.changes.base + index * MatrixSet.columns, substream, at: at, count: count)
      }
      store(matrix, index, step: substream.steps.base[matrix.target], at: at, count: count)
    }
    for index in 0..<substream.header.channels { write(index, substream, at: at, count: count) }
  }

  /// Copies the coded channels, and makes the channels of noise.
  private func gather(_ substream: Substream, _ sources: [Substream], at: Int, count: Int) {
    let header = substream.header
    for channel in 0..<header.channels {
      (column(channel) + at).update(repeating: 0, count: count)
    }
    for source in sources {
      for channel in source.coded where channel < header.channels {
        let first = channel * Substream.stride + Substream.history + at
        (column(channel) + at).update(from: source.samples.base + first, count: count)
      }
    }
    if header.kind == .noise {
      noise.fill(
        column(header.channels) + at, column(header.channels + 1) + at, count: count,
        shift: header.noiseShift)
    }
  }

  private func column(_ index: Int) -> UnsafeMutablePointer<Int32> {
    work.base + index * PresentationOutput.stride
  }

  /// Sets the sums to the dither of a matrix.
  private func begin(_ set: MatrixSet, _ index: Int, at: Int, count: Int) {
    let level = set.matrices.base[index].dither
    guard level > 0 else { return sums.base.update(repeating: 0, count: count) }
    let factor = set.count - index
    let mask = dither.count - 1
    for place in 0..<count {
      let sample = at + place
      let entry = dither.base[(factor * (2 * sample + 1) + sample) & mask]
      sums.base[place] = Int64(entry) << Int64(11 + level)
    }
  }

  /// Adds all columns with their coefficients.
  private func multiply(
    _ row: UnsafePointer<Int32>, _ columns: Int, into sums: UnsafeMutablePointer<Int64>, at: Int,
    count: Int
  ) {
    for index in 0..<columns where row[index] != 0 {
      let (factor, source) = (Int64(row[index]), column(index) + at)
      for place in 0..<count { sums[place] &+= Int64(source[place]) &* factor }
    }
  }

  /// Adds the part of the change that each sample of the unit has reached.
  private func addSlope(
    _ row: UnsafePointer<Int32>, _ substream: Substream, at: Int, count: Int
  ) {
    slopes.base.update(repeating: 0, count: count)
    multiply(row, substream.header.columns, into: slopes.base, at: at, count: count)
    let factor = Int64(65_536 / unitLength) << 2
    for place in 0..<count {
      sums.base[place] &+= (slopes.base[place] >> 18) &* Int64(at + place) &* factor
    }
  }

  /// Replaces a matrix's channel by the sums and its bypassed bits.
  private func store(
    _ matrix: MatrixSet.Matrix, _ index: Int, step: Int, at: Int, count: Int
  ) {
    let (target, mask) = (column(matrix.target) + at, -1 as Int32 &<< Int32(step))
    for place in 0..<count {
      target[place] = Int32(truncatingIfNeeded: sums.base[place] &>> 18) & mask
    }
    guard matrix.bypass > 0 else { return }
    let bits = bypassed.base + index * PresentationOutput.stride + at
    for place in 0..<count { target[place] &+= bits[place] }
  }

  /// Writes a matrix channel to its place in the presentation.
  private func write(_ index: Int, _ substream: Substream, at: Int, count: Int) {
    let shift = Int32(substream.outputShifts.base[index])
    let source = column(index) + at
    let target = channel(substream.header.place(index)) + at
    // The largest value before the shift that fits 24 bits behind it.
    let half = 1 as Int32 &<< (23 - max(0, shift))
    var (fold, excess): (Int32, Int32) = (0, 0)
    for place in 0..<count {
      let value = shift < 0 ? source[place] &>> -shift : source[place]
      excess |= value &+ half
      // The low 24 bits, with the sign of the highest of them.
      let sample = (value &<< (max(0, shift) &+ 8)) &>> 8
      fold ^= sample
      target[place] = sample
    }
    if excess & ~(half &* 2 &- 1) != 0 { isWide = true }
    sum ^= (UInt32(bitPattern: fold) & 0xFF_FFFF) << UInt32(index & 7)
  }
}

/// Makes the noise that matrices add, which is the same in every decoder: from a seed of 23 bits that restart headers send.
struct NoiseGenerator {
  private static let mask = 0x7F_FFFF

  /// Seed of what comes next, 23 bits.
  var seed = 0

  /// Writes `count` samples of both channels of noise, each a signed byte that is shifted left.
  mutating func fill(
    _ first: UnsafeMutablePointer<Int32>, _ second: UnsafeMutablePointer<Int32>, count: Int,
    shift: Int
  ) {
    var seed = seed
    for index in 0..<count {
      let next = seed >> 7
      first[index] = Int32(Int8(truncatingIfNeeded: seed >> 15)) << Int32(shift)
      second[index] = Int32(Int8(truncatingIfNeeded: next)) << Int32(shift)
      seed = (next ^ next << 5 ^ seed << 16) & NoiseGenerator.mask
    }
    self.seed = seed
  }

  /// Writes the dither of a unit; `values` are ``NoiseTable/values``.
  mutating func fill(_ table: Buffer<Int32>, _ values: Buffer<Int32>) {
    var seed = seed
    for index in 0..<table.count {
      let top = seed >> 15
      table.base[index] = values.base[top]
      seed = (seed << 8 ^ top ^ top << 5) & NoiseGenerator.mask
    }
    self.seed = seed
  }
}
