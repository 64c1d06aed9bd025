/// The frequency response of K-weighting (ITU-R BS.1770).
///
/// The numbers describe analogue filters from which the bilinear transform gives the coefficients that the
/// recommendation tabulates for 48 kHz.
enum KWeight {
  /// The factor on the energy at `frequency` Hz: a shelf of 4 dB at 1682 Hz and a high-pass at 38 Hz.
  static func energy(at frequency: Double) -> Double {
    let shelf = frequency / 1681.974
    let high = 1.584_864
    let band = 1.258_720
    let quality = 0.707_175
    let top = square(1 - high * shelf * shelf) + square(band * shelf / quality)
    let bottom = square(1 - shelf * shelf) + square(shelf / quality)
    let pass = frequency / 38.135
    let passBottom = square(1 - pass * pass) + square(pass / 0.500_327)
    return top / bottom * square(pass * pass) / passBottom
  }

  private static func square(_ value: Double) -> Double { value * value }
}
