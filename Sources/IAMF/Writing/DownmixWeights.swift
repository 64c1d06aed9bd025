/// The weights of a layout's channels in the channels that are mixed from them: the encoder's downmix
/// (annex A2.2), step by step.
///
///     Ls5 = α·Lss + β·Lrs     L3 = L5 + δ·Ls5     L2 = L3 + 0.707·C     mono = 0.5·(L2 + R2)
///     Ltf2 = Ltf4 + γ·Ltb     Ltf3 = Ltf2 + w·δ·Ls5
struct DownmixWeights {
  /// What a weight depends on besides a number; each occurs once at most.
  struct Factors: OptionSet {
    let rawValue: Int
    static let alpha = Factors(rawValue: 1)
    static let beta = Factors(rawValue: 2)
    static let gamma = Factors(rawValue: 4)
    static let delta = Factors(rawValue: 8)
    static let weight = Factors(rawValue: 16)
  }

  /// A channel with its weight in a mix.
  struct Term: Equatable {
    /// The channel's plane in the source.
    var source: Int
    /// The part of the weight that never changes.
    var constant: Double
    /// What it is multiplied by.
    var factors: Factors

    /// The weight for some values.
    func weight(_ values: DemixingValues) -> Double {
      var weight = constant
      if factors.contains(.alpha) { weight *= values.alpha }
      if factors.contains(.beta) { weight *= values.beta }
      if factors.contains(.gamma) { weight *= values.gamma }
      if factors.contains(.delta) { weight *= values.delta }
      if factors.contains(.weight) { weight *= values.weight }
      return weight
    }
  }

  private let source: [CodedChannel]

  /// The weights of the channels of `layout`, in the order of IAMF.
  init(_ layout: LoudspeakerLayout) {
    source = layout.channels.compactMap { CodedChannel.version(of: $0, in: layout) }
  }

  /// What `channel` is mixed of, in the order of the source's planes: itself, if the source has it; `nil` where
  /// it can't be made.
  func terms(of channel: CodedChannel) -> [Term]? {
    if let plane = source.firstIndex(of: channel) {
      return [Term(source: plane, constant: 1, factors: [])]
    }
    guard let parts = DownmixWeights.parts(of: channel) else { return nil }
    var all: [Term] = []
    for part in parts {
      guard let terms = terms(of: part.channel) else { return nil }
      for term in terms {
        let constant = part.constant * term.constant
        // The centre is in both sides of a mono mix.
        if let known = all.firstIndex(where: { $0.source == term.source }) {
          all[known].constant += constant
        } else {
          let factors = term.factors.union(part.factors)
          all.append(Term(source: term.source, constant: constant, factors: factors))
        }
      }
    }
    return all.sorted { $0.source < $1.source }
  }

  private typealias Part = (channel: CodedChannel, constant: Double, factors: Factors)

  /// The channels that a step mixes; `nil` of channels that no step makes.
  private static func parts(of channel: CodedChannel) -> [Part]? {
    let isRight = channel.isRight
    switch channel {
    case .mono: return [(.l2, 0.5, []), (.r2, 0.5, [])]
    case .l2, .r2:
      return [(CodedChannel.l3.side(isRight), 1, []), (.c, DemixStep.centerGain, [])]
    case .l3, .r3:
      return [
        (CodedChannel.l5.side(isRight), 1, []), (CodedChannel.ls5.side(isRight), 1, .delta),
      ]
    case .ls5, .rs5:
      return [
        (CodedChannel.lss.side(isRight), 1, .alpha), (CodedChannel.lrs.side(isRight), 1, .beta),
      ]
    case .ltf2, .rtf2:
      return [
        (CodedChannel.ltf4.side(isRight), 1, []), (CodedChannel.ltb.side(isRight), 1, .gamma),
      ]
    case .ltf3, .rtf3:
      return [
        (CodedChannel.ltf2.side(isRight), 1, []),
        (CodedChannel.ls5.side(isRight), 1, [.weight, .delta]),
      ]
    default: return nil
    }
  }
}
