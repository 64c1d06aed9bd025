// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness

/// Searches the widest window of loudness, and so the smallest change, that brings a programme into a range.
package struct LevelSolver {
  /// Ranges in LU that may be asked for.
  package static let ranges = 2.0...20.0
  /// Windows that are tried first, as parts of the range wanted.
  private static let tried = [0.5, 0.6, 0.75, 0.9, 1.1, 1.4, 1.8, 2.3, 3, 4]
  /// LU to which the widest window is found.
  private static let fine = 0.1
  /// LU that are good enough beyond the best where the range can't be reached.
  private static let spare = 0.5
  /// LU by which a curve's spread lies below the range wanted: at the range itself rounding would decide.
  private static let rounding = 1e-6
  /// Steps of the shortest programme that is levelled.
  private static let shortest = 30

  private let programme: LevelProgramme
  private let mode: LevelMode
  private let wanted: Double
  private var limits: LevelLimits { mode.limits }

  /// A search for `programme`, whose spread is brought to `range` LU; to the mode's for `nil`.
  package init(_ programme: LevelProgramme, mode: LevelMode, range: Double? = nil) {
    self.programme = programme
    self.mode = mode
    wanted = range ?? mode.limits.range
  }

  /// The gain, and its figures.
  package func solve() -> Levelling {
    let energies = programme.energies
    guard energies.count >= LevelSolver.shortest else { return still(.tooShort) }
    guard let given = programme.anchor else { return still(.silent) }
    // The meter's logarithms may differ between machines in the last place; the curve doesn't.
    let anchor = (given * 1e6).rounded() / 1e6
    let unchanged = [Double](repeating: 0, count: energies.count)
    let before = figures(unchanged, anchor)
    if fits(before) { return levelling(.within, nil, unchanged, before, before, anchor) }
    let curve = LevelCurve(programme, anchor: anchor, limits: limits)
    let windows = LevelSolver.tried.map { $0 * wanted }
    let tries = windows.map { (window: $0, figures: figures(curve.gains(window: $0), anchor)) }
    var outcome = LevelOutcome.reached
    var isGood = { fits($0, LevelSolver.rounding) }
    if !tries.contains(where: { isGood($0.figures) }) {
      // As near as the limits allow, and no narrower than that takes.
      let least = (tries.map(\.figures.spread).min() ?? 0) + LevelSolver.spare
      outcome = .notReached
      isGood = { $0.spread <= least }
    }
    var low = tries.last { isGood($0.figures) }?.window ?? 0
    var high = windows.first { $0 > low } ?? low
    while high - low > LevelSolver.fine {
      let middle = 0.5 * (low + high)
      if isGood(figures(curve.gains(window: middle), anchor)) {
        low = middle
      } else {
        high = middle
      }
    }
    let gains = curve.gains(window: low)
    return levelling(outcome, low, gains, before, figures(gains, anchor), anchor)
  }

  private func fits(_ figures: Levelling.Figures, _ margin: Double = 0) -> Bool {
    figures.spread <= wanted - margin
  }

  /// Figures of the energies after `gains`; the anchor stays.
  private func figures(_ gains: [Double], _ anchor: Double) -> Levelling.Figures {
    let energies = changed(gains)
    let gates = LoudnessGates(meanSquares: energies)
    return Levelling.Figures(
      spread: spread(energies, anchor), programme: gates.integrated,
      dialogue: dialogue(energies), range: gates.range)
  }

  private func changed(_ gains: [Double]) -> [Double] {
    zip(programme.energies, gains).map { $0 * PlainMaths.power(decibels: $1) }
  }

  /// Loudness of certain speech in LUFS.
  private func dialogue(_ energies: [Double]) -> Double? {
    var (sum, number) = (0.0, 0)
    for (energy, count) in zip(energies, programme.certain) {
      sum += energy * Double(count)
      number += count
    }
    return sum > 0 ? PlainMaths.loudness(sum / Double(number)) : nil
  }

  /// 10 % to 95 % of the short-term loudness that isn't rest: silence isn't something to be raised.
  private func spread(_ energies: [Double], _ anchor: Double) -> Double {
    let heard = LevelSolver.shortTerm(energies).filter { $0 >= anchor - limits.quiet }.sorted()
    guard heard.count > 1 else { return 0 }
    let last = Double(heard.count - 1)
    let high = heard[Int((last * 0.95).rounded(.toNearestOrEven))]
    return high - heard[Int((last * 0.10).rounded(.toNearestOrEven))]
  }

  /// Loudness in LUFS of the 3 s around each step, shorter at the ends.
  private static func shortTerm(_ energies: [Double]) -> [Double] {
    WindowSums.means(energies, before: 15, after: 14, at: 0..<energies.count)
      .map(PlainMaths.loudness)
  }

  private func still(_ outcome: LevelOutcome) -> Levelling {
    Levelling(
      mode: mode, outcome: outcome, anchor: nil, anchorOf: nil, wanted: wanted,
      gain: [Double](repeating: 0, count: programme.energies.count))
  }

  private func levelling(
    _ outcome: LevelOutcome, _ window: Double?, _ gains: [Double],
    _ before: Levelling.Figures, _ after: Levelling.Figures, _ anchor: Double
  ) -> Levelling {
    let slopes = zip(gains, gains.dropFirst()).map { ($1 - $0) * 10 }
    var levelling = Levelling(
      mode: mode, outcome: outcome, anchor: anchor, anchorOf: programme.anchorOf, wanted: wanted,
      gain: gains)
    (levelling.window, levelling.before, levelling.after) = (window, before, after)
    levelling.largestGain = gains.max() ?? 0
    levelling.smallestGain = gains.min() ?? 0
    levelling.steepestRise = max(0, slopes.max() ?? 0)
    levelling.steepestFall = min(0, slopes.min() ?? 0)
    levelling.moving = part(of: slopes)
    levelling.away = part(of: gains)
    levelling.shortTerm = shortTerm(gains)
    return levelling
  }

  /// Part of `values` that lie more than 0.5 from zero.
  private func part(of values: [Double]) -> Double {
    Double(values.count { $0.magnitude > 0.5 }) / Double(max(1, values.count))
  }

  private func shortTerm(_ gains: [Double]) -> Levelling.ShortTerm? {
    let before = LevelSolver.shortTerm(programme.energies)
    let after = LevelSolver.shortTerm(changed(gains))
    let heard = before.indices.filter { before[$0] > -70 }
    guard !heard.isEmpty else { return nil }
    return Levelling.ShortTerm(
      before: percentiles(heard.map { before[$0] }), after: percentiles(heard.map { after[$0] }))
  }

  /// 5, 50 and 95 %, on straight lines between values.
  private func percentiles(_ values: [Double]) -> [Double] {
    let sorted = values.sorted()
    return [0.05, 0.5, 0.95].map { part in
      let place = Double(sorted.count - 1) * part
      let below = sorted[Int(place)]
      let above = sorted[min(sorted.count - 1, Int(place) + 1)]
      return below + (above - below) * (place - place.rounded(.down))
    }
  }
}
