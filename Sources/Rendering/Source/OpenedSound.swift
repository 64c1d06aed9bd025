// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dialogue
import MediaIn
import Report

/// The sound of a request, opened: one clip, or the items of a queue.
protocol OpenedSound: AnyObject {
  /// Inputs that were opened, with the work of the timeline so far.
  /// - Throws: ``MediaError`` for objects whose times can't be read.
  func inputs() throws -> [RenderReport.Input]
  /// The items and where they lie; `nil` for one clip.
  var queue: QueueReport? { get }
  /// Seconds of sound that were rendered so far.
  var seconds: Double { get }
  /// Dialnorm of the whole programme in dB; `nil` where it has none.
  var dialnorm: Double? { get }
  /// The change of its dialogue; `nil` for none.
  var lift: DialogueLift? { get }
  /// Whether its channels aren't those of the file.
  var isChanged: Bool { get }
  /// Facts about the input that the delivery of output number `index` writes.
  func delivery(_ index: Int) -> DeliverySource

  /// Compiles the plan of all outputs; asked once, before the rest.
  /// - Throws: ``MediaError`` when an output can't be made of this input.
  func compile() throws -> PlanCompiler.Compiled

  /// The way of output number `index` through pass 1, by `compiled`, with `memory` bytes for its spool.
  /// - Throws: ``MediaError`` when a step can't take what it gets.
  func makeBranch(
    _ index: Int, _ compiled: PlanCompiler.Compiled, target: OutputTarget?, memory: Int
  ) throws -> Branch

  /// Context for a tap of output number `output` at `point`, where it gets sound of `format`.
  func tapContext(_ point: TapPoint, _ format: AudioFormat, _ output: Int) -> TapContext

  /// The search for dialogue in its sound, which pass 1 carries on; asked for before that.
  /// - Parameter asked: the setting that needs it.
  /// - Throws: ``MediaError`` for sound in which it isn't looked for.
  func lookForDialogue(_ asked: Setting) throws -> any DialogueSearch

  /// Whether levelling gives each item a gain of its own while it is rendered.
  var levelsItems: Bool { get }

  /// The part of the searched sound that output number `index` has; all of it for ``SourcePart/whole``.
  func part(_ index: Int) -> SourcePart

  /// Pass 1: sends everything through `branches`; `seams` are those of the album that it belongs to.
  /// - Throws: ``MediaError`` when the source fails or the outputs grow too large.
  func render(into branches: [Branch], _ progress: RunProgress, seams: AlbumSeams?) throws

  /// Parts of output number `index` whose loudness is measured as it is delivered; asked after pass 1.
  func spans(_ index: Int) -> [SpanMeters.Span]

  /// Compares the loudness of these parts of `output`, which has this number, with what was meant.
  func judge(_ index: Int, _ output: RenderedOutput, _ log: DiagnosticLog)

  /// Whether output number `index` begins where the one before ends.
  func continues(_ index: Int) -> Bool

  /// Makes sure, before the outputs appear, that `levels`, one for each output, are those that were expected.
  /// - Throws: ``MediaError`` of kind `verificationFailed`.
  func check(_ levels: [QueueRecord.Level]) throws

  /// Notes what was made, once the outputs are where they belong.
  func remember(_ levels: [QueueRecord.Level])
}

/// A part of the sound in which dialogue was looked for, as an output has it.
struct SourcePart {
  /// All of the sound.
  static let whole = SourcePart(start: 0, count: nil, rate: 1)

  /// Samples before it, at ``rate``.
  let start: Int64
  /// Its samples; `nil` for all that follow.
  let count: Int64?
  /// Samples per second of both.
  let rate: Int

  /// Findings as the part has them.
  func of(_ found: SourceDialogue.Found) -> SourceDialogue.Found {
    guard let count else { return found }
    let first = FoundDialogue.frames(in: start, at: rate)
    return found.with(
      found.dialogue.part(first..<max(first, FoundDialogue.frames(in: start + count, at: rate))))
  }
}

extension OpenedSound {
  var lift: DialogueLift? { nil }

  var isChanged: Bool { false }

  var levelsItems: Bool { false }

  func part(_ index: Int) -> SourcePart { .whole }

  func spans(_ index: Int) -> [SpanMeters.Span] { [] }

  func judge(_ index: Int, _ output: RenderedOutput, _ log: DiagnosticLog) {}

  func continues(_ index: Int) -> Bool { false }

  func check(_ levels: [QueueRecord.Level]) throws {}

  func remember(_ levels: [QueueRecord.Level]) {}
}

