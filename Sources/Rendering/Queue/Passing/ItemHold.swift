// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Platform
import PlayQueue

/// A receiver of an item's rendered samples.
protocol ItemSink: AnyObject {
  /// Adds all of `samples`, the first at sample `start` of the programme, as a part of `item`.
  /// - Throws: ``MediaError`` when they can't be stored.
  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws
}

extension OverlapSum: ItemSink {}

/// Holds one item of a queue back until its loudness is known, and then adds it to the sum of all items at the level that it is to have.
///
/// A limiter of the item's own holds its peaks where the gain lifts them too far: the programme's limiter then finds
/// nothing to do, so that each item keeps the loudness that was solved for it alone.
final class ItemHold: ItemSink {
  private let descriptor: Int32
  private let spool: Spool
  private let format: AudioFormat
  private let dualMono: Bool
  private var meter: LoudnessMeter
  /// Room for the piece of samples that lies in a range.
  private let excerpt: AudioBuffer
  /// Sample of the programme at which the first stored one lies; `nil` before there is one.
  private var start: Int64?

  /// Holds an item of `format` with at most `memory` bytes; what is more goes to a temporary file.
  /// - Throws: ``MediaError`` for a rate at which loudness isn't measured, and without room for the file.
  init(format: AudioFormat, dualMono: Bool, memory: Int) throws {
    descriptor = try JobFiles.unlinkedFile()
    spool = Spool(
      channels: format.channels, memoryLimit: memory, descriptor: descriptor, name: "temporary file"
    )
    self.format = format
    self.dualMono = dualMono
    meter = try LoudnessMeter(format: format, dualMono: dualMono, keepsFigures: true)
    excerpt = AudioBuffer(channels: format.channels)
  }

  deinit { close(descriptor) }

  func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws {
    self.start = self.start ?? start
    try spool.append(samples)
    // The filters' response before and after the item isn't part of its loudness.
    if try cut(samples, at: start, to: item.start..<item.end) { try meter.add(excerpt) }
  }

  /// Adds all of the item, with this `dialogue`, to `sum` at the level of `goal`, and measures its excerpt in each of `ranges`; `pass` is
  /// called after each piece with the sample after it, `tick` now and then.
  /// - Throws: what `pass` and `tick` throw; ``MediaError`` when what was stored can't be read, of kind
  ///   `target-not-met` when the peak policy forbids the loudness.
  func release(
    _ item: PlacedItem, at goal: ItemGoal, dialogue: ItemDialogue?, to sum: OverlapSum,
    ranges: [Range<Int64>],
    tick: @escaping () throws -> Void, _ pass: (Int64) throws -> Void
  ) throws -> ItemLevel {
    let levelling = try level(item, dialogue)
    let statistics = meter.statistics()
    let anchor = anchor(goal, statistics, dialogue)
    let plan = try plan(anchor.target, programme(item, statistics, anchor.weights, tick))
    let own = item.envelope.decibels
    // Silence has no loudness to solve for: the queue's own gain stays.
    let gain = plan.outcome == .silent ? own : plan.gainDB
    let limiter = try self.limiter(of: plan)
    // With a limiter the gain was applied before it; only fades are left to the sum.
    let levelled = item.raised(by: limiter == nil ? gain - own : -own)
    let meters = try rangeMeters(of: item, in: ranges, whole: dialogue != nil)
    var position = start ?? item.start
    func emit(_ samples: AudioBuffer) throws {
      guard samples.frames > 0 else { return }
      sum.add(samples, at: position, of: levelled)
      for (range, meter) in meters where try cut(samples, at: position, to: range) {
        try meter.add(excerpt)
      }
      position += Int64(samples.frames)
      try pass(position)
    }
    try replay(through: limiter, emit)
    let solved = plan.tracks[0].output.integrated
    let words = dialogue.map { dialogue in
      let after = meters[item.start..<item.end]?.statistics()
        .scaled(byDB: limiter == nil ? gain : 0)
      return ItemLevel.Dialogue(
        figures: dialogue.figures(statistics, format.sampleRate), isAnchor: anchor.weights != nil,
        isAsked: goal.target.anchor == .dialogue,
        distance: after.flatMap { dialogue.figures($0, format.sampleRate).ldr.map { -$0 } },
        levelling: levelling)
    }
    // Before a gain alone, meters see samples as they were stored.
    var expected = meters.compactMapValues {
      $0.statistics().scaled(byDB: limiter == nil ? gain : 0).measurement.integrated
    }
    // All of the item was measured already.
    expected[item.start..<item.end] = solved
    return ItemLevel(
      integrated: statistics.measurement.integrated, gain: gain - own,
      target: anchor.target.integrated, solved: solved, dialogue: words, outcome: plan.outcome,
      limiter: limiter == nil ? nil : plan.tracks[0].limiter, expected: expected)
  }

