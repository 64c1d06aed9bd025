// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform

/// Converts one channel's rate by a ratio of whole numbers, without delay.
///
/// A windowed sinc (Kaiser, 110 dB) with its stop band at the Nyquist frequency of the lower rate;
/// the pass band ends at about 0.44 of that rate. Sample `m` lies at input position m · down / up.
package final class RateConverter {
  /// Input samples that each output sample is made from; their number sets the width of the transition band.
  package static let taps = Int(SG_CONVERTER_TAPS)

  private let up: Int64
  private let down: Int64
  /// The filters of all `up` phases, ``taps`` values each.
  private let phases: Buffer<Float>
  /// The input that is still needed.
  private let buffer: Buffer<Float>
  /// Input position of the buffer's first sample.
  private var bufferStart: Int64
  /// Samples in the buffer.
  private var filled: Int
  /// Samples that came out since the start.
  private var produced: Int64 = 0

  /// A converter that is handed at most `largest` samples at a time.
  /// - Parameter other: a converter of the same ratio whose filters serve this one, too.
  package init(up: Int, down: Int, largest: Int, like other: RateConverter? = nil) {
    self.up = Int64(up)
    self.down = Int64(down)
    phases = other?.phases ?? RateConverter.design(up: up, down: down)
    buffer = Buffer(0, count: RateConverter.taps * 2 + largest + down)
    // Half a filter of silence stands before the first sample.
    bufferStart = Int64(1 - RateConverter.taps / 2)
    filled = RateConverter.taps / 2 - 1
  }

  /// Forgets earlier samples.
  package func reset() {
    buffer.fill(0)
    bufferStart = Int64(1 - RateConverter.taps / 2)
    filled = RateConverter.taps / 2 - 1
    produced = 0
  }

  /// The most samples that come out for `count` more samples of input.
  package func capacity(_ count: Int) -> Int { Int((Int64(count) + 2) * up / down) + 2 }

  /// Takes `count` samples and writes those that can be converted by now; answers how many.
  package func process(
    _ input: UnsafePointer<Float>, _ count: Int, into output: UnsafeMutablePointer<Float>
  ) -> Int {
    (buffer.base + filled).update(from: input, count: count)
    filled += count
    return drain(into: output)
  }

  /// Takes `count` samples of silence and writes those that can be converted by now; answers how many.
  package func processSilence(_ count: Int, into output: UnsafeMutablePointer<Float>) -> Int {
    (buffer.base + filled).update(repeating: 0, count: count)
    filled += count
    return drain(into: output)
  }

  /// Writes all samples that the buffered input suffices for, and drops the input that is no longer needed.
  private func drain(into output: UnsafeMutablePointer<Float>) -> Int {
    // Output m begins with input m · down / up − (taps / 2 − 1), rounded down; `reach` is the first position
    // m · down / up that is too late.
    let reach = bufferStart + Int64(filled - RateConverter.taps / 2)
    let end = max(produced, (reach * up + down - 1) / down)
    let count = Int(end - produced)
    if count > 0 {
      sg_convert(
        phases.base, Int(up), Int(down), Int(produced * down % up), buffer.base + start(produced),
        count, output)
    }
    produced = end
    let unused = min(max(start(end), 0), filled)
    buffer.base.update(from: buffer.base + unused, count: filled - unused)
    filled -= unused
    bufferStart += Int64(unused)
    return count
  }

  /// Place in the buffer of the first input that output `sample` is made from.
  private func start(_ sample: Int64) -> Int {
    Int(sample * down / up - Int64(RateConverter.taps / 2 - 1) - bufferStart)
  }

  /// The windowed sinc for each phase.
  private static func design(up: Int, down: Int) -> Buffer<Float> {
    // Kaiser's formulas for the window's β and the transition band at 110 dB of attenuation.
    let beta = 0.1102 * (110 - 8.7)
    // The lower of the two Nyquist frequencies, in cycles per input sample.
    let stop = 0.5 * min(1, Double(up) / Double(down))
    let transition = (110 - 7.95) / (14.36 * Double(taps))
    let cutoff = stop - transition / 2
    let norm = Kaiser.bessel(beta)
    var values: [Float] = []
    values.reserveCapacity(up * taps)
    for phase in 0..<up {
      let fraction = Double(phase) / Double(up)
      var row = (0..<taps).map { tap in
        let distance = Double(tap - (taps / 2 - 1)) - fraction
        let place = distance / Double(taps / 2)
        let window =
          abs(place) < 1 ? Kaiser.bessel(beta * (1 - place * place).squareRoot()) / norm : 0
        let angle = 2 * cutoff * distance
        let sinc = angle == 0 ? 1 : sin(.pi * angle) / (.pi * angle)
        return 2 * cutoff * sinc * window
      }
      // A constant signal must come out of every phase at the same level.
      let sum = row.reduce(0, +)
      for tap in row.indices { row[tap] /= sum }
      values += row.map(Float.init)
    }
    return Buffer(values, or: 0)
  }
}

/// The functions that Kaiser windows are calculated from.
package enum Kaiser {
  /// Modified Bessel function of the first kind, order 0, by its power series.
  package static func bessel(_ x: Double) -> Double {
    let quarter = x * x / 4
    var term = 1.0
    var sum = 1.0
    var order = 1.0
    // A term this small is below half the last place of Double (2^−53 ≈ 1.1e−16), so it changes nothing.
    while term > sum * 1e-17 {
      term *= quarter / (order * order)
      sum += term
      order += 1
    }
    return sum
  }
}

/// The low-pass by which sound and impulse responses get another rate: a sinc under a Kaiser window.
package enum ConversionFilter {
  /// Part of the lower Nyquist frequency that passes within 0.0001 dB.
  package static let passBand = 0.925
  /// Attenuation in dB from the lower Nyquist frequency on.
  package static let stopLevel = 140
  /// Middle of the transition band as a part of the lower Nyquist frequency. Kaiser's formula gives a transition of 7.4 % for
  /// 250 samples at 140 dB, so the stop band begins at 99.7 %.
  package static let band = 0.96
  /// Length in samples of the lower rate, before division by ``band``. Where Float32 sums, more gain nothing: 288 with β = 16
  /// leave the same noise.
  package static let size = 240
  /// Shape β of the Kaiser window: 0.1102 · (140 − 8.7).
  package static let beta = 14.5
}
