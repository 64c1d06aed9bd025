// SPDX-License-Identifier: Apache-2.0

/// The channels that the parts of a channel element belong to, by channel mode and codec mode
/// (TS 103 190-1, Tables 85, 202 and 212 and 5.3.4).
///
/// Channels are numbered in coded order: left, right, centre, low frequencies where the mode has them, left
/// and right surround, then the pair that 7.X modes add.
final class ElementPlan {
  /// The codec mode of the plan.
  let codecMode: CodecMode
  /// Coded index of the low-frequency channel.
  let lowFrequency: Int?
  /// Coded indices of left and right surround.
  let surrounds: [Int]
  /// Coded indices of the pair that 7.X modes add.
  let added: [Int]
  /// Channels of `four_channel_data`, in order.
  let four: [Int]
  /// Channels of `five_channel_data`, in order.
  let five: [Int]
  /// Channels that the added pair may be combined with (`b_use_sap_add_ch`).
  let partners: [Int]
  /// Channels of each A-SPX element, in the order of the syntax.
  let extensions: [[Int]]
  /// Channels of `companding_control`, in order; none where it isn't sent.
  let companded: [Int]
  /// For each A-CPL element of one carrier the carrier and the channel that is made from it.
  let pairs: [(carrier: Int, other: Int)]
  /// Channels that A-CPL raises by 3 dB.
  let raised: [Int]
  /// Channels that have no track of their own.
  let silent: [Int]
  /// The pairs of a `var_channel_element`, in the order of the syntax; a last signal without a partner isn't among them.
  let pairsOfSignals: [[Int]]
  /// Data of immersive elements; `nil` for all others.
  let immersion: Immersion?

  /// A plan of these parts.
  init(
    _ codec: CodecMode, lowFrequency: Int?, surrounds: [Int], added: [Int], extensions: [[Int]],
    companded: [Int], pairs: [(carrier: Int, other: Int)], raised: [Int], silent: [Int],
    immersion: Immersion
  ) {
    codecMode = codec
    (self.lowFrequency, self.surrounds, self.added) = (lowFrequency, surrounds, added)
    (four, five) = ([0, 1] + surrounds, [0, 1, 2] + surrounds)
    (partners, self.extensions, self.companded) = (surrounds, extensions, companded)
    (self.pairs, self.raised, self.silent) = (pairs, raised, silent)
    (pairsOfSignals, self.immersion) = ([], immersion)
  }

  /// The plan of a channel mode up to 7.1 and a codec mode that it may have.
  /// - Parameter addsToSurrounds: `add_ch_base`: whether a mode with a wide or a top pair couples it with the
  ///   surrounds, not with left and right.
  init(_ mode: AC4ChannelMode, _ codec: CodecMode, addsToSurrounds: Bool) {
    let number = mode.rawValue
    // The low-frequency channel stands before the surrounds.
    let shift = mode.hasLFE ? 1 : 0
    codecMode = codec
    (pairsOfSignals, immersion) = ([], nil)
    lowFrequency = mode.hasLFE ? 3 : nil
    let surrounds = number >= 3 ? [3 + shift, 4 + shift] : []
    let added = number >= 5 ? [5 + shift, 6 + shift] : []
    self.surrounds = surrounds
    self.added = added
    four = [0, 1] + surrounds
    five = [0, 1, 2] + surrounds
    // Back channels go with the surrounds; wide and top ones with left and right.
    partners = number <= 6 ? surrounds : [0, 1]
    extensions = ElementPlan.extensions(number, codec, surrounds, added)
    companded = ElementPlan.companded(number, codec, surrounds)
    let couples = codec == .partlyCoupled || codec == .coupled
    let carriers = number == 5 || number == 6 || addsToSurrounds ? surrounds : [0, 1]
    switch number {
    case 1 where couples: pairs = [(0, 1)]
    case 3 where couples, 4 where couples: pairs = [(0, surrounds[0]), (1, surrounds[1])]
    case 5... where couples: pairs = [(carriers[0], added[0]), (carriers[1], added[1])]
    default: pairs = []
    }
    raised = couples ? surrounds + added : []
    switch codec {
    case .coupled: silent = pairs.map(\.other)
    case .widelyCoupled: silent = [2] + surrounds
    case .simple, .extended, .partlyCoupled, .joint: silent = []
    }
  }

