// SPDX-License-Identifier: Apache-2.0
import Signal

/// Sets the levels of the generated subbands and adds noise and sinusoids
/// (TS 103 190-1, 5.7.6.4.3 to 5.7.6.4.5).
final class EnvelopeAdjuster {
  /// Keeps the limiter's quotients finite.
  private static let epsilon: Float = 1e-12
  /// How far a gain may exceed the mean of its limiter band: 3 dB.
  private static let limiterGain: Float = 1.412_54
  /// The largest gain in any case: 100 dB.
  private static let largestGain: Float = 1e5
  /// The largest gain that makes up for limited energy: 4 dB.
  private static let largestBoost: Float = 1.584_893_192

  // Values of each subband in the current envelope: the estimated energy, the wanted one, the noise factor,
  // and the gain, noise level and sinusoid level that follow from them.
  private let estimates = Buffer<Float>(0, count: QMF.bands)
  private let energies = Buffer<Float>(0, count: QMF.bands)
  private let factors = Buffer<Float>(0, count: QMF.bands)
  private let gains = Buffer<Float>(0, count: QMF.bands)
  private let noiseLevels = Buffer<Float>(0, count: QMF.bands)
  private let sineLevels = Buffer<Float>(0, count: QMF.bands)
  private let noiseReal = Buffer(ASPXNoise.real, or: 0)
  private let noiseImaginary = Buffer(ASPXNoise.imaginary, or: 0)

  /// The data that an interval is adjusted with.
  struct Interval {
    /// The channel's data in the frame.
    let channel: ASPXChannel
    let levels: ASPXLevels
    /// Subband groups.
    let bands: ASPXBands
    /// QMF slots per A-SPX slot.
    let slotsPerStep: Int
    /// Slot after the last one that may be touched.
    let end: Int
  }

  /// Adjusts the generated subbands of `signal` in one interval.
  func adjust(_ signal: SubbandSignal, _ interval: Interval, _ state: inout ASPXInterval) {
    let framing = interval.channel.framing
    let bands = interval.bands
    let start = framing.start * interval.slotsPerStep
    let tables = state.bands?.configuration
    // `master_reset`: with other tables the noise begins at its first value.
    let isReset =
      tables == nil || tables?.isHighTemplate != bands.configuration.isHighTemplate
      || tables?.start != bands.configuration.start || tables?.stop != bands.configuration.stop
    let noiseBase = isReset ? 0 : state.noiseIndex
    let sineBase = state.sineIndex ?? 1
    var noiseEnvelope = 0
    var last: UInt64 = 0
    for envelope in 0..<framing.envelopes {
      let slots = slotRange(envelope, interval)
      if noiseEnvelope + 1 < framing.noiseEnvelopes,
        framing.borders[envelope] >= framing.noiseBorders[noiseEnvelope + 1]
      {
        noiseEnvelope += 1
      }
      let isTransient = envelope == framing.pointer || (envelope == 0 && state.hadTransientAtEnd)
      last = sinusoids(envelope, interval, state)
      estimate(signal, envelope, slots, interval)
      mapLevels(envelope, noiseEnvelope, interval)
      setGains(envelope, interval, sines: last, isTransient: isTransient)
      if bands.configuration.limits { limit(bands, isTransient: isTransient) }
      assemble(
        signal, bands, slots, noiseBase: noiseBase - bands.width * start,
        sineBase: sineBase - start)
    }
    let count = max(0, min(framing.end * interval.slotsPerStep, interval.end) - start)
    // The noise table has 512 values, a turn of the sinusoids four.
    state.noiseIndex = (noiseBase + bands.width * count) & 511
    state.sineIndex = (sineBase + count) & 3
    state.sinusoids = last
    state.hadTransientAtEnd = framing.pointer == framing.envelopes
    state.bands = bands
  }

  /// QMF slots of an envelope.
  private func slotRange(_ envelope: Int, _ interval: Interval) -> Range<Int> {
    let borders = interval.channel.framing.borders
    let first = min(Int(borders[envelope]) * interval.slotsPerStep, interval.end)
    let end = min(Int(borders[envelope + 1]) * interval.slotsPerStep, interval.end)
    return first..<max(first, end)
  }

  /// Subbands with a sinusoid in this envelope, one bit each.
  private func sinusoids(
    _ envelope: Int, _ interval: Interval, _ state: ASPXInterval
  ) -> UInt64 {
    var mask: UInt64 = 0
    guard interval.channel.sinusoids != 0 else { return 0 }
    let borders = interval.bands.signalHigh
    for group in 0..<interval.bands.highCount
    where interval.channel.sinusoids >> UInt32(group) & 1 == 1 {
      let bit: UInt64 = 1 << UInt64((borders[group] + borders[group + 1]) / 2)
      // A new sinusoid begins with the transient, which may have ended the last interval; an old one goes on.
      if envelope >= interval.channel.framing.pointer || state.hadTransientAtEnd
        || state.sinusoids & bit != 0
      {
        mask |= bit
      }
    }
    return mask
  }

