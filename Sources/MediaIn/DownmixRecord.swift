/// What a programme says about its mix to two channels as it goes on.
struct DownmixRecord {
  /// What it said where decoding began, which stays in force.
  private(set) var first: CarriedDownmix?
  /// Samples handed out before it first said something else.
  private(set) var change: Int64?
  private var hasBegun = false

  /// Takes down what a frame says; `nil` repeats what was said before.
  /// - Parameters:
  ///   - position: samples handed out before that frame.
  ///   - isIntact: whether the frame can be believed.
  mutating func note(_ found: CarriedDownmix?, at position: Int64, isIntact: Bool = true) {
    guard hasBegun else {
      hasBegun = true
      first = found
      return
    }
    if isIntact, change == nil, let found, found != first { change = position }
  }
}
