// SPDX-License-Identifier: Apache-2.0

/// The gain over time that keeps a programme within a window around its anchor, as far as the limits allow.
///
/// The curve is made from the whole programme and works on its loudness over 1 and 3 s, so it isn't a compressor: it moves slowly, and words keep
/// their stress.
struct LevelCurve {
  /// Part of the window that lies above the anchor: louder is worse than quieter.
  private static let above = 0.4
  /// LU below rest over which a boost fades to nothing, and LU below that from which on the gain is held.
  private static let fade = 5.0
  private static let hold = 10.0
  /// LUFS below which the gain is held whatever the anchor.
  private static let silent = -60.0
  /// How far a passage of dialogue is moved towards the anchor, beyond so many LU.
  private static let pull = 0.8
  private static let dead = 1.5
  /// Steps on each side of the last smoothing: a triangle of 2 s.
  private static let calm = 10

  private let programme: LevelProgramme
  private let limits: LevelLimits
  private let anchor: Double
  /// Loudness in LUFS over 1.1 and 3.1 s around each step.
  private let second: [Double]
  private let three: [Double]

  /// Curves for a programme, around `anchor` LUFS.
  init(_ programme: LevelProgramme, anchor: Double, limits: LevelLimits) {
    self.programme = programme
    self.anchor = anchor
    self.limits = limits
    second = WindowSums.means(programme.energies, half: 5).map(PlainMaths.loudness)
    three = WindowSums.means(programme.energies, half: 15).map(PlainMaths.loudness)
  }

  /// The gain in dB of each step, for a window of `window` LU.
  func gains(window: Double) -> [Double] {
    let high = anchor + LevelCurve.above * window
    let low = anchor - (1 - LevelCurve.above) * window
    let most = second.map { loudness in
      max(loudness > high ? high - loudness : limits.boost, -limits.cut)
    }
    var wanted = three.map { self.wanted($0, low, high) }
    for passage in programme.passages {
      let gain = gain(of: passage)
      for step in passage.steps.clamped(to: 0..<wanted.count) { wanted[step] = gain }
    }
    var gains = LevelCurve.filled(wanted)
    lower(&gains, to: most)
    gains = LevelCurve.calmed(limits.held(gains))
    lower(&gains, to: most)
    return limits.held(gains)
  }

  /// The gain for `loudness` LUFS of 3 s; `nil` where silence has no opinion.
  private func wanted(_ loudness: Double, _ low: Double, _ high: Double) -> Double? {
    let rest = anchor - limits.quiet - LevelCurve.fade
    guard loudness >= rest - LevelCurve.hold && loudness >= LevelCurve.silent else { return nil }
    if loudness > high { return bounded(high - loudness) }
    guard loudness < low else { return 0 }
    // Room tone isn't pulled up.
    let part = min(1, max(0, (loudness - rest) / LevelCurve.fade))
    return bounded((low - loudness) * part)
  }

  /// The one gain of a passage of dialogue.
  private func gain(of passage: LevelProgramme.Passage) -> Double {
    let distance = passage.loudness - anchor
    guard distance.magnitude > LevelCurve.dead else { return 0 }
    let beyond = distance > 0 ? distance - LevelCurve.dead : distance + LevelCurve.dead
    return bounded(-LevelCurve.pull * beyond)
  }

  private func bounded(_ gain: Double) -> Double { min(limits.boost, max(-limits.cut, gain)) }

  /// Gains on straight lines where none is wanted, held at the ends; 0 where none is wanted at all.
  static func filled(_ wanted: [Double?]) -> [Double] {
    var gains = wanted.map { $0 ?? 0 }
    var last: Int?
    for (step, gain) in wanted.enumerated() {
      guard let gain else { continue }
      if let last {
        let slope = (gain - gains[last]) / Double(step - last)
        for open in last + 1..<step { gains[open] = slope * Double(open - last) + gains[last] }
      } else {
        for open in 0..<step { gains[open] = gain }
      }
      last = step
    }
    if let last {
      for open in last + 1..<gains.count { gains[open] = gains[last] }
    }
    return gains
  }

  private func lower(_ gains: inout [Double], to most: [Double]) {
    for step in gains.indices { gains[step] = min(gains[step], most[step]) }
  }

  /// Gains smoothed by a triangle, held at the ends.
  private static func calmed(_ gains: [Double]) -> [Double] {
    guard let first = gains.first, let last = gains.last else { return [] }
    let weights = (-calm...calm).map { Double(calm + 1 - abs($0)) }
    let sum = weights.reduce(0, +)
    return gains.indices.map { step in
      var total = 0.0
      for (index, weight) in weights.enumerated() {
        let other = step + index - calm
        total += weight * (other < 0 ? first : other < gains.count ? gains[other] : last)
      }
      return total / sum
    }
  }
}
