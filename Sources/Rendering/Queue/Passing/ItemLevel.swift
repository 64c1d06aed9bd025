import Loudness
import PlayQueue

/// The loudness that an item of a queue is to have by itself.
struct ItemGoal {
  /// Loudness and peak that the item must measure, and what may be done for it.
  let target: LoudnessTarget

  /// The goal of `item`, which lies at `placed`, in an output whose programme has the target `level`; `scope` is what
  /// that refers to. `nil` for an item without a loudness of its own.
  init?(
    _ item: QueueItem, _ placed: PlacedItem, level: LoudnessTarget?,
    scope: PlayQueue.LoudnessScope
  ) {
    guard let wanted = item.loudness ?? (scope == .programme ? nil : level?.integrated) else {
      return nil
    }
    // The item's own gain comes on top of its target.
    let own = placed.envelope.decibels
    guard var target = level, scope != .programme else {
      // Peaks are the matter of the programme's own gain, which may lower them.
      self.target = LoudnessTarget(integrated: wanted + own, truePeak: 0, peakPolicy: .ignore)
      return
    }
    target.integrated = wanted + own
    target.mode = .measured
    target.reference = .programme
    target.pin = nil
    // An item that is left alone would lose its own gain.
    if own != 0 { target.threshold = nil }
    self.target = target
  }
}

/// The solved level of an item with a loudness of its own.
struct ItemLevel: Sendable {
  /// Its loudness in LUFS before the gain; `nil` for silence.
  let integrated: Double?
  /// The gain in dB, besides the item's own, that brings it to its target; 0 for silence.
  let gain: Double
  /// The loudness in LUFS that it is to have.
  let target: Double
  /// The loudness in LUFS that gain and limiter give it before it is added up, without its fades; `nil` for silence.
  let solved: Double?
  /// How the gain came about.
  let outcome: NormalizationPlan.Outcome
  /// The work of its own limiter; `nil` for plain gain.
  let limiter: LimiterActivity?
  /// Loudness in LUFS of parts of it before they are added up, by their samples of the programme; silence has none.
  let expected: [Range<Int64>: Double]
}

extension PlacedItem {
  /// Its samples in `range` of the programme without fades and crossfades; `nil` where they don't make a block of 400 ms
  /// at `rate` Hz. An item that lies there without any fade may be shorter, as a programme may.
  func steady(in range: Range<Int64>, at rate: Int) -> Range<Int64>? {
    let (first, last) = (start + envelope.rise.frames, end - envelope.fall.frames)
    guard first < last else { return nil }
    let heard = (first..<last).clamped(to: range)
    let isComplete = heard == start..<end
    return isComplete || heard.count >= rate * 2 / 5 ? heard : nil
  }
}