  /// Levels the item by itself where `dialogue` asks for it, and measures it anew; `nil` where that isn't asked for.
  private func level(_ item: PlacedItem, _ dialogue: ItemDialogue?) throws -> Levelling? {
    let lead = item.start - (start ?? item.start)
    guard let solved = dialogue?.level(meter.statistics(), format.sampleRate, lead: lead) else {
      return nil
    }
    guard solved.levelling.gain.contains(where: { $0 != 0 }) else { return solved.levelling }
    spool.level(by: solved.gain)
    meter = try LoudnessMeter(format: format, dualMono: dualMono, keepsFigures: true)
    var position = start ?? item.start
    try spool.replay { samples in
      if try cut(samples, at: position, to: item.start..<item.end) { try meter.add(excerpt) }
      position += Int64(samples.frames)
    }
    return solved.levelling
  }

  /// The target of the item's dialogue where `goal` asks for it and there is enough, with how often each 100 ms counts; else that
  /// of the whole item, and no weights.
  private func anchor(
    _ goal: ItemGoal, _ statistics: LoudnessStatistics, _ dialogue: ItemDialogue?
  ) -> (target: LoudnessTarget, weights: [Int]?) {
    guard goal.target.anchor == .dialogue else { return (goal.target, nil) }
    if let dialogue, dialogue.isEnough {
      return (goal.target, dialogue.weights(statistics, format.sampleRate))
    }
    var target = goal.target
    target.anchor = nil
    target.integrated = target.programmeTarget ?? target.integrated
    return (target, nil)
  }

  /// A meter for each of `ranges` in which `item` is heard at a steady level, by the item's samples; the whole item needs one
  /// only where `whole` says so.
  private func rangeMeters(
    of item: PlacedItem, in ranges: [Range<Int64>], whole: Bool
  ) throws -> [Range<Int64>: LoudnessMeter] {
    var heard = Set(ranges.compactMap { item.steady(in: $0, at: format.sampleRate) })
    heard.remove(item.start..<item.end)
    if whole { heard.insert(item.start..<item.end) }
    return try Dictionary(
      uniqueKeysWithValues: heard.map {
        ($0, try LoudnessMeter(format: format, measuresTruePeak: false, dualMono: dualMono))
      })
  }

  /// The plan for an item that is rendered as `programme` and must measure `target`. Where the limiter keeps it from the target,
  /// the item gets the gain that would reach it without a limiter: a queue isn't refused for one item, and the deviation is
  /// reported.
  private func plan(
    _ target: LoudnessTarget, _ programme: NormalizationProgramme
  ) throws -> NormalizationPlan {
    do {
      return try LoudnessNormalizer(target: target, dualMono: dualMono).solve([programme])
    } catch let error as MediaError where error.kind == .targetNotMet {
      guard target.peakPolicy == .limit, let loudness = programme.loudness else { throw error }
      var fixed = target
      fixed.pin = LoudnessTarget.Pin(target.integrated - loudness, isJudged: false)
      return try LoudnessNormalizer(target: fixed, dualMono: dualMono).solve([programme])
    }
  }

  /// The item as the normaliser takes it, without the filters' response before and after it.
  private func programme(
    _ item: PlacedItem, _ statistics: LoudnessStatistics, _ weights: [Int]?,
    _ tick: @escaping () throws -> Void
  ) -> NormalizationProgramme {
    let first = start ?? item.start
    let offset = item.start - first
    return NormalizationProgramme(
      format: format, statistics: statistics, figures: meter.figures, weights: weights
    ) { [self] wanted, consume in
      try spool.replay(from: wanted + offset) { index, samples in
        try tick()
        guard try cut(samples, at: first + index, to: item.start..<item.end) else {
          // Before the item: go on; after it: stop.
          return index < offset
        }
        return try consume(max(0, index - offset), excerpt)
      }
    }
  }

  /// The stage that applies gain and limiter; `nil` where a gain alone does it.
  private func limiter(of plan: NormalizationPlan) throws -> Compensated<AudioBuffer>? {
    guard let ceiling = plan.limiterCeilingDB, let limiter = plan.tracks[0].limiter else {
      return nil
    }
    return try Compensated(
      TruePeakLimiter(gainDB: plan.gainDB, ceilingDB: ceiling, response: limiter.response),
      name: "gain", input: format)
  }

  /// Hands all that was stored to `emit`, through `limiter` where there is one.
  private func replay(
    through limiter: Compensated<AudioBuffer>?, _ emit: (AudioBuffer) throws -> Void
  ) throws {
    guard let limiter else { return try spool.replay(emit) }
    let scratch = AudioBuffer(channels: format.channels)
    try spool.replay { samples in
      scratch.removeAll()
      try limiter.process(samples, into: scratch)
      try emit(scratch)
    }
    scratch.removeAll()
    try limiter.finish(into: scratch)
    try emit(scratch)
  }

  /// Copies those of `samples`, the first at sample `start` of the programme, that lie in `range` to ``excerpt``; `false` for
  /// none.
  private func cut(
    _ samples: AudioBuffer, at start: Int64, to range: Range<Int64>
  ) throws -> Bool {
    let from = max(0, range.lowerBound - start)
    let to = min(Int64(samples.frames), range.upperBound - start)
    guard from < to else { return false }
    excerpt.removeAll()
    excerpt.append(samples, range: Int(from)..<Int(to))
    return true
  }
}
