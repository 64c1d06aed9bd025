extension ElementPlan {
  /// √2.
  private static let root: Float = 1.414_213_56

  /// The plan of `immersive_channel_element` in mode 11 or 12 (TS 103 190-2, 5.2.3 and 5.3): left, right, centre, low
  /// frequencies where the mode has them, surrounds, backs, tops in front, tops behind.
  ///
  /// Each of the last two pairs is coded beside one of the two before: as the difference (S-CPL), or made from that one
  /// (A-CPL).
  /// - Parameter codec: `simple` for SCPL, `extended` for ASPX_SCPL, `partlyCoupled` and `coupled` for ASPX_ACPL_1 and 2,
  ///   `joint` for ASPX_AJCC.
  convenience init(immersive codec: CodecMode, hasLFE: Bool) {
    let shift = hasLFE ? 1 : 0
    let pair = { (first: Int) -> [Int] in [first + shift, first + 1 + shift] }
    let (sides, backs, fronts, rears) = (pair(3), pair(5), pair(7), pair(9))
    let pairs = [
      (sides[0], backs[0]), (sides[1], backs[1]), (fronts[0], rears[0]), (fronts[1], rears[1]),
    ]
    let isCoupled = codec.isCoupled
    let around = sides + backs + fronts + rears
    var extensions: [[Int]] = []
    if codec == .joint {
      extensions = [[0, 1], sides, [2]]
    } else if isCoupled {
      extensions = [[0, 1], sides, fronts, [2]]
    } else if codec == .extended {
      extensions =
        [pairs[0], pairs[1]].map { [$0.0, $0.1] } + [[2], [0, 1]]
        + [pairs[2], pairs[3]].map { [$0.0, $0.1] }
    }
    // What the encoder lowered: SCPL is raised with the sums, the rest behind A-SPX, coupled pairs by A-CPL.
    var gains = [Float](repeating: 1, count: 11 + shift)
    let isRaised = codec == .extended || isCoupled
    if isRaised { for channel in 0..<3 { gains[channel] = 2 } }
    if codec == .extended { for channel in around { gains[channel] = ElementPlan.root } }
    self.init(
      codec, lowFrequency: hasLFE ? 3 : nil, surrounds: sides, added: fronts,
      extensions: extensions, companded: codec == .joint ? [0, 1, 2] + sides : [],
      pairs: isCoupled ? pairs : [], raised: isCoupled ? around : [],
      silent: codec == .joint
        ? backs + fronts + rears : codec == .coupled ? backs + rears : [],
      immersion: Immersion(
        pairs: pairs.map { (sum: $0.0, difference: $0.1) }, front: codec == .simple ? 2 : 1,
        around: codec == .simple ? ElementPlan.root : 1,
        gains: isRaised ? gains : []))
  }

  /// What only immersive elements have.
  struct Immersion {
    /// For each side surrounds and backs, then tops in front and behind: the channel that is coded first, and the one
    /// beside it.
    let pairs: [(sum: Int, difference: Int)]
    /// Gain of left, right and centre with S-CPL.
    let front: Float
    /// Gain of sums and differences with S-CPL.
    let around: Float
    /// Gain of each channel behind A-SPX and A-CPL; empty where all are 1.
    let gains: [Float]
  }
}
