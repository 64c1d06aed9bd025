import AudioCore

/// What is known of a tap before it gets the sound.
struct TapProof: Sendable {
  /// The delay that it states.
  var declared = 0
  /// The delay that a test signal showed; `nil` where none was sent or its shape wasn't found again.
  var measured: Int?
  /// The delay that is removed.
  var used = 0
  /// Samples by which its response outlasts the input.
  var tail = 0
  /// How much of the past its output depends on.
  var memory = TapContract.Memory.none
  /// Whether equal input gives equal output.
  var isDeterministic = true
  /// The blocks that it gets instead of those that it wants, because its output depends on them; `nil` where it gets
  /// what it wants.
  var blocks: TapContract.Blocks?
}

/// How the delay of a tap is known.
enum TapLatencyRule: Sendable {
  /// Pinna's own code states it, and tests prove it.
  case trusted
  /// It delays nothing; where a test signal is found later, phases were turned.
  case none
  /// The tap states it, and a test signal checks it.
  case declared
  /// A test signal shows it.
  case measured
}
