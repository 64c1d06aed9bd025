import Platform
import Signal

/// The filter that makes one ear's responses diffuse-field flat, full at low frequencies and 0 dB
/// on average.
struct Equaliser: Sendable {
  /// What becomes of low frequencies, below about 200 Hz.
  enum Bass: Sendable {
    /// They stay as they were measured.
    case measured
    /// Every direction gets 0 dB and keeps its phase.
    case evened
    /// A pure delay at 0 dB replaces them.
    case extended
  }

  /// Filter over bins 0…n/2: minimum-phase inverse of the diffuse field, or a plain gain.
  let filter: Spectrum
  /// Whether ``filter`` is more than a gain.
  let flattens: Bool
  /// What becomes of low frequencies.
  let bass: Bass

  /// Sets whose diffuse field stays within this range (dB) are left as they are.
  private static let tolerance = 1.0
  /// Highest standard deviation of the bass over directions, in dB, that is left as it is.
  private static let bassTolerance = 0.5
  /// Above this a measurement is roll-off and noise; the correction stays what it is here.
  static let highestCorrected = 18000.0
  /// Limits of the correction, dB.
  private static let correction = -30.0...100.0
  /// Below this frequency in Hz a rolled-off measurement is noise. The equaliser continues the
  /// roll-off at 24 dB per octave there, as a closed loudspeaker behind a coupling capacitor falls;
  /// otherwise all responses would keep some 30° of phase lead at 300 Hz. ``keep(at:)`` replaces
  /// the magnitudes there later.
  private static let rollOffStart = 80.0

  /// The equaliser for this diffuse field, `loss` of which is given back; `bassSpread` is the standard
  /// deviation of the bass over directions in dB, and `fft` has twice as many points as the field has bins. Unless
  /// `isProcessed`, it is the gain alone.
  init(
    _ field: DiffuseField, _ loss: MirrorLoss, bassSpread: Double, _ fft: DoubleFFT,
    isProcessed: Bool
  ) {
    let mean = field.mean
    bass = isProcessed ? Equaliser.bass(field, spread: bassSpread) : .measured
    let flat = !isProcessed || field.range <= Equaliser.tolerance
    let givesBack = isProcessed && loss.counts
    flattens = !flat
    let nyquist = Double(field.levels.count - 1) * field.binWidth
    let ceiling = min(Equaliser.highestCorrected, 0.82 * nyquist)
    let floor = bass == .extended ? Equaliser.rollOffStart : 0
    let rollsOff = floor > 0 && field.level(at: floor) < mean - 6
    let top = min(field.levels.count - 1, Int(ceiling / field.binWidth))
    let decibels = field.levels.indices.map { bin -> Double in
      let lost = givesBack ? loss.levels[min(bin, top)] : 0
      if flat { return lost - mean }
      let frequency = Double(bin) * field.binWidth
      var level = field.level(at: min(ceiling, frequency)) - mean
      if rollsOff && frequency < floor {
        level = field.level(at: floor) - mean + 24 * log2(max(frequency, 10) / floor)
      }
      let limits = Equaliser.correction
      return min(limits.upperBound, max(limits.lowerBound, lost - level)) - mean
    }
    let logMagnitude = decibels.map { $0 * log(10) / 20 }
    filter = MinimumPhase.spectrum(logMagnitude: logMagnitude, fft)
  }

  private static func bass(_ field: DiffuseField, spread: Double) -> Bass {
    if (field.level(at: 50) - field.mean).magnitude > tolerance { return .extended }
    return spread > bassTolerance ? .evened : .measured
  }

  /// 0 where a response's bass is replaced, 1 where it is kept; raised cosine in octaves.
  static func keep(at frequency: Double) -> Double {
    let low = 100.0
    let high = 500.0
    if frequency <= low { return 0 }
    if frequency >= high { return 1 }
    return 0.5 - 0.5 * cos(.pi * log(frequency / low) / log(high / low))
  }
}
