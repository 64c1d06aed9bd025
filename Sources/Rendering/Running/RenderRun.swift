// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import LibAV
import Loudness
import MediaIn
import MediaOut
import Report
import Signal

/// Runs one request from opened input to renamed outputs; used once.
///
/// The steps are ``render()`` (pass 1), ``solve()``, ``deliver()`` (pass 2), ``complete()`` and
/// ``commit()``; an album takes them side by side with other runs.
final class RenderRun: WholeRun {
  let request: RenderRequest
  /// Input that is opened instead of the one that the request names; `nil` for none.
  private let given: RenderInput?
  /// Reports on the input from when it was opened; `nil` where the run opens it.
  private let opening: DiagnosticLog?
  private let environment: RenderEnvironment
  let progress: RunProgress
  private let log: DiagnosticLog
  private let taps: TapLedger
  private var report: ReportBuilder
  private var sound: (any OpenedSound)?
  private var compiled: PlanCompiler.Compiled?
  private var outputs: [RenderedOutput] = []
  private var targets: [OutputTarget] = []
  private var isPartOfAlbum = false
  /// Search for dialogue in the source, and what it found; `nil` where none was asked for.
  private var search: (any DialogueSearch)?
  private(set) var dialogue: SourceDialogue.Found?
  /// The packets of tracks that were rendered before for files of several, by the name of the file and in its order.
  var former: [String: [TrackRecording]] = [:]
  /// The seams of the album that it belongs to; `nil` for none.
  var seams: AlbumSeams?

  /// A run of `request`, from which the taps were left out that failed in `bypassed`.
  init(
    request: RenderRequest, input: RenderInput? = nil, opening: DiagnosticLog? = nil,
    environment: RenderEnvironment,
    bypassed: [MediaError] = [], progress: RunProgress
  ) {
    self.request = request
    given = input
    self.opening = opening
    self.environment = environment
    self.progress = progress
    log = DiagnosticLog()
    for error in bypassed {
      log.degrade(.tapBypassed, "\(error.message); the sound was made without it")
    }
    taps = TapLedger(log: log, folder: environment.tapFolder)
    report = ReportBuilder(request: request, log: log, stages: progress.stages)
  }

  /// Does all of it.
  /// - Throws: ``MediaError``; no file is left then.
  func run() throws {
    if request.isCopy { return try copy() }
    try render()
    guard !request.policy.isDryRun else { return }
    try solve()
    try deliver()
    try complete()
    try commit()
  }

  /// Pass 1: opens, compiles the plan, decodes, trims, renders and measures. A dry run ends with the
  /// plan.
  func render() throws {
    let (sound, branches) = try progress.stages.time(.open) { try open() }
    guard !request.policy.isDryRun else { return try report.take(sound) }
    try progress.stages.time(.render) {
      try sound.render(into: branches, progress, seams: seams)
    }
    try report.take(sound)
    for index in branches.indices { taps.remark(index) }
    dialogue = try search?.finish()
    report.dialogueGain = sound.lift?.report(dialogue)
    report.isChanged = sound.isChanged
    collect(branches, try levelled(branches, sound), sound)
    noteDialogue()
    compareStated()
  }

  /// Levels `branches` where that is asked for; gives the loudness of each without it, or nothing.
  private func levelled(
    _ branches: [Branch], _ sound: any OpenedSound
  ) throws -> [LoudnessStatistics?] {
    guard let request = request.levelling, let dialogue, !sound.levelsItems else { return [] }
    return try progress.stages.time(.solve) {
      let (levelling, before) = try LevellingStep(request: request, log: log).run(
        branches, dialogue, starts: branches.indices.map { sound.part($0).start })
      report.levelling = levelling
      return before
    }
  }

  /// Gives all outputs the dialogue of the source, and reports the file's own statements that don't fit it.
  private func noteDialogue() {
    guard let dialogue else { return }
    for (index, output) in outputs.enumerated() {
      output.take(sound?.part(index).of(dialogue) ?? dialogue)
    }
    dialogue.note(log.about(.input(0)))
    sound?.lift?.note(dialogue, log.about(.input(0)))
  }

