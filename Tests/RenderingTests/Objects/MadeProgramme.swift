// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Report
import TestSupport

@testable import Rendering

/// A programme with its samples and updates, for what no file holds.
struct MadeProgramme {
  let programme: Programme
  let planes: [[Float]]
  var updates: [ObjectUpdate] = []

  /// `elements` at 48 kHz with `frames` samples of noise in each plane, another one in each.
  init(_ elements: [Programme.Element], updates: [ObjectUpdate] = [], frames: Int = 24_000) {
    programme = Programme(sampleRate: 48_000, elements: elements)
    planes = (0..<programme.planes).map { plane in
      var noise = SeededNoise(seed: UInt64(plane + 1))
      return noise.samples(frames, peak: 0.1)
    }
    self.updates = updates
  }

  /// The programme of these samples.
  init(_ programme: Programme, planes: [[Float]]) {
    (self.programme, self.planes) = (programme, planes)
  }

  var frames: Int { planes[0].count }

  /// Delivers it in blocks of 4096 samples.
  var source: any ProgrammeSource { MadeSource(self) }

  /// Stores it with its objects, floats at its own level, at `path`.
  func store(
    at path: String, _ change: (inout RenderJob) -> Void = { _ in }
  ) throws -> RenderReport {
    var job = RenderJob(
      input: .silence(Silence(.seconds(1))),
      outputs: [.init(endpoint: .none, location: .file(path))])
    job.form = .bw64
    job.encoding = .float32
    job.loudness = nil
    change(&job)
    let run = RenderRun(
      request: job.request, input: .made(try OpenedClip(self)), environment: RenderEnvironment(),
      progress: RunProgress(name: "made", report: { _ in }, isCancelled: { false }))
    try run.run()
    return run.finishedReport()
  }
}

/// Delivers a made programme.
private final class MadeSource: ProgrammeSource {
  private static let step = 4096

  let programme: Programme
  private let made: MadeProgramme
  private var position = 0

  init(_ made: MadeProgramme) { (self.made, programme) = (made, made.programme) }

  func read(into block: ProgrammeBlock) -> Bool {
    let part = position..<min(position + MadeSource.step, made.frames)
    let start = block.end
    block.audio.grow(by: part.count)
    for (channel, plane) in made.planes.enumerated() {
      let samples = block.audio.channel(channel)
      _ = samples[(samples.count - part.count)...].update(fromContentsOf: plane[part])
    }
    for var update in made.updates where part.contains(Int(update.at)) {
      update.at += start - Int64(position)
      block.add(update)
    }
    position = part.upperBound
    return position < made.frames
  }
}

extension OpenedClip {
  /// A made programme as an input.
  fileprivate init(_ made: MadeProgramme) throws {
    let frames = Int64(made.frames)
    var facts = RenderReport.Input(
      path: "made", container: "none", stream: 0, codec: "pcm_f32le", profile: nil,
      layout: made.programme.contents, rate: made.programme.sampleRate, language: nil,
      dialnorm: nil, drc: nil, objects: .yes)
    facts.scene = made.programme.elements.enumerated().map { number, element in
      ObjectReport(
        name: "\(number)", type: element.planes == 1 ? "object" : "field", tracks: [number + 1],
        start: 0, end: nil, changes: 1)
    }
    let plan = try TrimPlan(
      facts: GaplessFacts(container: nil, codec: .named("pcm_f32le")),
      rate: made.programme.sampleRate, option: .automatic,
      first: TimedBlock(frames: 0, position: 0), log: DiagnosticLog())
    self.init(
      facts: facts, source: made.source, expected: frames,
      progress: {
        Progress(
          summary: TimelineSummary(
            plan: plan, decoded: frames, startTrim: 0, endTrim: 0, valid: frames, gaps: []))
      }, scene: { facts.scene })
  }
}
