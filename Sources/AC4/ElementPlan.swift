/// Which channels a substream's elements belong to, in coded order: left, right, centre, low
/// frequencies where there are any, left and right surround, the added pair
/// (TS 103 190-1, Tables 85 and 5.3.4).
struct ElementPlan {
  /// Coded index of the low-frequency channel.
  let lowFrequency: Int?
  /// Coded indices of left and right surround.
  let surrounds: [Int]
  /// Coded indices of the pair that 7.X modes add.
  let added: [Int]
  /// Channels of each spectral extension, in the order of the syntax.
  let extensions: [[Int]]
  /// Channels that companding speaks of, in its order; none when it isn't sent.
  let companded: [Int]
  /// Tracks with scale factors of their own that a frame may have.
  let trackCount: Int

  /// The plan of a mode up to 7.1.
  init(_ mode: AC4ChannelMode) {
    let number = mode.rawValue
    let shift = mode.hasLFE ? 1 : 0
    lowFrequency = mode.hasLFE ? 3 : nil
    surrounds = number >= 3 ? [3 + shift, 4 + shift] : []
    added = number >= 5 ? [5 + shift, 6 + shift] : []
    trackCount = mode.channels
    switch number {
    case 0: extensions = [[0]]
    case 1: extensions = [[0, 1]]
    case 2: extensions = [[0, 1], [2]]
    case 3, 4: extensions = [[0, 1], surrounds, [2]]
    case 7, 8: extensions = [[0, 1], added, [2], surrounds]
    default: extensions = [[0, 1], surrounds, [2], added]
    }
    switch number {
    case 0...2: companded = Array(0...number)
    case 3, 4: companded = [0, 1, 2] + surrounds
    default: companded = []
    }
  }
}