  /// Opens the input and compiles the plan.
  private func open() throws -> (sound: any OpenedSound, branches: [Branch]) {
    let input = try begin()
    let sound = try input.openSound(for: request, in: environment, taps: taps, log: log)
    self.sound = sound
    try report.take(sound)
    let compiled = try sound.compile()
    self.compiled = compiled
    try report.plan(compiled.plan)
    try reserve(compiled.companions, input)
    let branches = try makeBranches(compiled, sound)
    if let levelling = request.levelling {
      let step = LevellingStep(request: levelling, log: log)
      try step.check(branches)
      if request.policy.isDryRun { step.noteAhead() }
    }
    search = try request.askedOfDialogue.map { try lookForDialogue($0, sound) }
    progress.expect(branches)
    report.describe(branches, compiled.choices)
    return (sound, branches)
  }

  /// The search for dialogue, for outputs that have the source's time.
  private func lookForDialogue(
    _ asked: Setting, _ sound: any OpenedSound
  ) throws -> any DialogueSearch {
    guard request.outputs.indices.allSatisfy({ taps.tempo($0).isSame }) else {
      throw MediaError(
        .usage,
        "\(setting: asked): a tap changes the tempo, so the source's dialogue lies elsewhere in the output; leave one out"
      )
    }
    return try sound.lookForDialogue(asked)
  }

  /// Compares what was measured with what the input states; sound that is missing or made up proves nothing.
  private func compareStated() {
    let doubtful: Set<DegradationCode> = [.concealed, .truncated, .decodeErrors]
    guard !log.degradations.contains(where: { doubtful.contains($0.code) }) else { return }
    for (index, output) in outputs.enumerated() {
      output.branch.plan.stated?.compare(
        output.source.measurement, log.about(.output(index)))
    }
  }

  /// The rendered outputs as the normaliser takes them.
  var programmes: [NormalizationProgramme] { outputs.map(\.programme) }

  /// Whether an output stores objects as they are.
  var keepsObjects: Bool { outputs.contains { $0.branch.kept != nil } }

  /// Solves a gain for each output.
  func solve() throws {
    if request.sharesGain {
      settleAnchor([self])
      return try solveTogether()
    }
    for output in outputs {
      output.settleAnchor([output.dialogue].compactMap { $0?.dialogue })
      output.adopt(
        try output.target.map { level in
          try progress.stages.time(.solve) { try plan(level, for: output) }
        })
    }
  }

  /// Settles whether the loudness of dialogue is brought to the target, by that of all `runs` of one gain together.
  func settleAnchor(_ runs: [RenderRun]) {
    let found = runs.compactMap { $0.dialogue?.dialogue }
    for output in outputs { output.settleAnchor(found) }
  }

  /// The target of its first output.
  var target: LoudnessTarget? { outputs.first?.target }

  /// Solves one gain for all outputs.
  private func solveTogether() throws {
    guard let first = request.outputs.first?.rendition,
      let target = outputs.first?.target
    else { return }
    guard target.peakPolicy != .limit || !keepsObjects else {
      throw MediaError(
        .usage,
        "\(setting: .sharesGain): objects that are stored as they are can't be limited; add \(setting: .peakPolicy) lower"
      )
    }
    isPartOfAlbum = true
    let plan = try MediaError.naming(request.name) {
      try progress.stages.time(.solve) {
        try LoudnessNormalizer(target: target, dualMono: first.isDualMono).solve(programmes)
      }
    }
    // Tracks of one queue are an album; one sound in several forms is none.
    let isAlbum = request.outputs.allSatisfy { $0.items != nil }
    for (index, output) in outputs.enumerated() {
      output.adopt(plan, index: index, isAlbum: isAlbum)
    }
    report.album = RenderReport.Loudness.Album(
      tracks: plan.tracks.count, reference: target.reference,
      integrated: plan.output.integrated, truePeak: plan.output.truePeak)
  }

  /// Takes the plan of an album, in which this run's output is number `track`.
  func adopt(
    _ plan: NormalizationPlan, track: Int, reference: LoudnessTarget.Reference
  ) {
    isPartOfAlbum = true
    outputs[0].adopt(plan, index: track, isAlbum: true)
    report.album = RenderReport.Loudness.Album(
      tracks: plan.tracks.count, reference: reference,
      integrated: plan.output.integrated, truePeak: plan.output.truePeak)
  }

