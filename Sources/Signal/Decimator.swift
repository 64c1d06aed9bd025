// SPDX-License-Identifier: Apache-2.0
import CKernels

/// Divides one channel's rate by a whole number, without delay.
///
/// Output `i` is made of the inputs around `i` · factor; outside the channel there is silence. The bits don't depend on how the
/// input is cut, nor on the processor.
package final class Decimator {
  /// Inputs for each output.
  package let factor: Int
  /// Most outputs that come at once: those of ``piece`` inputs, and one.
  package var largest: Int { Decimator.piece / factor + 1 }

  /// Most inputs that are worked on at once.
  private static let piece = 4096
  /// Values of the filter, of which the kernel reads zeros up to a multiple of 16.
  private let taps: Int
  private let filter: Buffer<Float>
  /// The input that is still needed, from the first input of the next output on.
  private let input: Buffer<Float>
  private var filled: Int
  private let output: Buffer<Float>
  private var taken = 0
  private var produced = 0

  /// A decimator by `factor`, at least 1, with a symmetric filter of an odd number of `taps`, more than `factor` unless
  /// both are 1.
  package init(factor: Int, taps: [Float]) {
    self.factor = factor
    self.taps = taps.count
    let padded = (taps.count + 15) / 16 * 16
    filter = Buffer(taps + [Float](repeating: 0, count: padded - taps.count), or: 0)
    input = Buffer(0, count: padded + 16 + factor + Decimator.piece)
    // Half a filter of silence comes before the first sample.
    filled = taps.count / 2
    output = Buffer(0, count: Decimator.piece / factor + 1)
  }

  /// Takes `count` samples, and hands on what comes out by now, in parts.
  package func add(
    _ samples: UnsafePointer<Float>, count: Int, _ use: (UnsafePointer<Float>, Int) -> Void
  ) {
    for start in stride(from: 0, to: count, by: Decimator.piece) {
      let part = min(Decimator.piece, count - start)
      (input.base + filled).update(from: samples + start, count: part)
      filled += part
      taken += part
      drain(.max, use)
    }
  }

  /// Hands on the rest, so that one output came for each begun `factor` of inputs.
  package func finish(_ use: (UnsafePointer<Float>, Int) -> Void) {
    let total = (taken + factor - 1) / factor
    var missing = taps / 2 + factor
    while missing > 0 {
      let part = min(Decimator.piece, missing)
      (input.base + filled).update(repeating: 0, count: part)
      filled += part
      missing -= part
      drain(total, use)
    }
  }

  /// Hands on all outputs that the input suffices for, up to `total` since the beginning.
  private func drain(_ total: Int, _ use: (UnsafePointer<Float>, Int) -> Void) {
    guard filled >= taps else { return }
    let count = min((filled - taps) / factor + 1, total - produced)
    guard count > 0 else { return }
    sg_decimate(filter.base, (taps + 15) / 16 * 16, factor, input.base, count, output.base)
    produced += count
    filled -= count * factor
    input.base.update(from: input.base + count * factor, count: filled)
    use(output.base, count)
  }
}
