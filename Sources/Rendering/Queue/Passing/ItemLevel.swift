// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import PlayQueue
import Signal

/// The loudness that an item of a queue is to have by itself.
struct ItemGoal {
  /// Loudness and peak that the item must measure, and what may be done for it.
  let target: LoudnessTarget

  /// The goal of `item`, which lies at `placed`, in an output whose programme has the target `level`, asked for as `asked`;
  /// `scope` is what that refers to. `nil` for an item without a loudness of its own.
  init?(
    _ item: QueueItem, _ placed: PlacedItem, level: LoudnessTarget?, asked: LoudnessTarget?,
    scope: PlayQueue.LoudnessScope
  ) {
    guard let wanted = item.loudness ?? (scope == .programme ? nil : level?.integrated) else {
      return nil
    }
    // The item's own gain comes on top of its target.
    let own = placed.envelope.decibels
    // A loudness that the item has of its own holds for its whole, too, where it has too little dialogue.
    let fallback = item.loudness ?? asked?.programmeTarget
    guard var target = level, scope != .programme else {
      // Peaks are the matter of the programme's own gain, which may lower them.
      var target = LoudnessTarget(integrated: wanted + own, truePeak: 0, peakPolicy: .ignore)
      target.anchor = asked?.anchor
      target.programmeTarget = fallback.map { $0 + own }
      self.target = target
      return
    }
    target.anchor = asked?.anchor
    target.programmeTarget = fallback.map { $0 + own }
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
  /// Its dialogue; `nil` where none was looked for.
  let dialogue: Dialogue?
  /// How the gain came about.
  let outcome: NormalizationPlan.Outcome
  /// The work of its own limiter; `nil` for plain gain.
  let limiter: LimiterActivity?
  /// Loudness in LUFS of parts of it before they are added up, by their samples of the programme; silence has none.
  let expected: [Range<Int64>: Double]

  /// The dialogue of an item, and what was done for it.
  struct Dialogue: Sendable {
    /// Its figures in the item before the gain, levelled where that is asked for.
    let figures: DialogueLoudness
    /// Whether it is brought to the target instead of the whole, and whether that is asked for.
    let isAnchor: Bool
    let isAsked: Bool
    /// Its loudness less that of the whole, after gain and limiter, LU; `nil` without speech.
    let distance: Double?
    /// The item's own levelling; `nil` for none.
    let levelling: Levelling?
  }

  /// By how many LU what is brought to the target is louder than the whole.
  var anchorDistance: Double { dialogue.flatMap { $0.isAnchor ? $0.distance : nil } ?? 0 }
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
      (reached.map { $0 - shift } ?? level.solved).map { $0 + level.anchorDistance - level.target }
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
    noteDialogue(log)
    noteLevelling(log)
  }

  /// Reports which items were brought to their targets by their dialogue, and which had too little of it.
  private func noteDialogue(_ log: DiagnosticLog) {
    let asked = items.filter { $0.level.dialogue?.isAsked == true }
    let anchored = asked.filter { $0.level.dialogue?.isAnchor == true }
    guard !asked.isEmpty else { return }
    let each = anchored.count == asked.count ? "each" : "\(anchored.count) of \(asked.count)"
    log.decide(
      .anchor, anchored.isEmpty ? "programme" : "dialogue",
      why: "asked for by \(setting: .anchor); \(each) of the items with a loudness of their own "
        + "is brought to it by its dialogue")
    let others = asked.filter { $0.level.dialogue?.isAnchor != true }
    if !others.isEmpty {
      log.degrade(.dialogueNotFound, ItemLevelNotes.list(others.map(lacking), of: others.count))
    }
    let doubtful = anchored.filter { $0.level.dialogue?.figures.confidence == .low }
    if !doubtful.isEmpty {
      log.degrade(
        .dialogueUncertain,
        ItemLevelNotes.list(
          doubtful.map { "less than half of the speech found in \(name($0)) is certain" },
          of: doubtful.count))
    }
  }

  private func lacking(_ item: Item) -> String {
    let figures = item.level.dialogue?.figures
    return "\(name(item)) has \(Decibels.text(figures?.certainSeconds ?? 0)) s or "
      + "\(GainNotes.percent(figures?.share ?? 0)) of certain speech, and 10 s and 15 % are needed, so all "
      + "of it is brought to \(Decibels.text(item.level.target)) LUFS"
  }

  /// Reports which items were levelled, and which didn't come into the range.
  private func noteLevelling(_ log: DiagnosticLog) {
    let levelled = items.filter { $0.level.dialogue?.levelling != nil }
    guard !levelled.isEmpty else { return }
    let changed = levelled.filter {
      $0.level.dialogue?.levelling?.gain.contains { $0 != 0 } == true
    }
    log.decide(
      .levelling, changed.isEmpty ? "no gain" : "item by item",
      why:
        "\(setting: .levelling); \(changed.count) of \(levelled.count) items with a loudness of their own "
        + "get a gain over time, each by itself")
    let short = levelled.filter { $0.level.dialogue?.levelling?.outcome == .notReached }
    if !short.isEmpty {
      log.degrade(
        .levelNotReached,
        ItemLevelNotes.list(
          short.map { item in
            let levelling = item.level.dialogue?.levelling
            return
              "the range of \(name(item)) is \(Decibels.text(levelling?.after?.spread ?? 0)) LU, not "
              + Decibels.text(levelling?.wanted ?? 0)
          }, of: short.count))
    }
  }

  private func missing(_ item: Item) -> String {
    let deviation = item.deviation ?? 0
    let distance = "\(Decibels.text(deviation.magnitude)) LU \(deviation < 0 ? "below" : "above")"
    let moved = item.level.anchorDistance
    let level =
      item.reached.map { "comes out at \(Decibels.text($0 + moved)) LUFS" }
      ?? "is brought to \(Decibels.text((item.level.solved ?? 0) + moved)) LUFS"
    let what = item.level.dialogue?.isAnchor == true ? "the dialogue of \(name(item))" : name(item)
    return "\(what) \(level), \(distance) \(aim(of: item)); " + cause(item)
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