  /// The last output, for the file that follows it in an album.
  var last: SeamJudge.Former? {
    outputs.last.map { SeamJudge.Former(output: $0, name: request.name) }
  }

  /// The file that the output number `index` goes on from with the same gain, where `former` is the one before all
  /// outputs; `nil` for none.
  private func former(_ index: Int, _ former: SeamJudge.Former?) -> SeamJudge.Former? {
    guard index > 0 else { return former }
    guard request.sharesGain, sound?.continues(index) == true else { return nil }
    return SeamJudge.Former(
      output: outputs[index - 1], name: request.outputs[index - 1].location.name)
  }

  /// Pass 2: writes every output, reads it back and judges it; `first` is the file before them in an album.
  func deliver(after first: SeamJudge.Former? = nil) throws {
    guard let sound, let compiled else { return }
    for (index, output) in outputs.enumerated() {
      let (part, name) = (request.outputs[index].part, request.outputs[index].location.name)
      let recording = part?.isLast == false ? try TrackRecording() : nil
      let delivery = OutputDelivery(
        context: DeliveryContext(
          request: request.outputs[index], output: output, target: targets[index],
          companions: compiled.companions[index], source: sound.delivery(index),
          recording: recording, former: part?.isLast == true ? former[name] ?? [] : [],
          log: log.about(.output(index))),
        mayResolve: !isPartOfAlbum
      ) { [unowned self] in try plan($0, for: output) }
      let proof = try delivery.run()
      if let recording { former[name, default: []].append(recording) }
      compiled.companions[index].note(try sound.inputs(), log.about(.output(index)))
      sound.judge(index, output, log.about(.output(index)))
      if let former = former(index, first) {
        SeamJudge(former: former, output: output).note(log.about(.output(index)))
      }
      try targets[index].write(
        compiled.companions[index].chapters,
        length: MediaTime(ticks: output.frames, rate: Int64(output.branch.format.sampleRate)),
        log.about(.output(index)))
      try observe(index, proof.file, sound)
      report.deliver(
        index, output, proof, tracks: compiled.companions[index].report(proof.copies),
        taps: taps.report(index), analysis: taps.analysis(index))
    }
    report.refresh(sound)
    try checkStrict()
    try sound.check(levels)
  }

  /// Lets observers see the samples that were written, as readers of the file get them.
  private func observe(_ index: Int, _ file: WrittenFile, _ sound: any OpenedSound) throws {
    let output = outputs[index]
    let format = AudioFormat(
      sampleRate: output.branch.format.sampleRate, layout: file.layout)
    var context = sound.tapContext(.output, format, index)
    context.expectedFrames = file.samples
    let target = targets[index]
    try taps.observe(index, context, file: target.analysisFile) { consume in
      try WrittenSamples(target: target, file: file).read { block in
        try consume(block)
        try output.show(.verify, 0)
      }
    }
  }

  /// Closes all taps, once, whatever became of the run; `error` is what stopped it.
  func close(_ error: (any Error)?) {
    let end = error.map { error in
      (error as? MediaError)?.kind == .interrupted ? TapEnd.cancelled : .failed
    }
    taps.close(downTo: 0, end ?? .finished)
  }

  /// Completes all outputs and checks that no other file has appeared at their names meanwhile, so
  /// that all outputs appear or none.
  func complete() throws {
    for target in targets { try target.complete(overwrite: request.policy.overwrite) }
  }

  /// Puts the proved outputs where they belong.
  func commit() throws {
    for target in targets { try target.commit(overwrite: request.policy.overwrite) }
    sound?.remember(levels)
  }

  private var levels: [QueueRecord.Level] { outputs.map(\.level) }

  /// The report of a run that ended well.
  func finishedReport() -> RenderReport {
    report.finished(isUnchanged: outputs.first?.plan.outcome == .unchanged)
  }

  /// The report of a run that failed.
  func failedReport(_ error: MediaError) -> RenderReport { report.failed(error) }

