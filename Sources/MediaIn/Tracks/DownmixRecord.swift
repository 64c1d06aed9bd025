import AudioCore

/// Records the mix to two channels that the frames of a programme state, and its first change.
struct DownmixRecord {
  /// The mix that the first frame states; it stays in force. `nil` when that frame states none.
  private(set) var first: CarriedDownmix?
  /// Samples handed out before a frame first stated another mix; `nil` while none has.
  private(set) var change: Int64?
  private var hasBegun = false

  /// Records the mix that a frame states.
  /// - Parameters:
  ///   - found: the mix; `nil` when the frame states none.
  ///   - position: samples handed out before that frame.
  ///   - isIntact: whether the frame can be believed.
  ///   - endsWithout: whether a frame that states no mix ends the one stated before; otherwise that one
  ///     stays valid.
  mutating func note(
    _ found: CarriedDownmix?, at position: Int64, isIntact: Bool = true, endsWithout: Bool = false
  ) {
    guard hasBegun else {
      hasBegun = true
      first = found
      return
    }
    guard isIntact, change == nil, found != first, found != nil || endsWithout else { return }
    change = position
  }
}