/// One opened clip as the sound of a request.
final class ClipSound: OpenedSound {
  private let request: RenderRequest
  private let environment: RenderEnvironment
  private let taps: TapLedger
  private let clip: OpenedClip
  private let log: DiagnosticLog
  private let objects: ObjectMeters?
  /// Search for dialogue; `nil` where none was asked for.
  private var dialogue: SourceDialogue?
  /// Samples that the source delivered; `nil` before the end.
  private var rendered: Int64?
  /// Report on its objects, once all of it was read; `nil` before, and for a bed alone.
  private var scene: [ObjectReport]?

  let queue: QueueReport? = nil

  /// The sound of `clip`; `log` is that of the run.
  init(
    _ clip: OpenedClip, request: RenderRequest, environment: RenderEnvironment,
    taps: TapLedger, log: DiagnosticLog
  ) {
    self.clip = clip
    self.request = request
    self.environment = environment
    self.taps = taps
    self.log = log
    objects = ObjectMeters(clip.programme)
  }

  func inputs() throws -> [RenderReport.Input] {
    var input = clip.facts
    guard rendered != nil || request.policy.isDryRun else { return [input] }
    input.timeline = RenderReport.Timeline(
      clip.progress().summary, start: clip.start, rate: clip.programme.sampleRate,
      out: rendered ?? 0)
    if let scene { input.scene = scene }
    return [input]
  }

  var seconds: Double { Double(rendered ?? 0) / Double(clip.programme.sampleRate) }

  // The figure of the file isn't true of sound that was changed.
  var dialnorm: Double? { isChanged ? nil : clip.facts.dialnorm }

  var lift: DialogueLift? { clip.lift }

  var isChanged: Bool { clip.original != nil }

  func delivery(_ index: Int) -> DeliverySource {
    // Beyond 2^48 samples a reference is a damaged tag, not a time of day.
    let tag = clip.tags["time_reference"].flatMap { Int64($0) } ?? 0
    let reference = (0..<(1 << 48)).contains(tag) ? tag : 0
    return DeliverySource(
      tags: clip.tags,
      fate: SourceTags.Fate(
        keepsTimes: clip.asked == nil && clip.start == 0 && taps.tempo(index).isSame),
      stream: clip.facts.stream, language: clip.programme.facts.language ?? "",
      title: clip.title, roles: clip.roles, foreignChunks: clip.foreignChunks,
      codec: clip.facts.codec,
      timeReference: max(0, reference + clip.start), rate: clip.programme.sampleRate)
  }

  func compile() throws -> PlanCompiler.Compiled {
    try PlanCompiler(
      request: request, environment: environment, opened: clip, taps: taps, log: log
    ).compile()
  }

  func makeBranch(
    _ index: Int, _ compiled: PlanCompiler.Compiled, target: OutputTarget?, memory: Int
  ) throws -> Branch {
    let plan = compiled.plan.branches[index]
    return try Branch(
      plan: plan, input: clip.programme,
      renderer: compiled.maker.make(plan.renderer, for: clip.programme),
      taps: { [self] point, format in
        try taps.make(index, tapContext(point, format, index), keeps: plan.keeps)
      }, target: target, memory: memory)
  }

  func tapContext(
    _ point: TapPoint, _ format: AudioFormat, _ output: Int
  ) -> TapContext {
    var context = TapContext(point: point, format: format)
    context.output = output
    context.item = point == .item ? 0 : nil
    context.title = clip.tags["title"]
    context.source = request.name
    context.track = clip.facts.stream
    context.language = clip.programme.facts.language
    context.expectedFrames = clip.expected.map {
      MediaTime.rescale($0, by: Int64(format.sampleRate), over: Int64(clip.programme.sampleRate))
    }
    return context
  }

  func lookForDialogue(_ asked: Setting) throws -> any DialogueSearch {
    // Energies are needed for levelling alone.
    let isMetered = request.levelling != nil
    let isDualMono = request.outputs.first?.rendition?.isDualMono == true
    guard let original = clip.original else {
      let search = try SourceDialogue(
        clip.programme, isMetered: isMetered, isDualMono: isDualMono)
      dialogue = search
      return search
    }
    // Words are found in the sound as the file has it, and what is levelled is the changed one.
    let search = try SourceDialogue(original.programme, isMetered: false)
    original.take = { try search.add($0) }
    if isMetered {
      dialogue = try SourceDialogue(
        clip.programme, isMetered: true, isSearched: false, isDualMono: isDualMono)
      search.levels = dialogue
    }
    return search
  }

  func render(
    into branches: [Branch], _ progress: RunProgress, seams: AlbumSeams?
  ) throws {
    let pass = FirstPass(
      request: request, clip: clip, branches: branches, objects: objects, dialogue: dialogue,
      seams: seams,
      progress: progress, log: log)
    rendered = try pass.run()
    scene = try clip.scene()
    objects?.finish(into: &scene)
  }
}
