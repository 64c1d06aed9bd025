#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Coefficients of the two K-weighting filters (ITU-R BS.1770-5, Annex 1, Tables 1 and 2).
///
/// The standard lists them for 48 kHz only. Their analogue prototypes are a high shelf at 1682 Hz
/// and a high-pass at 38.1 Hz; the bilinear transform of those gives the listed numbers at 48 kHz
/// and the same response at every other rate.
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
}