  /// Checks the request, opens its input and reserves its outputs; a dry run only checks that they
  /// could be reserved.
  private func begin() throws -> RenderInput {
    LibAVLog.install()
    report.begin()
    for choice in request.decisions {
      log.about(choice.subject).decide(choice.code, choice.chose, why: choice.why)
    }
    try RequestRules.check(request)
    if let opening {
      let log = log.about(.input(0))
      for entry in opening.decisions { log.decide(entry.code, entry.chose, why: entry.why) }
      for entry in opening.degradations { log.degrade(entry.code, entry.message) }
    }
    let input =
      try given
      ?? ClipOpener(
        log: log.about(.input(0)), isCancelled: progress.isCancelled
      ).input(of: request.clips[0])
    let overwrite = request.policy.overwrite
    if request.policy.isDryRun {
      for output in request.outputs {
        try OutputTarget.check(output, input: input, overwrite: overwrite)
      }
    } else {
      targets = try request.outputs.map { output in
        guard output.part?.isLast ?? true else { return try OutputTarget(partOf: output) }
        return try OutputTarget(output, input: input, overwrite: overwrite)
      }
    }
    return input
  }

  /// Copies coded frames instead of rendering.
  private func copy() throws {
    guard let input = try begin().coded else {
      throw MediaError(
        .unsupportedFeature, about: request.name,
        "has no coded frames to copy; leave \(setting: .codec) copy out")
    }
    guard let target = targets.first else { return }
    let result = try CopyRunner(
      clip: request.clips[0], output: request.outputs[0],
      overwrite: request.policy.overwrite, target: target, log: log,
      tell: { [progress] in try progress.show($0) }
    ).run(input)
    report.copied(result)
    try checkStrict()
    try complete()
    try commit()
  }

  private func checkStrict() throws {
    let classes = request.policy.strictClasses
    guard request.policy.isStrict,
      let first = log.degradations.first(where: { classes?.contains($0.class) ?? true })
    else { return }
    let allowed = classes == nil ? "allows none" : "allows no \(first.class.rawValue)"
    throw MediaError(
      .degraded, about: request.name,
      "\(first.message) (\(first.code.rawValue)); \(setting: .isStrict) \(allowed)")
  }

  private func reserve(_ companions: [Companions], _ input: RenderInput) throws {
    let overwrite = request.policy.overwrite
    for (index, beside) in companions.enumerated() {
      if request.policy.isDryRun {
        try OutputTarget.check(
          beside, of: request.outputs[index], input: input, overwrite: overwrite)
      } else {
        try targets[index].reserve(beside, input: input, overwrite: overwrite)
      }
    }
  }

  private func makeBranches(
    _ compiled: PlanCompiler.Compiled, _ sound: any OpenedSound
  ) throws -> [Branch] {
    let count = compiled.plan.branches.count
    return try (0..<count).map { index in
      let branch = try sound.makeBranch(
        index, compiled, target: targets.isEmpty ? nil : targets[index],
        memory: request.policy.spoolMemory / count)
      if branch.kept == nil {
        try CodecRules.tryOut(branch.plan.container, branch.format)
      }
      return branch
    }
  }

  /// Makes outputs of the branches; their progress counts through all of them.
  private func collect(
    _ branches: [Branch], _ before: [LoudnessStatistics?], _ sound: any OpenedSound
  ) {
    let total = branches.reduce(0) { $0 + $1.spool.frames }
    var done: Int64 = 0
    for (index, branch) in branches.enumerated() {
      let offset = done
      outputs.append(
        RenderedOutput(
          branch: branch, before: before.isEmpty ? nil : before[index],
          threads: request.policy.threads, stages: progress.stages,
          spans: sound.spans(index), log: log.about(.output(index))
        ) { [progress] now in
          var now = now
          now.done += offset
          now.total = total
          try progress.show(now)
        })
      done += branch.spool.frames
    }
  }

  private func plan(
    _ target: LoudnessTarget, for output: RenderedOutput
  ) throws -> NormalizationPlan {
    var target = target
    if target.peakPolicy == .lower { target.truePeak -= output.trackExcess }
    let normalizer = LoudnessNormalizer(
      target: target,
      stated: output.branch.plan.stated?.integrated ?? sound?.dialnorm,
      dualMono: output.branch.plan.isDualMono)
    return try MediaError.naming(request.name) { try normalizer.solve([output.programme]) }
  }
}
