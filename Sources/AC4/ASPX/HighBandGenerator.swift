// SPDX-License-Identifier: Apache-2.0
import Signal

/// Generates the high band: copies low subbands up, flattens them, and filters out the tonality that the
/// original high band lacked (TS 103 190-1, 5.7.6.4.1 and 5.7.6.4.2).
final class HighBandGenerator {
  private let timing: FrameTiming
  /// Gain of each source subband.
  private let gains = Buffer<Float>(1, count: QMF.bands)
  /// Mean power of each source subband in dB.
  private let powers = Buffer<Float>(0, count: QMF.bands)

  /// Chirp factors by the last (rows) and the current `aspx_tna_mode`.
  private static let chirpTable: [SIMD4<Float>] = [
    SIMD4(0, 0.6, 0.9, 0.98), SIMD4(0.6, 0.75, 0.9, 0.98), SIMD4(0, 0.75, 0.9, 0.98),
    SIMD4(0, 0.75, 0.9, 0.98),
  ]

  /// The binary logarithm of the gain that 1 dB stands for: log₂ 10 / 20.
  private static let decibel: Float = 0.166_096_4

  /// A generator for one frame length.
  init(_ timing: FrameTiming) { self.timing = timing }

  /// Fills the generated subbands of `signal` in `slots`; their levels aren't set yet.
  func generate(
    _ signal: SubbandSignal, _ channel: ASPXChannel, _ bands: ASPXBands, slots: Range<Int>,
    _ state: inout ASPXInterval
  ) {
    HighBandGenerator.updateChirps(&state, channel.filtering, bands.noiseCount)
    if bands.configuration.preflattens {
      flatten(signal, bands, slots)
    } else {
      gains.fill(1)
    }
    for patch in bands.patches {
      for offset in 0..<patch.count {
        let target = patch.target + offset
        let group = (bands.noise.firstIndex { $0 > target } ?? bands.noise.count - 1) - 1
        copy(
          signal, from: patch.source + offset, to: target, slots,
          chirp: state.chirps[min(max(group, 0), 4)])
      }
    }
    // Subbands that no patch reaches get noise and sinusoids only.
    let filled = bands.patches.last.map { $0.target + $0.count } ?? bands.crossover
    for band in filled..<max(filled, bands.end) {
      let count = slots.count
      (signal.generatedReal.row(band) + slots.lowerBound).update(repeating: 0, count: count)
      (signal.generatedImaginary.row(band) + slots.lowerBound).update(repeating: 0, count: count)
    }
  }

  /// Smooths the chirp factors, rising ones less than falling ones. The weights and the least factor are the
  /// standard's (TS 103 190-1, 5.7.6.4.1).
  static func updateChirps(
    _ state: inout ASPXInterval, _ filtering: SIMD8<UInt8>, _ count: Int
  ) {
    for group in 0..<8 {
      guard group < count else {
        state.chirps[group] = 0
        state.filtering[group] = 0
        continue
      }
      let target = chirpTable[Int(state.filtering[group] & 3)][Int(filtering[group] & 3)]
      let last = state.chirps[group]
      let mixed =
        target < last
        ? 0.75 * target + 0.25 * last : 0.906_25 * target + 0.093_75 * last
      state.chirps[group] = mixed < 0.015_625 ? 0 : mixed
      state.filtering[group] = filtering[group]
    }
  }

  /// Sets the gains that flatten the low band: the distance in dB of a cubic through its spectrum from the
  /// spectrum's mean (`aspx_preflat`).
  private func flatten(_ signal: SubbandSignal, _ bands: ASPXBands, _ slots: Range<Int>) {
    let count = bands.crossover
    var mean: Float = 0
    let start = slots.lowerBound
    signal.real.energies(
      signal.imaginary, rows: 0..<count, from: start, count: slots.count, into: powers.base)
    for band in 0..<count {
      powers.base[band] = 10 * Maths.log10(powers.base[band] / Float(slots.count) + 1)
      mean += powers.base[band]
    }
    mean /= Float(count)
    for band in 0..<count { gains.base[band] = 0 }
    let basis = bands.cubicBasis.base
    for order in 0..<4 {
      var product: Float = 0
      for band in 0..<count { product += basis[order * count + band] * powers.base[band] }
      for band in 0..<count { gains.base[band] += product * basis[order * count + band] }
    }
    for band in 0..<count {
      gains.base[band] = Maths.power2(
        (mean - gains.base[band]) * HighBandGenerator.decibel)
    }
  }

