/// A step of demixing: one channel from two or three others.
struct DemixStep: Equatable, Sendable {
  /// What it makes.
  enum Kind: Equatable, Sendable {
    /// R2 = 2·mono − L2.
    case right
    /// L3 = L2 − 0.707·C.
    case withoutCenter
    /// Ls5 = (L3 − L5) / δ.
    case surround
    /// Lrs = (Ls5 − α·Lss) / β.
    case rear
    /// Ltf2 = Ltf3 − w·(L3 − L5).
    case topFront
    /// Ltb = (Ltf2 − Ltf4) / γ.
    case topBack

    /// Whether it depends on demixing parameters.
    var needsParameters: Bool { self != .right && self != .withoutCenter }
  }

  /// The gain of the centre in both front channels; exactly this, not √½.
  static let centerGain = 0.707

  /// What it makes.
  var kind: Kind
  /// Plane of the result.
  var output: Int
  /// Planes of the two or three sources, in the order of the formula.
  var sources: [Int]

  /// The weights of the sources; the third is 0 where there are two.
  func weights(_ values: DemixingValues) -> (Double, Double, Double) {
    switch kind {
    case .right: return (2, -1, 0)
    case .withoutCenter: return (1, -DemixStep.centerGain, 0)
    case .surround: return (1 / values.delta, -1 / values.delta, 0)
    case .rear: return (1 / values.beta, -values.alpha / values.beta, 0)
    case .topFront: return (1, -values.weight, values.weight)
    case .topBack: return (1 / values.gamma, -1 / values.gamma, 0)
    }
  }
}
