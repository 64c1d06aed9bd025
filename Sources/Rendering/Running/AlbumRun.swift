// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import Signal

/// Runs several requests under one gain: all are rendered, one gain is solved for all, all are
/// written and verified, then all appear. After a failure none appears.
final class AlbumRun {
  private let runs: [RenderRun]
  private let seams: AlbumSeams
  /// Number of the request that is being worked on.
  private(set) var current = 0

  /// An album of `runs`.
  init(_ runs: [RenderRun]) {
    self.runs = runs
    seams = AlbumSeams(runs.map(\.request))
    for run in runs { run.seams = seams }
  }

  /// Does all of them.
  /// - Throws: ``MediaError`` of the request at ``current``.
  func run() throws {
    let requests = runs.map(\.request)
    try RequestRules.checkAlbum(requests)
    try each { try $0.render() }
    guard let rendition = requests.first?.outputs.first?.rendition, let target = rendition.level,
      requests.first?.policy.isDryRun == false
    else { return }
    current = 0
    guard target.peakPolicy != .limit || !runs.contains(where: \.keepsObjects) else {
      throw MediaError(
        .usage,
        "\(setting: .album): objects that are stored as they are can't be limited; add \(setting: .peakPolicy) lower"
      )
    }
    for run in runs { run.settleAnchor(runs) }
    let normalizer = LoudnessNormalizer(
      target: runs.first?.target ?? target, dualMono: rendition.isDualMono)
    let plan = try MediaError.naming("album of \(runs.count)") {
      try normalizer.solve(runs.flatMap(\.programmes))
    }
    var former: SeamJudge.Former?
    try each { run in
      run.adopt(plan, track: current, reference: target.reference)
      try run.deliver(after: seams.parted.contains(current) ? nil : former)
      former = run.last
    }
    try each { try $0.complete() }
    try each { try $0.commit() }
  }

  private func each(_ body: (RenderRun) throws -> Void) throws {
    for (index, run) in runs.enumerated() {
      current = index
      try body(run)
    }
  }
}

/// Judges the seam between two files of one gain that follow each other: each has a limiter of its own, whose gain is at
/// rest where its file begins.
struct SeamJudge {
  /// The file before.
  struct Former {
    let output: RenderedOutput
    /// Its name in messages.
    let name: String
  }

  /// Gain reduction in dB near a seam, up to which a step in the gain isn't heard.
  private static let tolerance = 0.5

  let former: Former
  let output: RenderedOutput

  /// Reports a limiter that worked where the sound goes on from one file into the other.
  func note(_ log: DiagnosticLog) {
    guard let before = former.output.edges, output.edges?.goesOn(from: before) == true else {
      return
    }
    let reduction = max(former.output.finalReductionDB, output.firstReductionDB)
    guard reduction > SeamJudge.tolerance else { return }
    log.degrade(
      .albumSeam,
      "it goes on where \(former.name) ends, but the limiter begins anew with it and took off "
        + "\(Decibels.text(reduction)) dB there, so a step may be heard between them; use "
        + "\(setting: .peakPolicy) lower, or a lower \(setting: .loudness)")
  }
}

/// The seams of an album whose tracks run into each other, so that filters go on across them.
///
/// Filters that begin and end with a file leave a click where two files meet. A track that goes on in the next
/// one is therefore rendered with the end of the track before and the beginning of the next one around it, of which
/// nothing is stored. Used by the runs of an album, one after another.
final class AlbumSeams {
  /// The first samples of a track.
  private struct Beginning {
    let format: AudioFormat?
    let samples: AudioBuffer
  }

