import AudioCore
import MediaIn
import Report

/// One opened clip as the sound of a request.
final class ClipSound: OpenedSound {
  private let request: RenderRequest
  private let environment: RenderEnvironment
  private let clip: any OpenedClip
  private let log: DiagnosticLog
  private let objects: ObjectMeters?
  /// Samples that the source delivered; `nil` before the end.
  private var rendered: Int64?
  /// What its objects did, once all of it was read; `nil` before, and for a bed alone.
  private var scene: [ObjectReport]?

  let queue: QueueReport? = nil

  /// The sound of `clip`; `log` is that of the run.
  init(
    _ clip: any OpenedClip, request: RenderRequest, environment: RenderEnvironment,
    log: DiagnosticLog
  ) {
    self.clip = clip
    self.request = request
    self.environment = environment
    self.log = log
    objects = ObjectMeters(clip.programme)
  }

  func inputs() throws -> [RenderReport.Input] {
    var input = clip.facts
    guard rendered != nil || request.policy.isDryRun else { return [input] }
    input.timeline = RenderReport.Timeline(
      clip.summary, start: clip.start, rate: clip.programme.sampleRate, out: rendered ?? 0)
    if let scene { input.scene = scene }
    return [input]
  }

  var seconds: Double { Double(rendered ?? 0) / Double(clip.programme.sampleRate) }

  var dialnorm: Double? { clip.facts.dialnorm }

  func delivery(_ index: Int) -> DeliverySource {
    // Beyond 2^48 samples a reference is a damaged tag, not a time of day.
    let tag = clip.metadata["time_reference"].flatMap { Int64($0) } ?? 0
    let reference = (0..<(1 << 48)).contains(tag) ? tag : 0
    return DeliverySource(
      metadata: clip.metadata, language: clip.programme.facts.language ?? "",
      codec: clip.facts.codec,
      timeReference: max(0, reference + clip.start), rate: clip.programme.sampleRate)
  }

  func compile() throws -> PlanCompiler.Compiled {
    try PlanCompiler(request: request, environment: environment, opened: clip, log: log).compile()
  }

  func makeBranch(
    _ index: Int, _ compiled: PlanCompiler.Compiled, target: OutputTarget?, memory: Int
  ) throws -> Branch {
    let plan = compiled.plan.branches[index]
    return try Branch(
      plan: plan, input: clip.programme, renderer: compiled.maker.make(plan.renderer),
      inserted: environment.stages.map { try $0.make() }, target: target, memory: memory)
  }

  func render(into branches: [Branch], _ progress: RunProgress) throws {
    let pass = FirstPass(
      request: request, clip: clip, branches: branches, objects: objects, progress: progress,
      log: log)
    rendered = try pass.run()
    scene = try clip.scene()
    objects?.finish(into: &scene)
  }
}

extension ClipInput {
  func openSound(
    for request: RenderRequest, in environment: RenderEnvironment, log: DiagnosticLog
  ) throws -> any OpenedSound {
    var clip = request.clips[0]
    guard request.outputs.allSatisfy({ $0.items == nil }) else {
      throw MediaError(.usage, about: clip.input.name, "isn't a queue, so it has no items")
    }
    clip.decoding.playback = PlaybackLayout(request.outputs)
    let opened = try open(clip, log: log.about(.input(0)))
    return ClipSound(opened, request: request, environment: environment, log: log)
  }
}
