import Signal

/// Generates the high band: copies low subbands up, flattens them, and filters out the tonality that the
/// original high band lacked (TS 103 190-1, 5.7.6.4.1 and 5.7.6.4.2).
final class HighBandGenerator {
  private let timing: FrameTiming
  /// Gain of each source subband.
  private let gains = FixedBuffer<Float>(1, count: QMF.bands)
  /// Mean power of each source subband in dB.
  private let powers = FixedBuffer<Float>(0, count: QMF.bands)

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
