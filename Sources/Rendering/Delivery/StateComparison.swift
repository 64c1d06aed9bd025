import AudioCore

/// Compares the states of two objects that should sound the same.
enum StateComparison {
  /// Most that a number may differ: times between samples become whole ones.
  private static let tolerance = 1e-6

  /// Whether two positions are the same, apart from rounding.
  static func isNear(_ one: ObjectPosition, _ other: ObjectPosition) -> Bool {
    isOfOneKind(one, other)
      && zip(one.coordinates, other.coordinates).allSatisfy { gap($0, $1) <= tolerance }
  }

  /// Whether `state` sounds as that of `motion`, which follows `before`. Of silent objects nothing but the
  /// silence counts; before its first state (`nil`) an object is silent.
  static func isSame(
    _ state: ObjectState?, as motion: ObjectMotion?, after before: ObjectMotion?
  ) -> Bool {
    guard let motion else { return state.map { $0.gain == 0 } ?? true }
    let wanted = motion.state
    guard let state else { return wanted.gain == 0 }
    if wanted.gain == 0, state.gain == 0 { return true }
    guard isOfOneKind(state.position, wanted.position) else { return false }
    let steps = [motion, before].compactMap { $0 }.map(step)
    for (index, (number, meant)) in zip(numbers(state), numbers(wanted)).enumerated() {
      // A ramp may be late by a thousandth of a sample.
      let step = steps.map { $0[index] }.max() ?? 0
      guard gap(number, meant) <= tolerance + step / 100 else { return false }
    }
    return hasSameRules(state.rules, wanted.rules)
  }

  private static func hasSameRules(_ found: ObjectRules, _ wanted: ObjectRules) -> Bool {
    isSame(found.role, as: wanted.role) && found.lock == wanted.lock && found.zones == wanted.zones
      && found.divergence == wanted.divergence && found.isHeadLocked == wanted.isHeadLocked
      // How much of a room is wanted isn't written; that nothing is virtualised is.
      && (found.headphones == .off) == (wanted.headphones == .off)
  }

  private static func isSame(_ found: ObjectRules.Role, as wanted: ObjectRules.Role) -> Bool {
    guard case .speaker(let channel) = found, case .speaker(var meant) = wanted else {
      return found == wanted
    }
    // A channel that its common pack can't describe leaves the pack.
    if channel.pack == nil { meant.pack = nil }
    return channel == meant
  }

  /// How far each number goes in the next sample of `motion`.
  private static func step(_ motion: ObjectMotion) -> [Double] {
    zip(numbers(motion.state), numbers(motion.advanced(by: 1).state)).map(gap)
  }

  private static func isOfOneKind(_ one: ObjectPosition, _ other: ObjectPosition) -> Bool {
    switch (one, other) {
    case (.polar, .polar), (.cartesian, .cartesian): return true
    default: return false
    }
  }

  private static func numbers(_ state: ObjectState) -> [Double] {
    state.position.coordinates + [
      state.gain, state.extent.width, state.extent.height, state.extent.depth, state.diffuse,
    ]
  }

  /// How far two numbers lie apart; azimuths of 180° and −180° are the same.
  private static func gap(_ one: Double, _ other: Double) -> Double {
    let gap = (one - other).magnitude
    return min(gap, (gap - 360).magnitude)
  }
}
