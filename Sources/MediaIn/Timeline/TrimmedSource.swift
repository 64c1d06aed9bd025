// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The one owner of trimming: drops start-up samples and padding, fills gaps.
///
/// Law, checked at the end of every file: left out + decoded = start trim + valid + end trim.
package final class TrimmedSource: AccountedSource {
  /// Programme of every block.
  package var programme: Programme { source.programme }
  /// The conclusions drawn from the file's facts.
  package private(set) var plan: TrimPlan

  private let source: any TimedSource
  private let blocks: ReadAhead
  /// Whether what blocks state of padding counts.
  private let followsDiscard: Bool
  /// Samples that are held back besides the last block, because padding may reach into them.
  private let reserve: Int
  private let log: DiagnosticLog
  /// Valid samples that can't be handed out yet: at the end of the file they may prove to be
  /// padding.
  private let pending: ProgrammeBlock
  /// The last block read.
  private let incoming: ProgrammeBlock
  private var filler: GapFiller
  private var first: ReadAhead.Entry?
  /// The last block read, until it is taken.
  private var waiting: TimedBlock?
  /// Samples of silence that the gap before the waiting block still needs.
  private var silenceBefore: Int64 = 0
  /// Samples at the waiting block's beginning that repeat what came before.
  private var overlap = 0
  private var account = TrimAccount()
  private var last = LastBlock()
  private var isDone = false

  /// The facts about the last block that was taken.
  private struct LastBlock {
    /// Its facts; `nil` before the first.
    var facts: TimedBlock?
    /// Its samples.
    var frames: Int64 { Int64(facts?.frames ?? 0) }
    /// Samples by which it is longer than the container's duration of it.
    var shortfall: Int64 = 0
    /// Samples of padding that it states.
    var discard: Int64 = 0
  }

  /// Reads the first block of `source` and draws the conclusions from `facts`.
  /// - Throws: ``MediaError`` from the source, or for edit lists that can't be followed.
  package init(
    source: any TimedSource, facts: GaplessFacts, priming: PrimingOption = .automatic,
    gaps: GapPolicy = .fill, log: DiagnosticLog
  ) throws {
    self.source = source
    self.log = log
    followsDiscard = facts.rule.end.contains(.discard)
    pending = ProgrammeBlock(source.programme)
    incoming = ProgrammeBlock(source.programme)
    blocks = ReadAhead(source)
    first = try blocks.take(into: incoming)
    plan = try TrimPlan(
      facts: facts, rate: source.programme.sampleRate, option: priming,
      first: first?.block ?? TimedBlock(frames: 0, position: nil), log: log)
    // Padding may be longer than the last block.
    reserve = Int(plan.infoFrame?.padding ?? 0)
    filler = GapFiller(
      policy: gaps, rate: source.programme.sampleRate, bound: plan.bound,
      followsClock: facts.rule.gaps != .nothing)
    account.startTrimLeft = plan.priming
  }

  /// Appends the next valid samples; `false` at the end.
  /// - Throws: ``MediaError`` from the source; of kind `inputUnreadable` when nothing is valid.
  package func read(into block: ProgrammeBlock) throws -> Bool {
    while !isDone {
      guard try waiting != nil || fetch() else {
        try finish(into: block)
        return false
      }
      // The next block has been read, so the pending samples aren't the end of the stream.
      emit(into: block)
      if silenceBefore > 0 {
        fillGap()
      } else if let facts = waiting {
        waiting = nil
        take(facts)
      }
      limitBacklog()
      if block.frames > 0 { return true }
    }
    return false
  }

  /// Leaves out up to `count` of the first valid samples, where the source can do so. If gaps aren't filled,
  /// the place of a sample depends on all gaps before it, so nothing is left out.
  package func skip(_ count: Int64) throws -> Int64 {
    guard let entry = first, filler.policy == .fill, count <= plan.validSamples ?? .max else {
      return 0
    }
    let block = entry.block
    let skipped = try source.skip(plan.priming + count - Int64(block.frames))
    guard skipped > 0 else { return 0 }
    first = nil
    incoming.removeAll()
    // The first block is left out too; its time is where the clock began.
    _ = filler.judge(block, clock: entry.accuracy, output: 0, log: log)
    filler.pass(skipped)
    account.skip(Int64(block.frames) + skipped)
    return account.valid
  }

  /// Reads the next block and judges its place; `false` at the end of the source.
  private func fetch() throws -> Bool {
    guard let entry = try nextBlock() else { return false }
    let block = entry.block
    // Padding signalled in mid-stream (chained files) belongs to the block that carries it.
    dropPending(last.discard)
    let jump = filler.judge(
      block, clock: entry.accuracy, output: account.valid + Int64(pending.frames), log: log,
      ahead: blocks.look)
    silenceBefore = max(0, jump)
    overlap = Int(min(Int64(block.frames), max(0, -jump)))
    waiting = block
    return true
  }

  /// Adds the next part of a gap's silence, so that a long gap needs no memory.
  private func fillGap() {
    let count = Int(min(silenceBefore, 65_536))
    silenceBefore -= Int64(count)
    append(silence: count)
  }

  /// Summary; final once ``read(into:)`` has returned `false`.
  package var summary: TimelineSummary {
    TimelineSummary(
      plan: plan, decoded: account.decoded, skipped: account.skipped,
      startTrim: account.startTrim, endTrim: account.endTrim, valid: account.valid,
      gaps: filler.gaps, clockLead: filler.clockLead)
  }

  private func nextBlock() throws -> ReadAhead.Entry? {
    if let block = first {
      first = nil
      return block
    }
    incoming.removeAll()
    return try blocks.take(into: incoming)
  }

  /// Moves the incoming block into `pending`, without overlap and start-up samples.
  private func take(_ block: TimedBlock) {
    let from = overlap
    let fresh = block.frames - from
    let trimmed = account.add(fresh)
    appendToPending(dropping: trimmed) { pending in
      if from == 0 { return pending.take(incoming) }
      pending.append(incoming, range: from..<incoming.frames)
    }
    last.discard = plan.validSamples == nil && followsDiscard ? Int64(block.discardEnd) : 0
    let declared = block.declaredFrames ?? block.frames
    last.shortfall = Int64(max(0, block.frames - declared))
    last.facts = block
  }

  private func append(silence count: Int) {
    let trimmed = account.add(count)
    appendToPending(dropping: trimmed) { $0.appendSilence(count) }
  }

  /// Appends to `pending` and drops `count` start-up samples from its front; while there are
  /// start-up samples, `pending` is empty before. They pass through it so that it knows the state
  /// of the objects at the first valid sample.
  private func appendToPending(dropping count: Int, _ append: (ProgrammeBlock) -> Void) {
    append(pending)
    pending.removeFirst(count)
  }

  private func dropPending(_ wanted: Int64) {
    guard wanted > 0 else { return }
    let count = min(Int(wanted), pending.frames)
    pending.truncate(to: pending.frames - count)
    account.endTrim += Int64(count)
    last.discard = 0
  }

  /// Emits the pending samples, but none beyond the stated end.
  private func emit(into block: ProgrammeBlock) {
    let rest = validSamples.map { max(0, $0 - account.valid) } ?? .max
    let count = Int(min(Int64(max(0, pending.frames - reserve)), rest))
    account.valid += Int64(count)
    if count == pending.frames { return block.take(pending) }
    block.append(pending, range: 0..<count)
    pending.removeFirst(count)
  }

  /// Limits what is kept beyond the stated end to what the tolerance may still make valid, plus one
  /// block, whose own end isn't judged yet.
  private func limitBacklog() {
    guard let valid = validSamples, account.valid >= valid else { return }
    let limit = Int(plan.validTolerance + last.frames)
    guard pending.frames > limit else { return }
    // These samples are certainly padding; only their number is needed.
    account.endTrim += Int64(pending.frames - limit)
    pending.truncate(to: limit)
  }

  private func finish(into block: ProgrammeBlock) throws {
    isDone = true
    noteCount()
    let end = endOfValid()
    let count = Int(max(0, min(Int64(pending.frames), end - account.valid)))
    block.append(pending, range: 0..<count)
    account.valid += Int64(count)
    account.endTrim += Int64(pending.frames - count)
    pending.removeAll()
    guard account.valid > 0 else {
      throw MediaError(
        .inputUnreadable,
        "all \(account.decoded) decoded samples are start-up or padding as the file itself states; "
          + "try \(setting: .priming) none")
    }
    try account.check()
    if let valid = validSamples, account.valid < valid - plan.validTolerance {
      log.degrade(
        .truncated,
        "the file declares \(valid) samples but holds \(account.valid); the rest is missing")
    }
  }

  /// Samples after the start-up, padding included; all of them once the source has ended.
  private var decoded: Int64 { account.valid + Int64(pending.frames) + account.endTrim }

  /// Reports where the header frame of an MP3 counts fewer frames than there are, as of files that were joined.
  private func noteCount() {
    let all = decoded + plan.priming
    guard let info = plan.infoFrame, let samples = info.samples, samples < all else { return }
    log.decide(
      .end, "nothing",
      why: "the frame in front of the sound counts \(samples) samples, but \(all) follow, so "
        + "what it states of padding isn't followed")
  }

  /// Samples by which an exact clock is ahead of the sound. One that is coarser than the sample table's errs by a tick anyway.
  private var lead: Int64 { plan.tableSamples == nil ? 0 : filler.clockLead ?? 0 }

  /// Valid samples by the plan. An edit list counts by the clock, which may be ahead of the sound.
  private var validSamples: Int64? {
    plan.validSamples.map { plan.paddingSource == .editList ? max(0, $0 - lead) : $0 }
  }

  /// Samples at the end of `all` that are padding by the sample table: what the file's own table shows, where
  /// that ends within the last frame; else what the demuxer told of the last packet, unless its clock is ahead of the sound. Only the table is the same
  /// with every version of libavformat, which may state the codec's frame instead.
  private func paddingByTable(_ all: Int64) -> Int64 {
    guard let table = plan.tableSamples.map({ $0 - lead }), (0..<last.frames).contains(all - table)
    else { return plan.shift > 0 ? 0 : last.shortfall }
    return all - table
  }

  /// The end of the programme, from the finer of the two clocks that may state it.
  private func endOfValid() -> Int64 {
    let all = account.valid + Int64(pending.frames)
    // A cut end holds no padding, unless all frames are there, of which the last isn't whole.
    let header = plan.headerEnd(decoded, isCut: log.holds(.truncated))
    let byTable = header ?? all - (last.discard > 0 ? 0 : paddingByTable(all))
    guard let valid = validSamples else {
      if header != nil {
        plan.paddingSource = .lame
        return byTable
      }
      // The last block alone is filled up.
      if let end = plan.countedSamples, (0..<last.frames).contains(all - end) {
        plan.paddingSource = plan.countSource
        return end
      }
      if last.discard > 0 {
        plan.paddingSource = .discard
        return all - last.discard
      }
      if byTable < all, plan.paddingSource == .unknown { plan.paddingSource = .sampleTable }
      return plan.paddingSource == .lossless ? all : byTable
    }
    if let header, header < valid {
      (plan.validSamples, plan.paddingSource) = (header, .lame)
      return header
    }
    // Within one tick of the edit list's clock, the finer clock of the sample table decides.
    if account.endTrim == 0, (byTable - valid).magnitude < UInt64(max(1, plan.validTolerance)) {
      return byTable
    }
    return min(valid, byTable)
  }
}

