import Platform
import Signal

/// The low-pass of LFE channels.
enum LFEFilter {
  /// Cut-off (−6 dB) in Hz; the LFE channel's upper limit in ITU-R BS.775-3.
  static let cutoff = 120.0

  /// Half the filter's length at `rate`, the centre tap not counted.
  static func half(rate: Int) -> Int { max(1, rate / 48) }

  /// A linear-phase low-pass of 2 × ``half(rate:)`` + 1 taps and 0 dB at 0 Hz.
  static func taps(rate: Int) -> [Double] {
    let half = half(rate: rate)
    let beta = 6.0
    let omega = 2 * cutoff / Double(rate)
    let raw = (-half...half).map { index -> Double in
      let x = Double(index)
      let part = x / Double(half + 1)
      let sinc = index == 0 ? omega : sin(.pi * omega * x) / (.pi * x)
      return sinc * Kaiser.bessel(beta * (1 - part * part).squareRoot())
    }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }
}