  /// Numbers of the tracks that don't go on where the one before ends, of those that filters made it worth a look at.
  private(set) var parted: Set<Int> = []
  private let requests: [RenderRequest]
  /// Number of the track that is being rendered; −1 before the first.
  private var current = -1
  private var programme: Programme?
  private var reach = Branch.Reach()
  /// Why the filters of the current track begin and end with it; `nil` where they needn't.
  private var obstacle: String?
  /// The last samples so far, of the tracks before as well where they run into the current one.
  private var past: AudioBuffer?
  /// The first samples of the next track.
  private var next: Beginning?
  /// The seam before the current track, whose beginning couldn't be read ahead; judged once that has passed.
  private var unjudged: Unjudged?
  /// The track before the last one, if its filters went on into that, which is shorter than they look ahead.
  private var bridged: String?

  /// A seam of which only the track before it is known.
  private struct Unjudged {
    let former: Programme
    let end: AudioBuffer
    let log: DiagnosticLog
  }

  /// The seams between the tracks of `requests`.
  init(_ requests: [RenderRequest]) { self.requests = requests }

  /// Begins the next track, which isn't one clip.
  func pass() {
    current += 1
    (programme, past, next, unjudged, bridged) = (nil, nil, nil, nil, nil)
  }

  /// Begins the next track, which holds `programme` and goes through `branch`.
  /// - Returns: what lies before it; `nil` where it begins by itself.
  func begin(
    _ programme: Programme, _ branch: Branch, isCancelled: @escaping () -> Bool,
    _ log: DiagnosticLog
  ) -> ProgrammeBlock? {
    current += 1
    let (former, before, first, ahead) = (self.programme, past, next, reach.ahead)
    let bridged = bridged
    (self.bridged, unjudged) = (nil, nil)
    self.programme = programme
    reach = branch.reach
    obstacle = AlbumSeams.obstacle(branch)
    past = AudioBuffer(channels: programme.planes)
    next = nil
    guard reach.isAny else { return nil }
    next = beginning(of: current + 1, programme.sampleRate, isCancelled)
    guard let former, let before else { return nil }
    guard let first else {
      if isStandardInput(current) { unjudged = Unjudged(former: former, end: before, log: log) }
      return nil
    }
    guard runs(before, of: former, into: first) else {
      parted.insert(current)
      return nil
    }
    let reason =
      obstacle ?? difference(former.bedFormat, programme.bedFormat, current - 1, current)
    if let reason {
      note(reason, log)
      return nil
    }
    if let bridged {
      log.degrade(
        .albumSeam,
        "it goes on where \(requests[current - 1].name) ends, but that is shorter than filters look ahead, so those of "
          + "\(bridged) heard silence after it and a click may be heard between the two; \(AlbumSeams.advice)"
      )
    }
    if first.samples.frames < ahead { self.bridged = requests[current - 1].name }
    past = before
    let lead = AudioBuffer(channels: before.channels)
    lead.append(before)
    return ProgrammeBlock(programme, audio: lead)
  }

  /// Takes the next samples of the current track.
  func note(_ block: ProgrammeBlock) {
    guard reach.isAny, let past else { return }
    past.append(block.audio)
    if let programme, past.frames >= programme.sampleRate / OutputEdges.parts { judge() }
    let kept = kept
    if past.frames > 2 * kept { past.removeFirst(past.frames - kept) }
  }

  /// Ends the current track.
  /// - Returns: what lies after it; `nil` where it ends by itself.
  func end() -> ProgrammeBlock? {
    guard reach.isAny, let programme, let past else { return nil }
    judge()
    past.removeFirst(max(0, past.frames - kept))
    guard let next, obstacle == nil, runs(past, of: programme, into: next),
      difference(programme.bedFormat, next.format, current, current + 1) == nil
    else { return nil }
    let trail = AudioBuffer(channels: next.samples.channels)
    trail.append(next.samples)
    return ProgrammeBlock(programme, audio: trail)
  }

