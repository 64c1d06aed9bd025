import Platform
import Signal

/// The all-pass filters that make the loudspeakers' diffuse parts differ (ITU-R BS.2127-1, 7.4). They are the
/// same at every sample rate.
enum DecorrelationFilter {
  /// Number of taps.
  static let length = 512
  /// Samples by which the direct part is delayed, so that it lies in the middle of the filters.
  static let delay = 255

  /// Taps of the filter of this number, in order.
  static func taps(_ number: Int) -> [Double] {
    var generator = MersenneTwister(seed: UInt32(number))
    let half = length / 2
    var re = [Double](repeating: 0, count: length)
    var im = re
    (re[0], re[half]) = (1, 1)
    for bin in 1..<half {
      let phase = 2 * Double.pi * Double(generator.next()) / 4_294_967_296
      (re[bin], im[bin]) = (cos(phase), sin(phase))
      (re[length - bin], im[length - bin]) = (re[bin], -im[bin])
    }
    DoubleFFT(length: length).inverse(&re, &im)
    return re.map { $0 / Double(length) }
  }
}
