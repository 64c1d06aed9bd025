import AudioCore

/// What is known of a tap before it gets the sound.
struct TapProof: Sendable, Codable {
  /// Whether the tap was asked; else nothing is known.
  var isKnown = false
  /// Whether the user says what the delay is, whatever the tap states.
  var isPinned = false
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
  /// Whether it says how many samples it wants at a time.
  var hasOwnBlocks = false
  /// The blocks that it gets instead of those that it wants, because its output depends on them; `nil` where it gets
  /// what it wants.
  var blocks: TapContract.Blocks?
}

/// How the delay of a tap is known.
enum TapLatencyRule: Sendable, Hashable {
  /// Pinna's own code states it, and tests prove it.
  case trusted
  /// It delays nothing; where a test signal is found later, phases were turned.
  case none
  /// The tap states it, and a test signal checks it.
  case declared
  /// The tap states it, and a test signal corrects it.
  case reported
  /// The tap can't state it, and a test signal shows it.
  case found
  /// The tap states it, and it is used even if a test signal shows another one.
  case stated
  /// A test signal shows it; where none can, the tap's word counts.
  case measured
  /// A test signal must show it.
  case shown
  /// The user says that it is so many samples.
  case pinned(Int)
}