  /// Reports the seam before the current track if its beginning, which has passed by now, goes on where the track before
  /// ended: the filters of that one couldn't hear it.
  private func judge() {
    guard let seam = unjudged, let programme, let past else { return }
    unjudged = nil
    let beginning = Beginning(format: programme.bedFormat, samples: past)
    guard runs(seam.end, of: seam.former, into: beginning) else { return }
    note(
      obstacle
        ?? difference(seam.former.bedFormat, programme.bedFormat, current - 1, current)
        ?? "standard input can't be read twice", seam.log)
  }

  private func note(_ reason: String, _ log: DiagnosticLog) {
    log.degrade(
      .albumSeam,
      "it goes on where \(requests[current - 1].name) ends, but \(reason), so the filters of each begin and end "
        + "alone and a click may be heard between them; \(AlbumSeams.advice)")
  }

  private static var advice: String { "join them with \(setting: .queue) and -o FOLDER/" }

  private func isStandardInput(_ index: Int) -> Bool {
    if case .standardStream = requests[index].clips[0].input { return true }
    return false
  }

  /// Samples that are kept of what is over: all that filters remember, and a second for those whose response never
  /// quite ends.
  private var kept: Int {
    max(programme?.sampleRate ?? 0, reach.ahead + reach.behind)
  }

  /// The first samples of track number `index`, as many as filters look ahead; `nil` where they can't be read twice, and
  /// where they can't be read at all, which the track's own run says.
  private func beginning(
    of index: Int, _ rate: Int, _ isCancelled: @escaping () -> Bool
  ) -> Beginning? {
    guard requests.indices.contains(index) else { return nil }
    let request = requests[index]
    if isStandardInput(index) { return nil }
    // The track's own run reports what there is to say of it.
    let log = DiagnosticLog()
    let opener = ClipOpener(log: log, isCancelled: isCancelled)
    guard let clip = try? opener.input(of: request.clips[0]).clip(of: request, log)
    else { return nil }
    let block = ProgrammeBlock(clip.programme)
    let count = max(reach.ahead, rate / OutputEdges.parts)
    guard (try? clip.source.fill(block, count)) != nil else { return nil }
    block.audio.truncate(to: count)
    return Beginning(format: clip.programme.bedFormat, samples: block.audio)
  }

  /// Whether the sound of `past`, the end of a track that holds `former`, goes on in `beginning`.
  private func runs(_ past: AudioBuffer, of former: Programme, into beginning: Beginning) -> Bool {
    let length = former.sampleRate / OutputEdges.parts
    let end = max(0, past.frames - length)..<past.frames
    let samples = beginning.samples
    let count = (programme?.sampleRate ?? 0) / OutputEdges.parts
    let start = 0..<min(samples.frames, count)
    return OutputEdges.goOn(past, end, samples, start)
  }

  /// Why sound can't go on from a track of the format `former` into one of the format `own`, which have these numbers;
  /// `nil` where it can.
  private func difference(
    _ former: AudioFormat?, _ own: AudioFormat?, _ first: Int, _ second: Int
  ) -> String? {
    guard let former, let own else { return "one of them holds more than channels" }
    guard former.sampleRate == own.sampleRate else { return "they have different rates" }
    guard former.layout == own.layout else { return "they have different layouts" }
    let renditions = [first, second].map { requests[$0].outputs.first?.rendition }
    return renditions[0] == renditions[1] ? nil : "they are rendered in different ways"
  }

  /// Why the filters of `branch` can't go on across a seam; `nil` where they can.
  private static func obstacle(_ branch: Branch) -> String? {
    let plan = branch.plan
    if branch.convertsRate { return "their rate is converted" }
    if plan.keepsHead || plan.keepsTail {
      return "what filters put before or after each of them is kept"
    }
    if case .moving = plan.renderer.listener?.head { return "the head moves anew in each of them" }
    // Others may count time from their first sample, or remember more than they state.
    let steady: Set<String> = ["eq", "fir"]
    let other = plan.taps.first { $0.point != .output && !steady.contains($0.kind) }
    return other.map { "\($0.title) begins anew with each of them" }
  }
}