  /// Copies one subband, less what two earlier slots predict of it, weighted by the chirp factor.
  private func copy(
    _ signal: SubbandSignal, from source: Int, to target: Int, _ slots: Range<Int>, chirp: Float
  ) {
    let real = signal.real.row(source)
    let imaginary = signal.imaginary.row(source)
    let outReal = signal.generatedReal.row(target)
    let outImaginary = signal.generatedImaginary.row(target)
    let gain = gains.base[source]
    guard chirp > 0 else {
      for slot in slots {
        outReal[slot] = real[slot] * gain
        outImaginary[slot] = imaginary[slot] * gain
      }
      return
    }
    let prediction = LinearPrediction(real, imaginary, until: timing.slots + timing.lookAhead)
    let first = prediction.first * chirp
    let second = prediction.second * (chirp * chirp)
    for slot in slots {
      let re =
        real[slot] + first.x * real[slot - 2] - first.y * imaginary[slot - 2]
        + second.x * real[slot - 4] - second.y * imaginary[slot - 4]
      let im =
        imaginary[slot] + first.x * imaginary[slot - 2] + first.y * real[slot - 2]
        + second.x * imaginary[slot - 4] + second.y * real[slot - 4]
      outReal[slot] = re * gain
      outImaginary[slot] = im * gain
    }
  }
}

/// The two complex coefficients that predict a subband from the values two and four slots earlier
/// (TS 103 190-1, 5.7.6.4.1.2 and 5.7.6.4.1.3).
struct LinearPrediction {
  /// Coefficient of the value two slots earlier, α₀ (real, imaginary).
  var first = SIMD2<Float>(0, 0)
  /// Coefficient of the value four slots earlier, α₁.
  var second = SIMD2<Float>(0, 0)

  /// The coefficients for slots 0 up to `end`; both 0 where the prediction isn't usable.
  ///
  /// `real` and `imaginary` must have four slots before slot 0.
  init(_ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, until end: Int) {
    var phi01 = SIMD2<Float>(0, 0)
    var phi02 = SIMD2<Float>(0, 0)
    var phi12 = SIMD2<Float>(0, 0)
    var phi11: Float = 0
    var phi22: Float = 0
    for slot in stride(from: 0, to: end, by: 2) {
      let x0 = SIMD2(real[slot], imaginary[slot])
      let x1 = SIMD2(real[slot - 2], imaginary[slot - 2])
      let x2 = SIMD2(real[slot - 4], imaginary[slot - 4])
      phi01 += LinearPrediction.product(x0, x1)
      phi02 += LinearPrediction.product(x0, x2)
      phi12 += LinearPrediction.product(x1, x2)
      phi11 += (x1 * x1).sum()
      phi22 += (x2 * x2).sum()
    }
    // The standard's relaxation keeps the determinant away from 0.
    let determinant = phi22 * phi11 - (phi12 * phi12).sum() / (1 + 0x1p-20)
    if determinant != 0 {
      let numerator =
        LinearPrediction.multiplied(phi01, phi12) - phi02 * phi11
      second = numerator / determinant
    }
    if phi11 != 0 {
      // Read literally, the standard has the other sign here; this one solves the normal equations.
      let correction = LinearPrediction.product(second, phi12)
      first = -(phi01 + correction) / phi11
    }
    // Coefficients of 4 and more come from subbands that can't be predicted.
    let usable = (first * first).sum() < 16 && (second * second).sum() < 16
    if !usable {
      first = SIMD2(0, 0)
      second = SIMD2(0, 0)
    }
  }

  /// `left` times the conjugate of `right`.
  @inline(__always)
  private static func product(_ left: SIMD2<Float>, _ right: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(left.x * right.x + left.y * right.y, left.y * right.x - left.x * right.y)
  }

  /// `left` times `right`.
  @inline(__always)
  private static func multiplied(_ left: SIMD2<Float>, _ right: SIMD2<Float>) -> SIMD2<Float> {
    SIMD2(left.x * right.x - left.y * right.y, left.x * right.y + left.y * right.x)
  }
}

/// The state of one channel that A-SPX carries from one interval to the next (TS 103 190-1, 5.7.6.4).
struct ASPXInterval {
  /// `aspx_tna_mode` of each noise group.
  var filtering = SIMD8<UInt8>(repeating: 0)
  /// Smoothed chirp factor of each noise group.
  var chirps = SIMD8<Float>(repeating: 0)
  /// Whether the interval ended with a transient.
  var hadTransientAtEnd = false
  /// Subbands with a sinusoid in the interval's last envelope, one bit each.
  var sinusoids: UInt64 = 0
  /// Index of the last noise value that was used.
  var noiseIndex = 0
  /// Phase of the sinusoids in the next slot, in quarter turns; `nil` before the first interval.
  var sineIndex: Int?
  /// The subband groups of the interval.
  var bands: ASPXBands?
}
