/// Which channels a substream's elements belong to, in coded order: left, right, centre, low
/// frequencies where there are any, left and right surround, the added pair
/// (TS 103 190-1, Tables 85, 202 and 212 and 5.3.4).
final class ElementPlan {
  /// The tools that it is for.
  let codecMode: CodecMode
  /// Coded index of the low-frequency channel.
  let lowFrequency: Int?
  /// Coded indices of left and right surround.
  let surrounds: [Int]
  /// Coded indices of the pair that 7.X modes add.
  let added: [Int]
  /// Channels of `four_channel_data` and `five_channel_data`, in order.
  let four: [Int]
  let five: [Int]
  /// Channels that the added pair may be combined with.
  let partners: [Int]
  /// Channels of each spectral extension, in the order of the syntax.
  let extensions: [[Int]]
  /// Channels that companding speaks of, in its order; none when it isn't sent.
  let companded: [Int]
  /// For each coupling a carrier and the channel that is made from it.
  let pairs: [(carrier: Int, other: Int)]
  /// Channels that coupling raises by 3 dB.
  let raised: [Int]
  /// Channels without a track.
  let silent: [Int]

  /// The plan of a channel mode up to 7.1 and a codec mode that it may have.
  /// - Parameter addsToSurrounds: whether a mode with a wide or a top pair couples it with the
  ///   surrounds, not with left and right (`add_ch_base`).
  init(_ mode: AC4ChannelMode, _ codec: CodecMode, addsToSurrounds: Bool) {
    let number = mode.rawValue
    let shift = mode.hasLFE ? 1 : 0
    codecMode = codec
    lowFrequency = mode.hasLFE ? 3 : nil
    let surrounds = number >= 3 ? [3 + shift, 4 + shift] : []
    let added = number >= 5 ? [5 + shift, 6 + shift] : []
    self.surrounds = surrounds
    self.added = added
    four = [0, 1] + surrounds
    five = [0, 1, 2] + surrounds
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
    case .simple, .extended, .partlyCoupled: silent = []
    }
  }

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
