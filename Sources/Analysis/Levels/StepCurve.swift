/// A curve of bounded size for pictures: a long programme gets longer steps, each with its greatest and its
/// least value.
package struct StepCurve: Sendable, Codable, Equatable {
  /// Most steps that a curve has.
  package static let mostSteps = 2000

  /// Length of a step in seconds: that of a reading times a power of two.
  package var intervalSeconds: Double
  /// Greatest value in each step; `nil` where there is none.
  package var highest: [Double?] = []
  /// Least value in each step; `nil` where there is none.
  package var lowest: [Double?] = []
}

/// Makes a ``StepCurve`` of readings that come one by one, without knowing how many there will be.
struct StepCurveBuilder {
  /// The curve so far.
  private(set) var curve: StepCurve
  /// Readings in a step.
  private var width = 1
  /// Readings in the last step.
  private var filled = 0

  /// A builder for readings that lie `intervalSeconds` apart.
  init(intervalSeconds: Double) { curve = StepCurve(intervalSeconds: intervalSeconds) }

  /// Adds the next reading; `nil` stands for none, as in silence.
  mutating func add(_ value: Double?) {
    if filled == width || curve.highest.isEmpty {
      if curve.highest.count == StepCurve.mostSteps { halve() }
      // Halving leaves a whole last step, because their number was even.
      curve.highest.append(nil)
      curve.lowest.append(nil)
      filled = 0
    }
    filled += 1
    let last = curve.highest.count - 1
    curve.highest[last] = StepCurveBuilder.choose(curve.highest[last], value, max)
    curve.lowest[last] = StepCurveBuilder.choose(curve.lowest[last], value, min)
  }

  /// Makes one step of each two.
  private mutating func halve() {
    curve.highest = StepCurveBuilder.halved(curve.highest, max)
    curve.lowest = StepCurveBuilder.halved(curve.lowest, min)
    curve.intervalSeconds *= 2
    width *= 2
  }

  private static func halved(
    _ values: [Double?], _ rule: (Double, Double) -> Double
  ) -> [Double?] {
    (0..<values.count / 2).map { choose(values[2 * $0], values[2 * $0 + 1], rule) }
  }

  private static func choose(
    _ one: Double?, _ other: Double?, _ rule: (Double, Double) -> Double
  ) -> Double? {
    guard let one, let other else { return one ?? other }
    return rule(one, other)
  }
}
