import Platform
import Signal

/// A filter that makes its output unlike those of other seeds and passes all frequencies equally: the
/// decorrelator of ITU-R BS.2127-0, 7.4, the same at every rate.
enum SceneDecorrelator {
  /// Taps of the filter.
  static let length = 512
  /// Samples by which the filter delays.
  static let delay = 255

  /// The taps for a seed: a flat spectrum with random phases.
  static func taps(seed: UInt32) -> [Double] {
    var generator = MersenneTwister(seed: seed)
    var re = [Double](repeating: 0, count: length)
    var im = re
    re[0] = 1
    re[length / 2] = 1
    for bin in 1..<length / 2 {
      let angle = 2 * Double.pi * Double(generator.next()) / 4_294_967_296
      (re[bin], im[bin]) = (cos(angle), sin(angle))
      (re[length - bin], im[length - bin]) = (cos(angle), -sin(angle))
    }
    DoubleFFT(length: length).inverse(&re, &im)
    return re.map { $0 / Double(length) }
  }
}
