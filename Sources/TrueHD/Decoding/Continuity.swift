// SPDX-License-Identifier: Apache-2.0

/// Follows the clocks of a stream, by which lost and doubled units and joined clips are found. The sound doesn't depend on them.
struct Continuity {
  /// How a unit goes on from the one before.
  enum Turn: Equatable {
    /// As it should, or by a clock that isn't sent.
    case onward
    /// The samples by which it comes later, where bytes were passed over: 0…65535.
    case gap(Int)
    /// One unit back, so that it may be the last one again.
    case repetition(Int)
    /// Somewhere else: another clip begins, so many samples from where this clip's unit would be.
    case seam(Int)
  }

  private static let modulus = 1 << 16

  /// Whether a unit was read.
  var hasBegun = false
  /// Whether bytes were passed over before the next unit.
  var isSkipped = false
  /// Input timing of the unit before; `nil` where it is lost.
  var lastInput: Int?
  /// Highest substream whose presentation the unit before gave.
  var lastTop: Int?
  /// Output timing that the next unit should have; `nil` before the first restart header.
  private var expected: Int?

  /// Largest step of the input timing, 75 ms: a decoder's buffer holds no more.
  static func mostInputStep(_ sampleRate: Int) -> Int { (3 * sampleRate + 39) / 40 }

  /// Samples from the unit before to one with this input timing; `nil` where that isn't known.
  func inputStep(_ timing: Int) -> Int? {
    lastInput.map { (timing - $0) & (Continuity.modulus - 1) }
  }

  /// Takes the output timing of a unit's restart headers; `nil` without any.
  mutating func take(_ timing: Int?, unitLength: Int) -> Turn {
    let wasSkipped = isSkipped
    isSkipped = false
    guard let timing else { return .onward }
    defer { expected = timing }
    guard let expected, timing != expected else { return .onward }
    let step = (timing - expected) & (Continuity.modulus - 1)
    if wasSkipped { return .gap(step) }
    let signed = step > Continuity.modulus / 2 - 1 ? step - Continuity.modulus : step
    return signed == -unitLength ? .repetition(signed) : .seam(signed)
  }

  /// Moves on to the next unit.
  mutating func passUnit(_ unitLength: Int) {
    expected = expected.map { ($0 + unitLength) & (Continuity.modulus - 1) }
  }
}

/// The facts of a unit's segments.
struct UnitFacts {
  /// Substreams that were decoded, bit i for substream i.
  private(set) var decoded: UInt8 = 0
  /// Substreams whose presentations have samples.
  var rendered: UInt8 = 0
  /// Samples of padding; `nil` unless something ends.
  private(set) var zeros: Int?
  /// Output timing; `nil` without restart header.
  private(set) var timing: Int?
  private var compared: UInt8 = 0
  private var own = SIMD4<UInt8>(repeating: 0)
  private var sent = SIMD4<UInt8>(repeating: 0)

  /// Takes what a substream's segment said.
  mutating func take(_ facts: SegmentReader.Facts, of index: Int) {
    decoded |= 1 << UInt8(index)
    zeros = facts.zeros ?? zeros
    timing = timing ?? facts.timing
    guard let checks = facts.checks else { return }
    compared |= 1 << UInt8(index)
    own[index] = UInt8(truncatingIfNeeded: checks.own)
    sent[index] = UInt8(truncatingIfNeeded: checks.sent)
  }

  /// Lossless checks of a substream; `nil` where they can't be compared.
  func check(_ index: Int) -> (own: UInt8, sent: UInt8)? {
    compared >> UInt8(index) & 1 == 0 ? nil : (own[index], sent[index])
  }
}

/// The events and counts of all substreams, and which losses are reported already.
struct LossLog {
  private(set) var events: [TrueHDEvent] = []
  /// Counts of each substream's presentation.
  var counts = Array(repeating: TrueHDCounts(), count: 4)
  /// Whether the loss of a substream was reported, so that units up to its restart header needn't report it again. The first unit may be
  /// damaged, too.
  var isTold = Array(repeating: false, count: 4)
  var isWideTold = Array(repeating: false, count: 4)
  /// Channels of each substream's presentation; 0 before its first restart header.
  var channels = [0, 0, 0, 0]

  /// Adds an event.
  mutating func add(_ kind: TrueHDEvent.Kind, _ unit: Int, _ sample: Int64) {
    events.append(TrueHDEvent(kind: kind, unit: unit, sample: sample))
  }

  /// Hands over the events and forgets them.
  mutating func take() -> [TrueHDEvent] {
    defer { events.removeAll() }
    return events
  }

  /// Takes all losses as reported: one event stood for all substreams.
  mutating func forgetLosses() { for index in isTold.indices { isTold[index] = true } }
}
