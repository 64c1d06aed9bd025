import CKernels
import Platform
import Signal

/// Coefficients of the two K-weighting filters (ITU-R BS.1770-5, Annex 1, Tables 1 and 2).
///
/// The standard lists them for 48 kHz only. Their analogue prototypes are a high shelf at 1682 Hz
/// and a high-pass at 38.1 Hz; the bilinear transform of those gives the listed numbers at 48 kHz
/// and a response of the same shape at every other rate. The high-pass keeps its listed numerator
/// 1, −2, 1 at all rates, as in libebur128; that lifts the level by 0.22 dB at 8 kHz, 0.09 dB at
/// 16 kHz and lowers it by 0.04 dB at 384 kHz.
struct KWeighting: Sendable {
  /// Numerator of the shelf.
  let shelfB: (Double, Double, Double)
  /// Denominator of the shelf without its leading 1.
  let shelfA: (Double, Double)
  /// Denominator of the high-pass without its leading 1; the numerator is 1, −2, 1.
  let highPassA: (Double, Double)

  /// The filters at `sampleRate` Hz.
  init(sampleRate: Int) {
    let rate = Double(sampleRate)
    // These constants are libebur128's; at 48 kHz they give the numbers of the standard's tables.
    let shelf = tan(.pi * 1681.974450955533 / rate)
    let shelfQ = 0.7071752369554196
    let high = Decibels.amplitude(3.999843853973347)
    let band = pow(high, 0.4996667741545416)
    let norm = 1 + shelf / shelfQ + shelf * shelf
    shelfB = (
      (high + band * shelf / shelfQ + shelf * shelf) / norm,
      2 * (shelf * shelf - high) / norm,
      (high - band * shelf / shelfQ + shelf * shelf) / norm
    )
    shelfA = (2 * (shelf * shelf - 1) / norm, (1 - shelf / shelfQ + shelf * shelf) / norm)

    let pass = tan(.pi * 38.13547087602444 / rate)
    let passQ = 0.5003270373238773
    let passNorm = 1 + pass / passQ + pass * pass
    highPassA = (2 * (pass * pass - 1) / passNorm, (1 - pass / passQ + pass * pass) / passNorm)
  }

  /// The coefficients for the kernel; the shelf's numerator is divided by its first coefficient.
  var kernel: ck_k_weighting {
    ck_k_weighting(
      shelf_b1: shelfB.1 / shelfB.0, shelf_b2: shelfB.2 / shelfB.0, shelf_a1: shelfA.0,
      shelf_a2: shelfA.1, pass_a1: highPassA.0, pass_a2: highPassA.1)
  }

  /// The factor for the kernel's energies that makes up for that division.
  var energyScale: Double { shelfB.0 * shelfB.0 }
}
