// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

@testable import Spatial

/// The energy of responses in an octave, over time and as a whole.
struct OctaveEnergy {
  /// Energy of each sample, all responses together; the first tenth of a second is what the filter rings before them.
  let samples: [Double]
  private let rate: Int

  /// The octave around `middle` Hz of `responses` at `rate` Hz, cut out without a shift in time: half of the power at its edges,
  /// flanks of half an octave.
  init(_ responses: [[Double]], around middle: Double, rate: Int) {
    self.rate = rate
    let lead = [Double](repeating: 0, count: rate / 10)
    let responses = responses.map { lead + $0 }
    let longest = responses.map(\.count).max() ?? 0
    let fft = DoubleFFT(length: max(2, 2 * longest))
    let width = Double(rate) / Double(fft.length)
    var sums = [Double](repeating: 0, count: longest)
    for response in responses {
      var spectrum = Render.spectrum(response, fft)
      for bin in 0..<spectrum.count {
        let octaves = abs(log2(max(1, Double(bin) * width) / middle))
        let gain = sin(.pi / 2 * min(1, max(0, (0.75 - octaves) / 0.5)))
        spectrum.re[bin] *= gain
        spectrum.im[bin] *= gain
      }
      let band = spectrum.signal(fft)
      for index in sums.indices { sums[index] += band[index] * band[index] }
    }
    samples = sums
  }

  /// All of it.
  var whole: Double { samples.reduce(0, +) }

  /// That of the seconds in `range`, in which 0 stands for all that comes before, too.
  func energy(_ range: Range<Double>) -> Double {
    let start = Int(range.lowerBound * Double(rate))
    let first = start == 0 ? 0 : min(samples.count, start + rate / 10)
    let last = min(samples.count, Int(range.upperBound * Double(rate)) + rate / 10)
    return samples[first..<max(first, last)].reduce(0, +)
  }

  /// Standard deviation in dB of how the level changes from one window of `width` seconds to the next, within `range`.
  func unevenness(_ range: Range<Double>, width: Double) -> Double {
    let count = Int((range.upperBound - range.lowerBound) / width)
    let levels = (0..<count).map { (window: Int) -> Double in
      let start = range.lowerBound + Double(window) * width
      return 10 * log10(energy(start..<start + width))
    }
    let changes = zip(levels.dropFirst(), levels).map { $0 - $1 }
    let mean = changes.reduce(0, +) / Double(changes.count)
    let power = changes.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (power / Double(changes.count)).squareRoot()
  }

  /// Seconds for 60 dB by the line through the backward integral (M. R. Schroeder, 1965) from −5 to −25 dB.
  var decay: Double {
    var rest = whole
    let all = rest
    var points: [(Double, Double)] = []
    for (index, energy) in samples.enumerated() {
      let level = 10 * log10(max(rest, 1e-300) / all)
      if level <= -5, level >= -25 { points.append((Double(index) / Double(rate), level)) }
      rest -= energy
    }
    let count = Double(points.count)
    let x = points.reduce(0) { $0 + $1.0 } / count
    let y = points.reduce(0) { $0 + $1.1 } / count
    let slope =
      points.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) }
      / points.reduce(0) { $0 + ($1.0 - x) * ($1.0 - x) }
    return -60 / slope
  }
}
