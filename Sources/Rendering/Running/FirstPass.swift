// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Report

/// Pass 1: pulls the sound out of the source and sends it through all branches.
struct FirstPass {
  let request: RenderRequest
  let clip: OpenedClip
  let branches: [Branch]
  /// Meters of the single objects; `nil` where there are none.
  let objects: ObjectMeters?
  /// Search for dialogue; `nil` for none.
  let dialogue: SourceDialogue?
  /// The seams of the album that the clip belongs to; `nil` for none.
  let seams: AlbumSeams?
  let progress: RunProgress
  let log: DiagnosticLog

  /// Sends everything through.
  /// - Returns: samples that the source delivered.
  /// - Throws: ``MediaError`` when the source fails, the range holds nothing or the outputs grow too
  ///   large.
  func run() throws -> Int64 {
    let programme = clip.programme
    let feed = progress.feed(clip.source, threads: request.policy.threads)
    defer { feed.stop() }
    let cutter = BlockCutter(size: request.policy.blockSize, programme: programme)
    let limit = OutputLimit(request)
    var done: Int64 = 0
    let goesOn = try lead()
    while let piece = try MediaError.naming(request.name, { try feed.next() }) {
      try limit.check(branches)
      try cutter.push(piece, process)
      done += Int64(piece.frames)
      try progress.show(
        RenderProgress(
          pass: .render, done: done, total: clip.expected, sampleRate: programme.sampleRate))
    }
    feed.stop()
    try cutter.flush(process)
    guard done > 0 else {
      let rate = Int64(programme.sampleRate)
      let length = clip.length.map { ", which lasts \(MediaTime(ticks: $0, rate: rate))" } ?? ""
      throw MediaError(
        .usage,
        "the range from \(setting: .rangeStart) to \(setting: .rangeEnd) lies beyond the end of \(request.name)\(length)"
      )
    }
    let isFollowed = try trail(after: done)
    for branch in branches { try branch.finish() }
    for (index, branch) in branches.enumerated() {
      note(branch, log.about(.output(index)), head: !goesOn, tail: !isFollowed)
    }
    noteLength(rendered: done)
    return done
  }

  /// Lets the filters hear what lies before the clip in its album; `false` for nothing.
  private func lead() throws -> Bool {
    guard let seams, let branch = branches.first,
      let block = seams.begin(
        clip.programme, branch, isCancelled: progress.isCancelled, log.about(.output(0)))
    else { return false }
    for (index, branch) in branches.enumerated() {
      try branch.lead(in: block)
      log.about(.output(index)).decide(
        .filterHead, "goes on",
        why: "the sound goes on where the track before ends, and the filters with it")
    }
    return true
  }

  /// Lets the filters hear what lies after the clip, of `frames` samples, in its album; `false` for nothing.
  private func trail(after frames: Int64) throws -> Bool {
    guard let block = seams?.end() else { return false }
    for (index, branch) in branches.enumerated() {
      try branch.trail(block, after: frames)
      log.about(.output(index)).decide(
        .tail, "goes on",
        why: "the sound goes on in the next track, which begins with what the filters put there")
    }
    return true
  }

  private func process(_ block: ProgrammeBlock) throws {
    objects?.add(block)
    try dialogue?.add(block)
    seams?.note(block)
    for branch in branches { try branch.process(block) }
  }

  private func note(_ branch: Branch, _ log: DiagnosticLog, head: Bool, tail: Bool) {
    if tail { log.noteTail(branch.cutPeak, of: "source") }
    if head { log.noteHead(branch.headPeak, of: "source") }
    if branch.plan.keepsHead {
      log.decide(
        .filterHead, "kept",
        why: "the output begins \(branch.head) samples before the source")
    }
    noteDownmixChange(branch, log)
  }

  private func noteDownmixChange(_ branch: Branch, _ log: DiagnosticLog) {
    guard branch.plan.downmix == .stream, let change = clip.progress().downmixChange else { return }
    let standard = RenderReport.Render.Downmix.standard
    let method = branch.plan.renderer.downmixMethod
    let isOwn = (method ?? standard) != standard
    let isLate = clip.programme.facts.downmix == nil && method == standard
    guard isOwn || isLate else { return }
    let time = MediaTime(ticks: change, rate: Int64(clip.programme.sampleRate))
    log.degrade(
      .downmixChanged,
      "about \(time) into the track the programme sends other gains for its downmix, or none; "
        + (isOwn ? "its first ones" : "the standard ones") + " stay in force")
  }

  /// A file with clearly fewer samples than its header states is truncated.
  private func noteLength(rendered: Int64) {
    let log = log.about(.input(0))
    if let asked = clip.asked {
      guard rendered < asked else { return }
      log.degrade(
        .rangeShort,
        "the range asks for \(asked) samples but the file ends after \(rendered) of them")
    }
    let missing = clip.progress().missing
    guard missing > 0, !log.holds(.truncated) else { return }
    log.degrade(
      .truncated,
      "the header promises \(missing) more samples than could be decoded; the rest is missing")
  }
}

/// The most that a job's outputs may hold, so that a small file that unfolds to hours can't fill a
/// disk.
///
/// The samples count as the output stores them, before any codec. Headers may be wrong, so the
/// limit is checked while rendering.
struct OutputLimit {
  private let limit: Int64?
  private let name: String

  init(_ request: RenderRequest) {
    limit = request.policy.outputLimit
    name = request.name
  }

  /// Checks what the spools of `branches` hold together.
  /// - Throws: ``MediaError`` of kind `outputLimit`.
  func check(_ branches: [Branch]) throws {
    guard let limit else { return }
    let size = branches.reduce(Int64(0)) { sum, branch in
      let bytes = branch.tracks * branch.plan.container.coding.encoding.bytes
      return sum + branch.spool.frames * Int64(bytes)
    }
    guard size > limit else { return }
    throw MediaError(
      .outputLimit, about: name,
      "its output would take more than \(limit) bytes of samples; raise \(setting: .largestOutput) or "
        + "render a part of it with \(setting: .rangeLength)")
  }
}
