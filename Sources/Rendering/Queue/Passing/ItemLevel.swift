// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import PlayQueue
import Signal

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

/// Reports which items of an output miss their own loudness, and where their own limiters worked.
struct ItemLevelNotes {
  /// An item with a loudness of its own.
  struct Item {
    /// Its place in the queue, from 0.
    let index: Int
    /// Its solved level.
    let level: ItemLevel
    /// Loudness of its samples at full gain in the output before they were added up, LUFS; `nil` where that are too few
    /// to be measured, and for silence.
    let expected: Double?
    /// Loudness of these samples in the output, LUFS; `nil` where it wasn't measured, and for silence.
    let delivered: Double?
    /// By how many LU the programme moves all items.
    let shift: Double

    /// Its loudness in the output, LUFS: what was solved, and by how much its samples at full gain were moved since;
    /// `nil` where that wasn't measured.
    var reached: Double? {
      guard let solved = level.solved, let delivered, let expected else { return nil }
      return solved + delivered - expected
    }

    /// By how many LU it is louder than it is meant to be, as far as that was measured: its own gain may miss the
    /// target where the output has too little of it; `nil` for silence.
    var deviation: Double? {
      reached.map { $0 - level.target - shift } ?? level.solved.map { $0 - level.target }
    }
  }

  /// Largest deviation from an item's target, in LU, that isn't reported.
  private static let tolerance = 0.1
  /// Items that a sentence names; the report has all.
  private static let mostNamed = 8

  let input: QueueInput
  let entries: [QueueEntry]
  /// The items of the output, in their order.
  var items: [Item] = []

  /// Reports misses and limiters of the items.
  func note(_ log: DiagnosticLog) {
    let missed = items.filter { ($0.deviation?.magnitude ?? 0) > ItemLevelNotes.tolerance }
      .filter { $0.level.outcome != .unchanged }
    if !missed.isEmpty {
      log.degrade(.itemLoudness, ItemLevelNotes.list(missed.map(missing), of: missed.count))
    }
    noteLimiters(log)
  }

  private func missing(_ item: Item) -> String {
    let deviation = item.deviation ?? 0
    let distance = "\(Decibels.text(deviation.magnitude)) LU \(deviation < 0 ? "below" : "above")"
    let level =
      item.reached.map { "comes out at \(Decibels.text($0)) LUFS" }
      ?? "is brought to \(Decibels.text(item.level.solved ?? 0)) LUFS"
    return "\(name(item)) \(level), \(distance) \(aim(of: item)); " + cause(item)
  }

  /// The target that `item` is judged by: the whole moves items that were measured in it.
  private func aim(of item: Item) -> String {
    guard item.reached != nil, item.shift.magnitude >= 0.005 else {
      return "its target of \(Decibels.text(item.level.target)) LUFS"
    }
    return "its target of \(Decibels.text(item.level.target + item.shift)) LUFS "
      + "(\(Decibels.text(item.level.target)), and \(Decibels.signedText(item.shift)) dB of the whole)"
  }

  /// Why an item is off, and what helps.
  private func cause(_ item: Item) -> String {
    switch item.level.outcome {
    case .lowered: return "\(setting: .peakPolicy) lower keeps its peaks"
    case .maxGain: return "\(setting: .maxGain) allows no more"
    case .lowersOnly: return "\(setting: .lowersOnly) allows no gain"
    case .pinned: return "its peaks keep it below, whatever the gain"
    default:
      return
        "a tap, a neighbour that overlaps it or the programme's limiter changes it"
    }
  }

  private func noteLimiters(_ log: DiagnosticLog) {
    let limited = items.filter { $0.level.limiter.map(GainNotes.isHeard) ?? false }
    if !limited.isEmpty {
      log.degrade(.limited, ItemLevelNotes.list(limited.map(limiting), of: limited.count))
    }
    let hard = items.filter { $0.level.limiter.map { $0.response != .gentle } ?? false }
    if !hard.isEmpty {
      log.degrade(.limitedHard, ItemLevelNotes.list(hard.map(distorting), of: hard.count))
    }
  }

  private func limiting(_ item: Item) -> String {
    guard let limiter = item.level.limiter else { return "" }
    return name(item) + ": " + GainNotes.work(of: limiter)
  }

  private func distorting(_ item: Item) -> String {
    let response = item.level.limiter?.response.rawValue ?? ""
    return
      "\(name(item)) only reaches its target by a limiter with a \(response) response, which distorts; use "
      + "\(setting: .peakPolicy) lower for none"
  }

  private func name(_ item: Item) -> String {
    let number = "item \(item.index + 1)"
    if let title = input.queue.items[item.index].title { return "\(number) (\(title))" }
    guard case .sound(let key, _, _) = entries[item.index] else { return number }
    return "\(number) (\(OutputNames.stem(of: key.path)))"
  }

  private static func list(_ sentences: [String], of count: Int) -> String {
    let rest = count > mostNamed ? "; and \(count - mostNamed) more, which the report lists" : ""
    return sentences.prefix(mostNamed).joined(separator: "; ") + rest
  }
}
