/// A 2 × 2 matrix (a b; c d) that combines two tracks in place.
struct PairOperation: Equatable {
  /// Index of the parameter set that has the matrices of the bands.
  let parameter: Int
  /// Track that becomes a·first + b·second.
  let first: Int
  /// Track that becomes c·first + d·second.
  let second: Int
  /// Track whose groups and bands the parameters were sent for.
  let framing: Int

  /// An operation for the bands of `framing`, by default those of the first track.
  init(parameter: Int, first: Int, second: Int, framing: Int? = nil) {
    self.parameter = parameter
    self.first = first
    self.second = second
    self.framing = framing ?? first
  }

  /// The two operations that make up the matrix of three tracks for each `chel_matsel`
  /// (TS 103 190-1, 5.3.4.3): afterwards the tracks are left, right and centre.
  static let threeTracks: [[(first: Int, second: Int)]] = [
    [(0, 1), (0, 2)], [(1, 0), (1, 2)], [(0, 2), (0, 1)], [(1, 2), (0, 2)], [(0, 2), (1, 2)],
    [(2, 1), (0, 1)], [(1, 0), (2, 0)], [(0, 1), (2, 1)], [(2, 0), (1, 0)], [(2, 1), (2, 0)],
    [(2, 0), (2, 1)], [(1, 2), (1, 0)],
  ]

  /// The operations of four tracks (TS 103 190-1, 5.3.4.3): each of two pairs, then across them.
  static let fourTracks: [(first: Int, second: Int)] = [(0, 1), (2, 3), (0, 2), (1, 3)]
  /// The operations of five tracks that come after those of the first three.
  static let fiveTracks: [(first: Int, second: Int)] = [(3, 4), (0, 3), (1, 4)]
}
