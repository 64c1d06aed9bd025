import Platform
import Signal

/// One equalised response, split into an onset delay and what is left when that is taken away.
struct AlignedResponse: Sendable {
  /// Spectrum with the onset at time 0.
  var spectrum: Spectrum
  /// Natural log of the spectrum's magnitudes.
  var logMagnitude: [Double]
  /// Onset, in samples from the response's first tap; not whole.
  var delay: Double

  /// Splits `raw` (the equalised spectrum of a response at `binWidth` Hz per bin).
  ///
  /// The onset is the lag of the highest correlation with the response's own minimum-phase
  /// version (Nam, Abel, Smith: "A Method for Estimating Interaural Time Difference for Binaural
  /// Synthesis", AES 125, 2008), found to a fraction of a sample. Only frequencies below 4 kHz
  /// count: with all of them, resonances of the pinna give the correlation another peak every 80
  /// µs, and neighbouring places end up on different peaks.
  init(_ raw: Spectrum, binWidth: Double, bass: Equaliser.Bass, _ fft: DoubleFFT) {
    var aligned = raw
    logMagnitude = raw.re.indices.map { bin in
      let power = raw.re[bin] * raw.re[bin] + raw.im[bin] * raw.im[bin]
      let kept = bass == .measured ? 1 : Equaliser.keep(at: Double(bin) * binWidth)
      return kept * 0.5 * log(max(power, 1e-20))
    }
    delay = AlignedResponse.onset(
      raw, logMagnitude, binWidth: binWidth, bass: bass, fade: 1500...4000, fft)
    aligned.shift(by: -delay)
    for bin in aligned.re.indices {
      let kept = bass == .measured ? 1 : Equaliser.keep(at: Double(bin) * binWidth)
      guard kept < 1 else { break }
      let phase = (bass == .extended ? kept : 1) * atan2(aligned.im[bin], aligned.re[bin])
      let gain = exp(logMagnitude[bin])
      aligned.re[bin] = gain * cos(phase)
      aligned.im[bin] = gain * sin(phase)
    }
    spectrum = aligned
  }

  /// Onset of the response over the whole band, in samples from the first tap.
  func wholeBandOnset(binWidth: Double, bass: Equaliser.Bass, _ fft: DoubleFFT) -> Double {
    let end = Double(spectrum.count) * binWidth
    return delay
      + AlignedResponse.onset(
        spectrum, logMagnitude, binWidth: binWidth, bass: bass, fade: end...2 * end, fft)
  }

  /// Onset of `raw`, from frequencies that fade out within `fade` Hz. Low frequencies that will be
  /// evened or replaced don't count, nor does the roll-off at the top of the band, whose phase isn't minimum.
  private static func onset(
    _ raw: Spectrum, _ logMagnitude: [Double], binWidth: Double, bass: Equaliser.Bass,
    fade: ClosedRange<Double>, _ fft: DoubleFFT
  ) -> Double {
    let nyquist = Double(raw.count - 1) * binWidth
    let top = Int(min(Equaliser.highestCorrected, 0.82 * nyquist) / binWidth)
    var level = logMagnitude
    var heard = raw
    for bin in raw.re.indices {
      let frequency = Double(bin) * binWidth
      let kept = bass == .measured ? 1 : Equaliser.keep(at: frequency)
      let past = (frequency - fade.lowerBound) / (fade.upperBound - fade.lowerBound)
      let weight = bin > top ? 0 : kept * (0.5 + 0.5 * cos(.pi * min(1, max(0, past))))
      heard.re[bin] *= weight
      heard.im[bin] *= weight
      if bin > top { level[bin] = level[top] }
    }
    let model = MinimumPhase.spectrum(logMagnitude: level, fft)
    return CorrelationPeak.lag(of: heard, behind: model, fft)
  }

  /// The weighted mean of several responses: phase of the aligned sum, mean log magnitude, mean
  /// delay. Magnitudes of a plain sum would sag wherever the phases differ.
  init(mean parts: [(response: AlignedResponse, weight: Double)]) {
    let count = parts.first?.response.spectrum.count ?? 0
    var sum = Spectrum(count: count)
    logMagnitude = [Double](repeating: 0, count: count)
    delay = 0
    for (response, weight) in parts {
      delay += weight * response.delay
      for bin in 0..<count {
        logMagnitude[bin] += weight * response.logMagnitude[bin]
        sum.re[bin] += weight * response.spectrum.re[bin]
        sum.im[bin] += weight * response.spectrum.im[bin]
      }
    }
    if parts.count > 1 {
      for bin in 0..<count {
        let size = (sum.re[bin] * sum.re[bin] + sum.im[bin] * sum.im[bin]).squareRoot()
        let gain = exp(logMagnitude[bin])
        sum.re[bin] = size > 0 ? sum.re[bin] / size * gain : gain
        sum.im[bin] = size > 0 ? sum.im[bin] / size * gain : 0
      }
    }
    spectrum = sum
  }
}