  /// Estimates the energy of each generated subband, or of its group, before adjustment.
  ///
  /// The mean is taken over QMF slots. The text divides by A-SPX slots; on real streams that puts the high
  /// band 2 dB too low.
  private func estimate(
    _ signal: SubbandSignal, _ envelope: Int, _ slots: Range<Int>, _ interval: Interval
  ) {
    let bands = interval.bands
    let count = max(1, Float(slots.count))
    let start = slots.lowerBound
    signal.generatedReal.energies(
      signal.generatedImaginary, rows: bands.crossover..<max(bands.crossover, bands.end),
      from: start, count: slots.count, into: estimates.base)
    for band in bands.crossover..<bands.end { estimates.base[band] /= count }
    guard !bands.configuration.interpolates else { return }
    let borders = bands.signal(isHigh: interval.channel.framing.isHigh(envelope))
    for group in 0..<borders.count - 1 {
      var sum: Float = 0
      for band in borders[group]..<borders[group + 1] { sum += estimates.base[band] }
      let mean = sum / Float(borders[group + 1] - borders[group])
      for band in borders[group]..<borders[group + 1] { estimates.base[band] = mean }
    }
  }

  /// Spreads the levels of groups over their subbands.
  private func mapLevels(_ envelope: Int, _ noiseEnvelope: Int, _ interval: Interval) {
    let bands = interval.bands
    let borders = bands.signal(isHigh: interval.channel.framing.isHigh(envelope))
    let signal = interval.levels.signal.base + envelope * ASPXLevels.rowLength
    for group in 0..<borders.count - 1 {
      for band in borders[group]..<borders[group + 1] { energies.base[band] = signal[group] }
    }
    let noise = interval.levels.noise.base + noiseEnvelope * ASPXLevels.rowLength
    for group in 0..<bands.noiseCount {
      for band in bands.noise[group]..<bands.noise[group + 1] { factors.base[band] = noise[group] }
    }
  }

  /// Sets the gain, noise level and sinusoid level of each subband.
  private func setGains(
    _ envelope: Int, _ interval: Interval, sines: UInt64, isTransient: Bool
  ) {
    let borders = interval.bands.signal(isHigh: interval.channel.framing.isHigh(envelope))
    for group in 0..<borders.count - 1 {
      let range = borders[group]..<borders[group + 1]
      let hasSine = range.contains { sines >> UInt64($0) & 1 == 1 }
      for band in range {
        let energy = energies.base[band]
        let noise = factors.base[band]
        let share = energy / (1 + noise)
        let isSine = sines >> UInt64(band) & 1 == 1
        sineLevels.base[band] = isSine ? share.squareRoot() : 0
        noiseLevels.base[band] = (share * noise).squareRoot()
        // EPSILON is 1.
        let estimate = 1 + estimates.base[band]
        if hasSine {
          gains.base[band] = (share * noise / estimate).squareRoot()
        } else if isTransient {
          gains.base[band] = (energy / estimate).squareRoot()
        } else {
          gains.base[band] = (share / estimate).squareRoot()
        }
      }
    }
  }

  /// Limits the gains of each limiter band to 3 dB above their mean, and boosts all to make up for the lost
  /// energy.
  private func limit(_ bands: ASPXBands, isTransient: Bool) {
    for index in 0..<max(0, bands.limiter.count - 1) {
      let range = bands.limiter[index]..<bands.limiter[index + 1]
      var energy: Float = 0
      var estimate: Float = 0
      for band in range {
        energy += energies.base[band]
        estimate += estimates.base[band]
      }
      let largest = min(
        (energy / (EnvelopeAdjuster.epsilon + estimate)).squareRoot()
          * EnvelopeAdjuster.limiterGain,
        EnvelopeAdjuster.largestGain)
      var limited: Float = 0
      for band in range {
        let gain = gains.base[band]
        if gain > largest {
          noiseLevels.base[band] *= largest / gain
          gains.base[band] = largest
        }
        limited += estimates.base[band] * gains.base[band] * gains.base[band]
        limited += sineLevels.base[band] * sineLevels.base[band]
        if sineLevels.base[band] == 0, !isTransient {
          limited += noiseLevels.base[band] * noiseLevels.base[band]
        }
      }
      let boost = min(
        ((EnvelopeAdjuster.epsilon + energy) / (EnvelopeAdjuster.epsilon + limited)).squareRoot(),
        EnvelopeAdjuster.largestBoost)
      for band in range {
        gains.base[band] *= boost
        noiseLevels.base[band] *= boost
        sineLevels.base[band] *= boost
      }
    }
  }

  /// Scales the copied subbands and adds noise and sinusoids.
  private func assemble(
    _ signal: SubbandSignal, _ bands: ASPXBands, _ slots: Range<Int>, noiseBase: Int,
    sineBase: Int
  ) {
    let width = bands.width
    for band in bands.crossover..<bands.end {
      let real = signal.generatedReal.row(band)
      let imaginary = signal.generatedImaginary.row(band)
      let gain = gains.base[band]
      let level = noiseLevels.base[band]
      let offset = band - bands.crossover + 1
      for slot in slots {
        let index = (noiseBase + width * slot + offset) & 511
        real[slot] = gain * real[slot] + level * noiseReal.base[index]
        imaginary[slot] = gain * imaginary[slot] + level * noiseImaginary.base[index]
      }
      let sine = sineLevels.base[band]
      guard sine != 0 else { continue }
      // The imaginary part has the other sign in odd subbands, whose spectrum is mirrored.
      let turned = band & 1 == 0 ? sine : -sine
      for slot in slots {
        switch (sineBase + slot) & 3 {
        case 0: real[slot] += sine
        case 1: imaginary[slot] += turned
        case 2: real[slot] -= sine
        default: imaginary[slot] -= turned
        }
      }
    }
  }
}
