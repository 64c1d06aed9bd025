// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import MediaIn
import Report

/// Compiles a request into a plan, once the input has been opened.
struct PlanCompiler {
  /// A plan, with what its compilation found out about the input.
  struct Compiled {
    let plan: RenderPlan
    /// Parts that each output takes along.
    let companions: [Companions]
    /// Choice for each output.
    let choices: [RendererChooser.Choice]
    /// Makes the renderers; holds the HRTF sets that were loaded.
    let maker: RendererMaker
  }

  let request: RenderRequest
  let environment: RenderEnvironment
  let opened: OpenedClip
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
      guard case .render(let asked, let container) = output.work else { continue }
      let log = log.about(.output(index))
      var choice = try RendererChooser(
        rendition: asked, container: container, log: log, programme: opened.programme
      ).choose()
      let rendition = try settled(asked, container, choice.plan, log)
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

  /// The rendition as the codec needs it; what is stored as it is keeps its rate.
  private func settled(
    _ rendition: Rendition, _ container: Container, _ plan: RendererPlan, _ log: DiagnosticLog
  ) throws -> Rendition {
    if case .kept = plan { return rendition }
    try CodecRules.check(plan.layout ?? opened.programme.bedFormat?.layout, container)
    return try CodecRules.settled(
      rendition, container, rate: opened.programme.sampleRate, log)
  }

  private var source: RenderPlan.Source {
    RenderPlan.Source(
      opened.facts, named: request.name, opened.programme, opened.progress().summary.plan,
      start: opened.start, length: opened.asked, expected: opened.expected)
  }

  private func branch(
    _ output: OutputRequest, _ rendition: Rendition, _ container: Container,
    _ choice: RendererChooser.Choice, _ companions: Companions, _ taps: [PlannedTap],
    _ log: DiagnosticLog
  ) -> RenderPlan.Branch {
    // Late sound begins with silence where players begin all tracks at zero, or misplace late sound of the codec.
    let late = companions.clock.audioOffset
    let isTogether = PlanCompiler.reasonToStartTogether(container) != nil
    noteLateStart(late, container, log)
    let finder = StatedLevelFinder(
      programme: opened.programme,
      isWhole: request.clips[0].range == Clip.Range() && taps.isEmpty, log: log)
    let stated = finder.level(choice.plan, isDualMono: rendition.isDualMono)
    return RenderPlan.Branch(
      output, rendition, container, choice, taps: taps, lead: isTogether ? late : 0,
      level: level(finder.settled(rendition.level, stated, choice.plan), choice.plan, log),
      stated: stated)
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
    // Of several tracks of a file, the last one reports what lies beside them.
    let log = output.part?.isLast == false ? DiagnosticLog() : log
    // Each section has its own clock, so with several sections only the sound is carried over.
    let presentation = opened.beside?.presentation
    let isWhole = (presentation?.sections.count ?? 1) == 1
    let companions = try Companions(
      clip: request.clips[0], output: output, media: isWhole ? opened.beside?.media : nil,
      audio: Companions.Place(
        start: opened.absoluteStart, origin: opened.absoluteStart - opened.start,
        sourceRate: Int64(rate), rate: Int64(rendition.sampleRate ?? rate), length: opened.asked,
        tempo: tempo),
      heard: heard(output, opened.beside?.media), log: log)
    if let media = opened.beside?.media {
      LeftOut(files: OutputFiles(output), carriage: output.carriage, log: log).note(
        media.streams, of: presentation,
        chapters: companions.chapters.isEmpty ? media.chapters.count : 0,
        carried: companions.carried, heard: Set(heard(output, media)),
        misfits: companions.frames?.misfits ?? companions.copied?.misfits ?? [:])
    }
    return companions
  }

  /// Streams of the tracks that are rendered for the output, in its order.
  private func heard(_ output: OutputRequest, _ media: MediaFile?) -> [Int] {
    let sounds = media?.streams.filter { $0.kind == .audio } ?? []
    let several = output.part?.numbers.filter(sounds.indices.contains).map { sounds[$0].index }
    return several.flatMap { $0.isEmpty ? nil : $0 } ?? [opened.facts.stream]
  }

  /// Why sound that is late in `container` begins with silence, as the end of a sentence; `nil` where it begins late.
  private static func reasonToStartTogether(_ container: Container) -> String? {
    if container.kind.traits.output?.startsAllTracksTogether == true {
      return "players of HLS begin all renditions together"
    }
    // A track of IAMF states its start-up samples in its own frames.
    guard container.coding.iamf == nil, container.coding.codec.traits.startsWithPictures else {
      return nil
    }
    return "browsers play Opus that begins late too early by its start-up samples"
  }

  private func noteLateStart(_ late: Int64, _ container: Container, _ log: DiagnosticLog) {
    guard late > 0 else { return }
    if let reason = PlanCompiler.reasonToStartTogether(container) {
      return log.decide(
        .audioStart, "\(late) samples of silence",
        why: "the sound begins as much later than the pictures, and \(reason)")
    }
    log.decide(
      .audioStart, "\(late) samples after the pictures",
      why: container.isLossy
        ? "as in the source; the encoder's start-up samples lie in the time before, where players "
          + "play them; \(setting: .alignment) presentation begins with silence instead"
        : "as in the source")
  }
}

