import Platform

/// Gives the downmix the gain back that its encoder took away (`joc_clipgain`).
///
/// A change of the gain went through the encoder's transform, so that 1 / gain fades over the first 256
/// samples of a frame.
struct ClipGain {
  /// Samples over which a change fades.
  private static let fade = 256
  /// Part of the new gain in each of these samples: sin²(π/2 · (n + ½) / 256).
  private static let shape = (0..<fade).map { index -> Double in
    let sine = sin(.pi / 2 * (Double(index) + 0.5) / Double(fade))
    return sine * sine
  }

  /// The gain of the frame before; `nil` before the first one.
  private var previous: Double?

  /// Writes the gains of the samples of a frame with `gain` to `target`; `nil` keeps the one before.
  mutating func write(_ gain: Double?, count: Int, to target: UnsafeMutablePointer<Float>) {
    let new = gain ?? previous ?? 1
    let old = previous ?? new
    for index in 0..<min(count, ClipGain.fade) {
      let part = ClipGain.shape[index]
      target[index] = Float(1 / ((1 - part) / old + part / new))
    }
    for index in min(count, ClipGain.fade)..<count { target[index] = Float(new) }
    previous = new
  }
}
