// SPDX-License-Identifier: Apache-2.0
import Platform
import Signal

/// A filter of second order: y = b0 x + b1 x' + b2 x'' − a1 y' − a2 y''.
package struct Biquad: Hashable, Sendable {
  /// Weights of the input, from the newest.
  package var b0, b1, b2: Double
  /// Weights of the output before, from the newest.
  package var a1, a2: Double

  /// Leaves everything as it is.
  package static let identity = Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0)

  /// A filter with these weights.
  package init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
    (self.b0, self.b1, self.b2, self.a1, self.a2) = (b0, b1, b2, a1, a2)
  }

  /// The digital filter of `band` at `rate` Hz, by the bilinear transform (R. Bristow-Johnson, Cookbook formulae
  /// for audio equalizer biquad filter coefficients). The band's frequency lies below half of the rate.
  package init(_ band: EqualizerBand, rate: Double) {
    let turn = 2 * Double.pi * band.frequency / rate
    let amplitude = pow(10, band.gain / 40)
    let alpha = Biquad.alpha(band.width, turn: turn, amplitude: amplitude)
    switch band.shape {
    case .peak:
      self.init(
        (1 + alpha * amplitude, -2 * cos(turn), 1 - alpha * amplitude),
        (1 + alpha / amplitude, -2 * cos(turn), 1 - alpha / amplitude))
    case .lowShelf: self.init(shelfAt: cos(turn), amplitude, alpha)
    case .highShelf:
      // The mirror of a low shelf about a quarter of the rate.
      self.init(shelfAt: -cos(turn), amplitude, alpha)
      b1 = -b1
      a1 = -a1
    case .lowPass, .highPass, .bandPass, .notch, .allPass:
      self.init(
        Biquad.zeros(band.shape, cos(turn), alpha), (1 + alpha, -2 * cos(turn), 1 - alpha))
    }
  }

  private init(_ b: (Double, Double, Double), _ a: (Double, Double, Double)) {
    self.init(b0: b.0 / a.0, b1: b.1 / a.0, b2: b.2 / a.0, a1: a.1 / a.0, a2: a.2 / a.0)
  }

  /// A low shelf.
  private init(shelfAt cosine: Double, _ amplitude: Double, _ alpha: Double) {
    let (sum, difference) = (amplitude + 1, amplitude - 1)
    let root = 2 * amplitude.squareRoot() * alpha
    self.init(
      (
        amplitude * (sum - difference * cosine + root),
        2 * amplitude * (difference - sum * cosine),
        amplitude * (sum - difference * cosine - root)
      ),
      (
        sum + difference * cosine + root, -2 * (difference + sum * cosine),
        sum + difference * cosine - root
      ))
  }

  /// The weights of the input for filters without gain.
  private static func zeros(
    _ shape: EqualizerBand.Shape, _ cosine: Double, _ alpha: Double
  ) -> (Double, Double, Double) {
    switch shape {
    case .lowPass: return ((1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2)
    case .highPass: return ((1 + cosine) / 2, -(1 + cosine), (1 + cosine) / 2)
    case .bandPass: return (alpha, 0, -alpha)
    case .notch: return (1, -2 * cosine, 1)
    case .allPass: return (1 - alpha, -2 * cosine, 1 + alpha)
    case .peak, .lowShelf, .highShelf: return (1, 0, 0)
    }
  }

  private static func alpha(
    _ width: EqualizerBand.Width, turn: Double, amplitude: Double
  ) -> Double {
    switch width {
    case .quality(let quality): return sin(turn) / (2 * quality)
    case .octaves(let octaves):
      return sin(turn) * sinh(log(2) / 2 * octaves * turn / sin(turn))
    case .slope(let slope):
      return sin(turn) / 2
        * ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
    }
  }

  /// Samples after which its response to an impulse stays below `level`, a ratio; from the larger pole's radius.
  package func reach(to level: Double) -> Double {
    let root = a1 * a1 / 4 - a2
    let radius = root < 0 ? a2.squareRoot() : a1.magnitude / 2 + root.squareRoot()
    guard radius > 0 else { return 2 }
    guard radius < 1 else { return .infinity }
    return 2 + log(level) / log(radius)
  }
}

/// Filters of second order one behind the other, for two channels side by side.
final class BiquadChain {
  /// A filter with what it remembers; the two lanes are the two channels.
  private struct Section {
    var b0, b1, b2, a1, a2: SIMD2<Double>
    var x1 = SIMD2<Double>.zero
    var x2 = SIMD2<Double>.zero
    var y1 = SIMD2<Double>.zero
    var y2 = SIMD2<Double>.zero

    init(_ left: Biquad, _ right: Biquad) {
      b0 = SIMD2(left.b0, right.b0)
      b1 = SIMD2(left.b1, right.b1)
      b2 = SIMD2(left.b2, right.b2)
      a1 = SIMD2(left.a1, right.a1)
      a2 = SIMD2(left.a2, right.a2)
    }
  }

  /// Samples between channels and filters: they stay in the nearest cache.
  private static let piece = 512
  private var sections: [Section]
  private let work = Buffer<SIMD2<Double>>(.zero, count: BiquadChain.piece)

  /// The filters of a left and a right channel; the shorter list is filled up with filters that do nothing.
  init(_ left: [Biquad], _ right: [Biquad]) {
    sections = (0..<max(left.count, right.count)).map { index in
      Section(
        index < left.count ? left[index] : .identity,
        index < right.count ? right[index] : .identity)
    }
  }

  /// Filters as many samples as `left` and `right` have into two other planes; both lanes may be the same plane, if they
  /// have the same filters.
  func process(
    _ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>,
    gains: SIMD2<Double>,
    into outLeft: Slice<UnsafeMutableBufferPointer<Float>>,
    _ outRight: Slice<UnsafeMutableBufferPointer<Float>>
  ) {
    let work = work.base
    var position = 0
    while position < left.count {
      let count = min(Self.piece, left.count - position)
      for index in 0..<count {
        work[index] = gains * SIMD2(Double(left[position + index]), Double(right[position + index]))
      }
      for index in sections.indices { Self.run(&sections[index], work, count) }
      let (first, second) = (outLeft.startIndex + position, outRight.startIndex + position)
      for index in 0..<count {
        outLeft.base[first + index] = Float(work[index].x)
        outRight.base[second + index] = Float(work[index].y)
      }
      position += count
    }
  }

  /// Direct form 1: only the newest output waits for the one before it.
  private static func run(
    _ section: inout Section, _ samples: UnsafeMutablePointer<SIMD2<Double>>, _ count: Int
  ) {
    let own = section
    var (x1, x2, y1, y2) = (own.x1, own.x2, own.y1, own.y2)
    for index in 0..<count {
      let x = samples[index]
      let y = own.b0 * x + own.b1 * x1 + own.b2 * x2 - own.a2 * y2 - own.a1 * y1
      (x2, x1) = (x1, x)
      (y2, y1) = (y1, y)
      samples[index] = y
    }
    // Numbers this small would slow the processor down, and can't be heard.
    section.x1 = x1
    section.x2 = x2
    section.y1 = quiet(y1)
    section.y2 = quiet(y2)
  }

  private static func quiet(_ value: SIMD2<Double>) -> SIMD2<Double> {
    value.replacing(with: 0, where: value .< 1e-200 .& value .> -1e-200)
  }
}
