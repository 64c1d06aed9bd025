import AudioCore

/// What a programme says about its mix to two channels as it goes on.
struct DownmixRecord {
  /// What it said where decoding began, which stays in force.
  private(set) var first: CarriedDownmix?
  /// Samples handed out before it first said something else.
  private(set) var change: Int64?
  private var hasBegun = false

  /// Takes down what a frame says.
  /// - Parameters:
  ///   - position: samples handed out before that frame.
  ///   - isIntact: whether the frame can be believed.
  ///   - endsWithout: whether a frame that says nothing takes back what was said before; else that
  ///     holds on.
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