extension RenderPlan.Source {
  /// The source called `name` with these facts, trimmed by `plan`.
  init(
    _ facts: RenderReport.Input, named name: String, _ programme: Programme, _ plan: TrimPlan,
    start: Int64, length: Int64?, expected: Int64?
  ) {
    self.init(
      path: name, container: facts.container, stream: facts.stream, codec: facts.codec,
      programme: programme, priming: plan.priming, primingSource: plan.primingSource, start: start,
      length: length, expected: expected)
  }
}

extension RenderPlan.Branch {
  /// The way to `output`, which is rendered by `choice` and passes `taps`.
  init(
    _ output: OutputRequest, _ rendition: Rendition, _ container: Container,
    _ choice: RendererChooser.Choice, taps: [PlannedTap], lead: Int64 = 0, level: LoudnessTarget?,
    stated: StatedLevel? = nil
  ) {
    self.init(
      path: output.location.name, endpoint: rendition.endpoint.kind, renderer: choice.plan,
      keepsHead: rendition.filterHead == .keep, keepsTail: rendition.tail == .keep, taps: taps,
      rate: rendition.sampleRate, lead: lead, level: level, stated: stated,
      isDualMono: rendition.isDualMono, downmix: rendition.downmix, hrtfID: choice.hrtf?.id,
      container: container, files: OutputFiles(output).files(of: output.location.name))
  }
}

/// The rules for an output whose sound begins before its source.
enum HeadRules {
  /// Makes sure that an output whose sound begins before its source has nothing else with a place in time, and no tap
  /// that changes the tempo.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func check(
    _ rendition: Rendition, _ taps: [LoadedTap], _ beside: Companions, _ name: String
  ) throws {
    guard rendition.filterHead == .keep else { return }
    let obstacles: [(isThere: Bool, words: String)] = [
      (beside.hasVideo, "the pictures; add \(setting: .video) drop"),
      (
        beside.hasOtherTracks,
        "the tracks that are copied; use another \(setting: .container)"
      ),
      (!beside.subtitles.isEmpty, "the subtitles; add \(setting: .subtitles) drop"),
      (!beside.chapters.isEmpty, "the chapters; add \(setting: .leavesChaptersOut)"),
      (taps.contains { !$0.tempo.isSame }, "a tap that changes the tempo; leave it out"),
    ]
    guard let obstacle = obstacles.first(where: \.isThere) else { return }
    throw MediaError(
      .unsupportedFeature, about: name,
      "\(setting: .filterHead) keep lets the sound begin before its source, out of step with \(obstacle.words)"
    )
  }

  /// Refuses a head that is kept in a queue.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkQueue(_ rendition: Rendition) throws {
    guard rendition.filterHead == .keep else { return }
    throw MediaError(
      .unsupportedFeature,
      "\(setting: .filterHead) keep: a queue begins with its first item; begin the queue with a silence, or leave it out"
    )
  }
}

/// The needs of taps as to the sound and the output that they are for.
struct TapRules {
  let programme: Programme
  /// The input, for messages.
  let input: String

  /// Makes sure that `taps` get channels of loudspeakers at their points, for the output `name` made by `plan`.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  func check(_ taps: [LoadedTap], _ plan: RendererPlan, _ name: String) throws {
    if case .kept = plan, let tap = taps.first {
      throw MediaError(
        .unsupportedFeature, about: name,
        "\(tap.plan.title) works on channels of loudspeakers, but the output keeps \(programme.contents) as they "
          + "are; leave it out, or render to channels")
    }
    guard programme.bedFormat == nil, let tap = taps.first(where: { $0.plan.point == .item })
    else { return }
    throw MediaError(
      .unsupportedFeature, about: input,
      "\(tap.plan.title) works on channels of loudspeakers, but the programme holds \(programme.contents); put it "
        + "at programme or post")
  }

  /// Makes sure that nothing else of the output keeps the old tempo where one of `taps` changes it.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkTempo(
    _ taps: [LoadedTap], _ endpoint: Endpoint, _ beside: Companions
  ) throws {
    guard let tap = taps.first(where: { !$0.tempo.isSame }) else { return }
    if beside.hasVideo {
      throw MediaError(
        .unsupportedFeature, about: tap.plan.title,
        "changes the tempo, which the pictures can't follow; add \(setting: .video) drop, or leave the tap out"
      )
    }
    guard case .headphones(let listener) = endpoint, case .moving = listener.head,
      taps.contains(where: { $0.plan.point == .item && !$0.tempo.isSame })
    else { return }
    throw MediaError(
      .unsupportedFeature, about: tap.plan.title,
      "changes the tempo in front of the renderer, where the head of \(setting: .trajectory) keeps its own; put it at post, or "
        + "leave the tap or the trajectory out"
    )
  }

  /// Refuses those of `taps` that change the tempo: places in a queue are known before its items are rendered.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature`.
  static func checkQueue(_ taps: [LoadedTap]) throws {
    guard let tap = taps.first(where: { !$0.tempo.isSame }) else { return }
    throw MediaError(
      .unsupportedFeature, about: tap.plan.title,
      "changes the tempo, which isn't followed through a queue; render the items one by one, or leave it out"
    )
  }
}