/// Counts where the samples of a decode went.
///
/// The trim law: left out + decoded = start trim + valid + end trim.
struct TrimAccount {
  /// Samples decoded, and those of filled gaps.
  private(set) var decoded: Int64 = 0
  /// Samples that the source left out before decoding began.
  private(set) var skipped: Int64 = 0
  /// Start-up samples dropped or left out.
  private(set) var startTrim: Int64 = 0
  /// Start-up samples that are still to be dropped.
  var startTrimLeft: Int64 = 0
  /// Valid samples handed out or left out.
  var valid: Int64 = 0
  /// Samples dropped as padding.
  var endTrim: Int64 = 0

  /// Leaves out the track's first `count` samples, before any is added.
  mutating func skip(_ count: Int64) {
    skipped = count
    startTrim = min(startTrimLeft, count)
    startTrimLeft -= startTrim
    valid = count - startTrim
  }

  /// Adds `count` decoded samples; returns how many of them, from their front, are start-up samples.
  mutating func add(_ count: Int) -> Int {
    decoded += Int64(count)
    let trimmed = min(startTrimLeft, Int64(count))
    startTrimLeft -= trimmed
    startTrim += trimmed
    return Int(trimmed)
  }

  /// Checks the trim law.
  /// - Throws: ``MediaError`` of kind `internal` when samples were lost or counted twice.
  func check() throws {
    guard skipped + decoded == startTrim + valid + endTrim else {
      throw MediaError(
        .internal, "trim law broken: \(skipped) + \(decoded) ≠ \(startTrim) + \(valid) + \(endTrim)"
      )
    }
  }
}
