// SPDX-License-Identifier: Apache-2.0
import Signal

/// Decodes access units, one after the other, to the samples of one or more presentations.
///
/// Prediction and noise go on from unit to unit, so that a loss in a substream lasts up to its next restart header. A presentation
/// is silent while one of its substreams is lost.
package final class UnitDecoder {
  /// The part of the output that a unit gave.
  package struct Outcome: Equatable, Sendable {
    /// Samples of silence before the unit's, for units that are missing.
    package var gap = 0
    /// Samples of the unit: fewer than it has where it ends with padding, 0 where it is doubled.
    package var samples = 0
    /// Whether a new clip begins with the unit.
    package var isSeam = false
    /// Whether the unit was dropped, because it is the one before once more.
    package var isDuplicate = false
  }

  /// Samples before the next unit's.
  package private(set) var position: Int64 = 0
  /// Units so far.
  package private(set) var units = 0
  /// Last major sync.
  package private(set) var sync: MajorSync
  /// Dynamic range control of each substream; `nil` where none was sent.
  package private(set) var controls: [RangeControl?] = [nil, nil, nil, nil]

  /// Substreams that have a wanted presentation, each with what it needs, the lowest first.
  private let programmes: [Programme]
  /// Substreams that are needed, bit i for substream i.
  private let needed: UInt8
  private let substreams: [Substream]
  private let checks = UnitChecks()
  private let residuals = ResidualReader()
  private var continuity = Continuity()
  private var log = LossLog()
  /// Facts of the last unit's segments.
  private var facts = UnitFacts()
  /// First byte of the last unit's extra data; `nil` where the unit is lost.
  private(set) var extraStart: Int?

  /// A presentation, by the substream whose matrices make it.
  private struct Programme {
    let top: Int
    let mask: UInt8
    let sources: [Substream]
  }

  /// A decoder of some presentations of a stream that begins with `sync`.
  /// - Parameter presentations: numbers 0…3 of presentations that the stream has.
  package init(_ sync: MajorSync, presentations: [Int]) {
    self.sync = sync
    let substreams = (0..<sync.substreams).map {
      Substream($0, unitLength: sync.unitLength, noiseCount: sync.noiseCount)
    }
    self.substreams = substreams
    let tops = Set(presentations.compactMap { sync.top($0) }).sorted()
    programmes = tops.compactMap { top in
      guard let index = (0..<4).first(where: { sync.top($0) == top }) else { return nil }
      let mask = sync.masks[index]
      return Programme(
        top: top, mask: mask,
        sources: substreams.filter { mask >> UInt8($0.index) & 1 == 1 })
    }
    needed = programmes.reduce(0) { $0 | $1.mask }
  }

  /// Events since they were last taken.
  package var events: [TrueHDEvent] { log.events }

  /// Hands over the events and forgets them.
  package func takeEvents() -> [TrueHDEvent] {
    // Nearly all units have none, and the array keeps its memory.
    if log.events.isEmpty { return [] }
    return log.take()
  }

  /// Heavy dynamic range control of a substream; `nil` where the stream has none. It is reported and not applied.
  package func heavyControl(_ index: Int) -> RangeControl? {
    sync.hasHeavyControl && index < substreams.count ? substreams[index].header.heavyControl : nil
  }

  /// Counts of a presentation.
  package func counts(_ presentation: Int) -> TrueHDCounts {
    sync.top(presentation).map { log.counts[$0] } ?? TrueHDCounts()
  }

  /// Channels of a presentation; 0 before its first restart header.
  package func channels(_ presentation: Int) -> Int {
    sync.top(presentation).map { substreams[$0].output.channels } ?? 0
  }

  /// The last unit's samples of a channel in the stream's order, 24 bits with sign; `nil` where they are lost.
  package func samples(_ presentation: Int, channel: Int) -> UnsafePointer<Int32>? {
    guard let top = sync.top(presentation), facts.rendered >> UInt8(top) & 1 == 1 else {
      return nil
    }
    return UnsafePointer(substreams[top].output.channel(channel))
  }

  /// Substream number `index`, for tests.
  func substream(_ index: Int) -> Substream { substreams[index] }

  /// Decodes a unit, which `bytes` are.
  /// - Throws: ``TrueHDError/refused(_:)`` where the stream goes on in another form; a damaged unit becomes silence and an event.
  package func decode(_ bytes: UnsafeBufferPointer<UInt8>) throws(TrueHDError) -> Outcome {
    let unit: AccessUnit
    do throws(TrueHDError) {
      unit = try AccessUnit(
        bytes, substreams: continuity.hasBegun ? sync.substreams : 0, checks)
    } catch {
      if case .refused = error { throw error }
      return lose(error)
    }
    if let next = unit.sync {
      guard sync.continues(next) else { throw .refused("a change of the stream's form") }
      sync = next
    }
    checkContinuity(unit)
    for index in 0..<unit.count {
      if let control = unit.control(index) { controls[index] = control }
    }
    facts = UnitFacts()
    decodeSegments(bytes, unit)
    extraStart = unit.extraStart
    return try complete()
  }

  /// Puts silence for a unit that is known to be missing.
  package func loseUnit() -> Outcome { lose(.damaged("a unit that is missing")) }

  /// Says that bytes between the last unit and the next one belong to none.
  package func skip(bytes: Int) {
    log.add(.bytesSkipped(bytes), units, position)
    guard continuity.hasBegun else { return }
    continuity.isSkipped = true
    killAll()
  }

  /// Forgets all substreams: the next unit is somewhere else, so that nothing goes on.
  package func beginAnew() {
    killAll()
    continuity = Continuity()
    facts = UnitFacts()
  }

  /// Adds an event at the next sample.
  func note(_ kind: TrueHDEvent.Kind) { log.add(kind, units, position) }

  private func lose(_ reason: TrueHDError) -> Outcome {
    extraStart = nil
    log.add(.unitLost(reason: reason), units, position)
    killAll()
    continuity.passUnit(sync.unitLength)
    continuity.lastInput = nil
    facts = UnitFacts()
    var outcome = Outcome()
    outcome.samples = sync.unitLength
    put(outcome.samples)
    units += 1
    return outcome
  }

  private func killAll() {
    for substream in substreams { substream.isLive = false }
    log.forgetLosses()
  }

  private func kill(_ index: Int, _ reason: TrueHDError) {
    if substreams[index].isLive { log.isTold[index] = false }
    substreams[index].isLive = false
    guard !log.isTold[index] else { return }
    log.add(.segmentLost(substream: index, reason: reason), units, position)
    log.isTold[index] = true
  }

  /// Compares the input timing of a unit without major sync with that of the unit before.
  private func checkContinuity(_ unit: AccessUnit) {
    let step = continuity.inputStep(unit.inputTiming)
    if let step, unit.sync == nil, !continuity.isSkipped,
      !(1...Continuity.mostInputStep(sync.sampleRate) ~= step),
      substreams.contains(where: \.isLive)
    {
      log.add(.timingBreak(step: step), units, position)
      killAll()
    }
    continuity.lastInput = unit.inputTiming
    continuity.hasBegun = true
  }

  private func decodeSegments(_ bytes: UnsafeBufferPointer<UInt8>, _ unit: AccessUnit) {
    for index in 0..<unit.count where needed >> UInt8(index) & 1 == 1 {
      let substream = substreams[index]
      let programme = programmes.first { $0.top == index }
      let below = (1 as UInt8) << UInt8(index) - 1
      // While a lower substream is lost, only the state of this one is kept up.
      let isWhole = programme.map { $0.mask & below & ~facts.decoded == 0 } ?? false
      let task = SegmentReader.Task(
        range: unit.segment(index), isChecked: unit.isChecked(index), hasSync: unit.sync != nil,
        sources: isWhole ? programme?.sources ?? [] : [])
      do throws(TrueHDError) {
        let found = try SegmentReader.decode(bytes, task, of: substream, sync, checks, residuals)
        facts.take(found, of: index)
        if found.timing != nil { log.isTold[index] = true }
        if isWhole { facts.rendered |= 1 << UInt8(index) }
      } catch {
        kill(index, error)
      }
    }
  }

  /// Finds seams and doubled units, and puts the unit's samples.
  private func complete() throws(TrueHDError) -> Outcome {
    var outcome = Outcome()
    let turn = continuity.take(facts.timing, unitLength: sync.unitLength)
    switch turn {
    case .gap(let step) where step % sync.unitLength == 0:
      log.add(.gap(samples: step), units, position)
      outcome.gap = step
      put(step, isSilent: true)
    case .gap(let step): log.add(.gapUnknown(step: step), units, position)
    default: break
    }
    try checkOutputs()
    let top = programmes.last { facts.rendered >> UInt8($0.top) & 1 == 1 }?.top
    if case .repetition = turn, let top, top == continuity.lastTop {
      outcome.isDuplicate = substreams[top].output.repeats
    }
    switch turn {
    case _ where outcome.isDuplicate: log.add(.duplicate, units, position)
    case .repetition(let step), .seam(let step):
      outcome.isSeam = true
      let timing = facts.timing ?? 0
      log.add(.seam(step: step, outputTiming: timing), units, position)
    default: break
    }
    if !outcome.isSeam, !outcome.isDuplicate { compareChecks() }
    continuity.lastTop = top
    if !outcome.isDuplicate {
      outcome.samples = sync.unitLength - (facts.zeros ?? 0)
      if let zeros = facts.zeros { log.add(.end(zeros: zeros), units, position) }
      put(outcome.samples)
    }
    continuity.passUnit(sync.unitLength)
    units += 1
    return outcome
  }

  private func checkOutputs() throws(TrueHDError) {
    for programme in programmes {
      let (top, substream) = (programme.top, substreams[programme.top])
      guard facts.rendered >> UInt8(top) & 1 == 1 else {
        if substream.isLive { substream.hasGaps = true }
        continue
      }
      if substream.output.isWide, !log.isWideTold[top] {
        log.isWideTold[top] = true
        log.add(.wide(substream: top), units, position)
      }
      if log.channels[top] == 0 { log.channels[top] = substream.output.channels }
      guard log.channels[top] == substream.output.channels else {
        throw .refused("a change of the channels of substream \(top)")
      }
    }
  }

  private func compareChecks() {
    for programme in programmes {
      guard let checks = facts.check(programme.top) else { continue }
      if checks.own == checks.sent {
        log.counts[programme.top].rightChecks += 1
      } else {
        log.counts[programme.top].wrongChecks += 1
        log.add(.losslessMismatch(substream: programme.top), units, position)
      }
    }
  }

  /// Moves on by samples of the output.
  private func put(_ samples: Int, isSilent: Bool = false) {
    for programme in programmes
    where isSilent || facts.rendered >> UInt8(programme.top) & 1 == 0 {
      log.counts[programme.top].concealed += Int64(samples)
    }
    position += Int64(samples)
  }
}
