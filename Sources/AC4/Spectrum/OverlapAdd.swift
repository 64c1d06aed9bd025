// SPDX-License-Identifier: Apache-2.0
import Signal

/// Turns one channel's spectra into samples: inverse transforms, windows, overlap-add
/// (TS 103 190-1, 5.5.3).
final class OverlapAdd {
  private let sizes: TransformSizes
  private let bank: TransformBank
  /// The second half of the last block, around the middle of the frame, not windowed yet.
  private let overlap: Buffer<Float>
  /// The samples of one inverse transform.
  private let block: Buffer<Float>
  /// Transform index of the last block.
  private var previous: Int

  /// A channel before its first frame.
  init(_ sizes: TransformSizes, _ bank: TransformBank) {
    self.sizes = sizes
    self.bank = bank
    overlap = Buffer(0, count: sizes.frameLength)
    block = Buffer(0, count: 2 * sizes.frameLength)
    previous = sizes.count - 1
  }

  /// Writes the frame length samples of one frame; full scale is ``QMF/fullScale``.
  func process(
    _ layout: WindowLayout, _ spectrum: UnsafePointer<Float>,
    into output: UnsafeMutablePointer<Float>
  ) {
    var done = 0
    for window in 0..<layout.windowCount {
      let transform = layout.transform(Int(layout.groupOfWindow[window]))
      add(transform, spectrum + done, output + done)
      done += sizes.length(transform)
    }
  }

  /// Forgets earlier frames.
  func reset() {
    overlap.fill(0)
    previous = sizes.count - 1
  }

  /// Adds the block of one window and outputs the samples that it completes.
  private func add(
    _ index: Int, _ lines: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
  ) {
    let frame = sizes.frameLength
    let length = sizes.length(index)
    let before = sizes.length(previous)
    let shared = min(length, before)
    let slope = bank.slope(min(index, previous))
    let samples = block.base
    let memory = overlap.base
    bank.transform(index).transform(lines, into: samples)

    // The slope between two blocks has the length of the shorter one, so the last block's right-hand side
    // (ones, falling slope, zeros) is known only now.
    let border = frame / 2
    let fall = border - shared / 2
    Slopes.fall(memory + fall, slope, count: shared)
    let cut = fall + shared
    let end = (frame + before) / 2
    if end > cut { (memory + cut).update(repeating: 0, count: end - cut) }

    let start = (frame - length) / 2
    let flat = (length - shared) / 2
    Slopes.rise(memory + start + flat, samples + flat, slope, count: shared)
    for place in flat + shared..<length { memory[start + place] += samples[place] }

    output.update(from: memory, count: length)
    memory.update(from: memory + length, count: start)
    (memory + start).update(from: samples + length, count: length)
    let filled = start + length
    (memory + filled).update(repeating: 0, count: frame - filled)
    previous = index
  }
}

/// The transforms and window slopes of one frame length (TS 103 190-1, 5.5.2 and 5.5.3).
final class TransformBank {
  /// By transform index.
  private let transforms: [InverseMDCT]
  private let slopes: [Buffer<Float>]
  private let sizes: TransformSizes

  /// Transforms for all lengths of `sizes`.
  init(_ sizes: TransformSizes) {
    self.sizes = sizes
    transforms = (0..<sizes.count).map { InverseMDCT(length: sizes.length($0)) }
    slopes = (0..<sizes.count).map { TransformBank.slope(length: sizes.length($0)) }
  }

  func transform(_ index: Int) -> InverseMDCT { transforms[index] }

  /// The rising slope of the transform with this index.
  func slope(_ index: Int) -> UnsafePointer<Float> { UnsafePointer(slopes[index].base) }

  /// The rising half of a Kaiser-Bessel-derived window; its square and that of its mirror image add up to 1
  /// (TS 103 190-1, 5.5.3).
  static func slope(length: Int) -> Buffer<Float> {
    // The window's shape by the length of the transform.
    let alpha =
      length >= 1536 ? 3.0 : length >= 768 ? 4 : length >= 384 ? 4.5 : length >= 192 ? 5 : 6
    let kernel = (0...length).map { index in
      let place = 2 * Double(index) / Double(length) - 1
      return Kaiser.bessel(.pi * alpha * max(0, 1 - place * place).squareRoot())
    }
    let total = kernel.reduce(0, +)
    var sum = 0.0
    return Buffer(
      kernel.dropLast().map { value in
        sum += value
        return Float((sum / total).squareRoot())
      }, or: 0)
  }
}
