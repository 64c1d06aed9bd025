import Platform
import Signal

/// Reads a signal, sampled twice as fast as its band needs, at other times: the weights are the
/// same for every response and so are worked out once.
struct SincTable: Sendable {
  /// Samples on each side of a wanted time. At twofold oversampling this leaves images < −120 dB.
  private static let reach = 12
  /// Shape of the Kaiser window over ``reach`` samples on each side.
  private static let beta = 14.0

  private let starts: [Int]
  private let weights: [Double]

  /// Weights for `times`, in samples of the signal (may be negative: the signal is periodic).
  init(times: [Double]) {
    let reach = SincTable.reach
    let norm = 1 / Kaiser.bessel(SincTable.beta)
    var weights: [Double] = []
    weights.reserveCapacity(times.count * 2 * reach)
    starts = times.map { Int($0.rounded(.down)) - reach + 1 }
    for (time, start) in zip(times, starts) {
      for offset in 0..<2 * reach {
        let x = time - Double(start + offset)
        let inside = max(0, 1 - (x / Double(reach)) * (x / Double(reach)))
        let sinc = x.magnitude < 1e-12 ? 1 : sin(.pi * x) / (.pi * x)
        weights.append(sinc * norm * Kaiser.bessel(SincTable.beta * inside.squareRoot()))
      }
    }
    self.weights = weights
  }

  /// The values of the periodic `signal` (a power of two long) at the table's times.
  func read(_ signal: [Double]) -> [Double] {
    let mask = signal.count - 1
    let width = 2 * SincTable.reach
    return starts.indices.map { index in
      var sum = 0.0
      for offset in 0..<width {
        sum += weights[index * width + offset] * signal[(starts[index] + offset) & mask]
      }
      return sum
    }
  }
}
