/// The factors that channels were mixed down with.
package struct DemixingValues: Equatable, Sendable {
  /// `dmixp_mode`, 0…2 or 4…6; the upper ones have the factors of the lower ones.
  package let mode: Int
  /// Index of the weight w, 0…10.
  package let weightIndex: Int
  /// Sides in the surrounds of five channels, α.
  package let alpha: Double
  /// Rears in the surrounds of five channels, β.
  package let beta: Double
  /// Back tops in two tops, γ.
  package let gamma: Double
  /// Surrounds in left and right, δ.
  package let delta: Double
  /// Surrounds in the tops of 3.1.2, w.
  package let weight: Double

  /// The largest index of a weight.
  package static let lastWeight = weights.count - 1
  private static let weights = [
    0, 0.0179, 0.0391, 0.0658, 0.1038, 0.25, 0.3962, 0.4342, 0.4609, 0.4821, 0.5,
  ]

  /// The values of a mode (`dmixp_mode`) with the weight of index `weight`, 0…10; `nil` of reserved modes.
  package init?(mode: Int, weight: Int) {
    guard DemixingValues.weights.indices.contains(weight) else { return nil }
    self.mode = mode
    weightIndex = weight
    switch mode & 3 {
    case 0: (alpha, beta, gamma, delta) = (1, 1, 0.707, 0.707)
    case 1: (alpha, beta, gamma, delta) = (0.707, 0.707, 0.707, 0.707)
    case 2: (alpha, beta, gamma, delta) = (1, 0.866, 0.866, 0.866)
    default: return nil
    }
    self.weight = DemixingValues.weights[weight]
  }

  /// By how much a block with a mode changes the weight's index.
  static func weightStep(_ mode: Int) -> Int { mode >= 4 ? 1 : -1 }
}

/// Follows the demixing values from unit to unit.
struct DemixingTrack {
  private let definition: DemixingDefinition?
  /// The last mode that isn't reserved.
  private var mode: Int
  /// Index of the weight; `nil` before the first block.
  private var weight: Int?

  /// The values of an element with the parameter `definition`.
  init(_ definition: DemixingDefinition?) {
    self.definition = definition
    let mode = definition?.defaultMode ?? 0
    self.mode = DemixingValues(mode: mode, weight: 0) == nil ? 0 : mode
  }

  /// The values of the next unit. They don't glide from one unit to the next.
  /// - Parameter sent: the mode of the unit's block; `nil` without one: the defaults hold, and the weight
  ///   stays what it was for the next block.
  mutating func next(_ sent: Int?) -> DemixingValues? {
    guard let sent else {
      let index = min(definition?.defaultWeight ?? 0, DemixingValues.lastWeight)
      return DemixingValues(mode: definition?.defaultMode ?? 0, weight: index)
        ?? DemixingValues(mode: mode, weight: index)
    }
    // A reserved mode leaves the last one.
    if DemixingValues(mode: sent, weight: 0) != nil { mode = sent }
    // The first block's weight has index 0, whatever its mode.
    let next = weight.map {
      min(max($0 + DemixingValues.weightStep(mode), 0), DemixingValues.lastWeight)
    }
    weight = next ?? 0
    return DemixingValues(mode: mode, weight: next ?? 0)
  }
}