  /// The plan of an element of `signals` full-band signals without loudspeakers (`var_channel_element`).
  ///
  /// Channels are numbered as joint object coding takes them, low frequencies last: the last two or three signals of
  /// the syntax come first (TS 103 190-2, 5.7.3.3).
  /// - Parameter codec: `simple` or `extended`.
  init(signals: Int, hasLFE: Bool, _ codec: CodecMode) {
    codecMode = codec
    lowFrequency = hasLFE ? signals : nil
    (surrounds, added, four, five, partners) = ([], [], [], [], [])
    (pairs, raised, silent, immersion) = ([], [], [], nil)
    let order = ElementPlan.order(signals: signals)
    pairsOfSignals = stride(from: 0, to: signals - 1, by: 2).map { [order[$0], order[$0 + 1]] }
    let single = signals % 2 == 1 ? [[order[signals - 1]]] : []
    extensions = codec == .extended ? pairsOfSignals + single : []
    companded = codec == .extended && signals <= 5 ? order : []
  }

  /// The channel of each signal of a `var_channel_element`, in the order of the syntax.
  private static func order(signals: Int) -> [Int] {
    guard signals > 3 else { return Array(0..<signals) }
    let front = 2 + signals % 2
    return Array(front..<signals) + Array(0..<front)
  }

  /// The channels of the A-SPX elements in the order of the syntax.
  private static func extensions(
    _ number: Int, _ codec: CodecMode, _ surrounds: [Int], _ added: [Int]
  ) -> [[Int]] {
    switch (number, codec) {
    case (_, .simple): return []
    case (0, _): return [[0]]
    case (1, .extended): return [[0, 1]]
    case (1, _): return [[0]]
    case (2, _): return [[0, 1], [2]]
    case (3, .extended), (4, .extended): return [[0, 1], surrounds, [2]]
    case (_, .widelyCoupled): return [[0, 1]]
    case (3, _), (4, _): return [[0, 1], [2]]
    case (7, .extended), (8, .extended): return [[0, 1], added, [2], surrounds]
    case (_, .extended): return [[0, 1], surrounds, [2], added]
    default: return [[0, 1], surrounds, [2]]
    }
  }

  /// The channels of `companding_control`. 7.X modes don't have it with ASPX alone.
  private static func companded(
    _ number: Int, _ codec: CodecMode, _ surrounds: [Int]
  ) -> [Int] {
    switch (number, codec) {
    case (_, .simple): return []
    case (1, .partlyCoupled), (1, .coupled): return [0]
    case (0...2, _): return Array(0...number)
    case (3, .extended), (4, .extended): return [0, 1, 2] + surrounds
    case (_, .widelyCoupled): return [0, 1]
    case (3, _), (4, _): return [0, 1, 2]
    case (_, .extended): return []
    default: return [0, 1, 2] + surrounds
    }
  }
}

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
    // Gains undo the encoder's: SCPL is raised with the sums, the rest behind A-SPX, coupled pairs by A-CPL.
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

  /// The data that only immersive elements have.
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

/// The tools that a channel element uses: advanced spectral extension (A-SPX) generates the high band,
/// advanced coupling (A-CPL) makes channels from others (`mono_codec_mode`, `stereo_codec_mode` and so on,
/// TS 103 190-1, 4.3.5).
enum CodecMode: Int, CaseIterable {
  /// SIMPLE: spectra alone.
  case simple
  /// ASPX: spectra and A-SPX.
  case extended
  /// ASPX_ACPL_1: spectra, A-SPX and A-CPL, with coded residuals below a subband.
  case partlyCoupled
  /// ASPX_ACPL_2: spectra, A-SPX and A-CPL of pairs.
  case coupled
  /// ASPX_ACPL_3: spectra, A-SPX and A-CPL that makes five channels from two.
  case widelyCoupled
  /// ASPX_AJCC: spectra, A-SPX and joint channel coding that makes ten channels from four (TS 103 190-2).
  case joint

  /// Whether some channels are made from others by A-CPL.
  var isCoupled: Bool { rawValue >= 2 && self != .joint }

  /// Whether some channels are made from others.
  var makesChannels: Bool { rawValue >= 2 }
}
