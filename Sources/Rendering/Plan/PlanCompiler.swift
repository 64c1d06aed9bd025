import AudioCore
import Loudness
import MediaIn
import Report

/// Compiles a request into a plan, once the input has been opened.
struct PlanCompiler {
  /// A plan, with what its compilation found out about the input.
  struct Compiled {
    let plan: RenderPlan
    /// What each output takes along.
    let companions: [Companions]
    /// What was chosen for each output.
    let choices: [RendererChooser.Choice]
    /// Makes the renderers; holds the HRTF sets that were loaded.
    let maker: RendererMaker
  }

  let request: RenderRequest
  let environment: RenderEnvironment
  let opened: any OpenedClip
  /// Takes the taps of each output.
  let taps: TapLedger
  let log: DiagnosticLog

  /// The plan.
  /// - Throws: ``MediaError`` when an output can't be made of this input.
  func compile() throws -> Compiled {
    let maker = RendererMaker(environment)
    var branches: [RenderPlan.Branch] = []
    var companions: [Companions] = []
    var choices: [RendererChooser.Choice] = []
    for (index, output) in request.outputs.enumerated() {
      guard case .render(let rendition, let container) = output.work else { continue }
      let log = log.about(.output(index))
      var choice = try RendererChooser(
        rendition: rendition, container: container, log: log, programme: opened.programme
      ).choose()
      if choice.plan.virtualizes, let hrtf = rendition.endpoint.hrtf {
        choice.hrtf = try maker.describe(hrtf, log)
        choice.room = try maker.describe(
          roomOf: choice.plan, rate: opened.programme.sampleRate, log)
      }
      if let iamf = container.coding.iamf {
        try checkIAMF(iamf, choice.plan)
      } else if container.keeps == .everything, case .kept = choice.plan {
        try checkKept(output.location.name)
      }
      let taps = try TapLoader(launcher: environment.programs, log: log).load(rendition.taps)
      self.taps.add(taps, output: index)
      try TapRules(programme: opened.programme, input: request.name).check(
        taps, choice.plan, output.location.name)
      let beside = try self.companions(of: output, rendition, self.taps.tempo(index), log)
      try TapRules.checkTempo(taps, rendition.endpoint, beside)
      try HeadRules.check(rendition, taps, beside, output.location.name)
      companions.append(beside)
      choices.append(choice)
      branches.append(
        branch(output, rendition, container, choice, beside, taps.map(\.plan), log))
    }
    return Compiled(
      plan: RenderPlan(sources: [source], branches: branches), companions: companions,
      choices: choices, maker: maker)
  }

  private var source: RenderPlan.Source {
    let plan = opened.summary.plan
    return RenderPlan.Source(
      path: request.name, container: opened.facts.container, stream: opened.facts.stream,
      codec: opened.facts.codec, programme: opened.programme,
      priming: plan.priming, primingSource: plan.primingSource, start: opened.start,
      length: opened.asked, expected: opened.expected)
  }

  private func branch(
    _ output: OutputRequest, _ rendition: Rendition, _ container: Container,
    _ choice: RendererChooser.Choice, _ companions: Companions, _ taps: [PlannedTap],
    _ log: DiagnosticLog
  ) -> RenderPlan.Branch {
    // Players of HLS begin every rendition at zero, so late sound begins with silence there.
    let late = companions.clock.audioOffset
    let isTogether = container.kind.traits.output?.startsAllTracksTogether == true
    noteLateStart(late, container, isTogether, log)
    let finder = StatedLevelFinder(
      programme: opened.programme,
      isWhole: request.clips[0].range == Clip.Range() && taps.isEmpty, log: log)
    let stated = finder.level(choice.plan, isDualMono: rendition.isDualMono)
    return RenderPlan.Branch(
      path: output.location.name, endpoint: rendition.endpoint.kind, renderer: choice.plan,
      keepsHead: rendition.filterHead == .keep,
      keepsTail: rendition.tail == .keep, taps: taps,
      rate: rendition.sampleRate, lead: isTogether ? late : 0,
      level: level(finder.settled(rendition.level, stated, choice.plan), choice.plan, log),
      stated: stated, isDualMono: rendition.isDualMono, downmix: rendition.downmix,
      hrtfID: choice.hrtf?.id,
      container: container,
      files: OutputFiles(output).files(of: output.location.name))
  }

  /// The level as far as the renderer allows it: a limiter would change objects against each other.
  private func level(
    _ wanted: LoudnessTarget?, _ plan: RendererPlan, _ log: DiagnosticLog
  ) -> LoudnessTarget? {
    guard case .kept = plan, var target = wanted, target.peakPolicy == .limit else { return wanted }
    target.peakPolicy = .lower
    log.decide(
      .gain, "\(setting: .peakPolicy) lower",
      why: "one gain for all tracks; a limiter would change objects against each other")
    return target
  }

  /// Makes sure that the metadata of the programme can be written for the output `name`, before anything is
  /// rendered.
  private func checkKept(_ name: String) throws {
    _ = try ObjectMetadata(
      name: name, programme: opened.programme, updates: [], length: max(1, opened.expected ?? 1),
      bitDepth: nil)
  }

  /// Makes sure that IAMF can hold what will be rendered, before anything is.
  private func checkIAMF(_ iamf: Container.IAMF, _ plan: RendererPlan) throws {
    _ = try IAMFContents(
      plan.layout.map { Programme(AudioFormat(sampleRate: 1, layout: $0)) } ?? opened.programme,
      iamf, isBinaural: plan.virtualization == .binaural)
  }

  private func companions(
    of output: OutputRequest, _ rendition: Rendition, _ tempo: Tempo, _ log: DiagnosticLog
  ) throws -> Companions {
    let rate = opened.programme.sampleRate
    // Each section has its own clock, so with several sections only the sound is carried over.
    let presentation = opened.beside?.presentation
    let isWhole = (presentation?.sections.count ?? 1) == 1
    let companions = try Companions(
      clip: request.clips[0], output: output, media: isWhole ? opened.beside?.media : nil,
      audio: Companions.Place(
        start: opened.absoluteStart, origin: opened.absoluteStart - opened.start,
        sourceRate: Int64(rate), rate: Int64(rendition.sampleRate ?? rate), length: opened.asked,
        tempo: tempo),
      log: log)
    if let media = opened.beside?.media {
      LeftOut(files: OutputFiles(output), carriage: output.carriage, log: log).note(
        media.streams, of: presentation,
        chapters: companions.chapters.isEmpty ? media.chapters.count : 0,
        carried: companions.carried, sound: opened.facts.stream)
    }
    return companions
  }

  private func noteLateStart(
    _ late: Int64, _ container: Container, _ isTogether: Bool, _ log: DiagnosticLog
  ) {
    guard late > 0 else { return }
    if isTogether {
      return log.decide(
        .audioStart, "\(late) samples of silence",
        why: "the sound begins as much later than the pictures, and players of HLS begin all "
          + "renditions together")
    }
    log.decide(
      .audioStart, "\(late) samples after the pictures",
      why: container.isLossy
        ? "as in the source; the encoder's start-up samples lie in the time before, where no edit "
          + "list can skip them; \(setting: .alignment) presentation begins with silence instead"
        : "as in the source")
  }
}
