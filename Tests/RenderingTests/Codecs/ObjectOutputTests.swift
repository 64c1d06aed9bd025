// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaIn
import Report
import TestSupport
import Testing

@testable import Rendering

/// BW64 with objects, written and read again.
@Suite(.tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
struct ObjectOutputTests {
  private let surround: ChannelLayout

  init() throws { surround = try #require(ChannelLayout(name: "5.1(side)")) }

  /// Stores `input` with its objects at its own level.
  private func store(
    _ input: String, _ options: InputOptions = InputOptions(),
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (scene: RenderCase, report: RenderReport) {
    var scene = try RenderCase(path: ObjectCases.path("cases/" + input))
    scene.job.outputs[0].endpoint = .none
    scene.job.form = .bw64
    scene.job.encoding = .float32
    scene.job.loudness = nil
    scene.job.decoding = options
    change(&scene.job)
    return (scene, try await scene.run())
  }

  /// All cases again: what is stored of them sounds as the reference renders the originals.
  @Test(
    "a stored object case renders like its original", .fullRunOnly, arguments: ObjectCaseTests.good)
  func whatIsStoredSoundsAsBefore(file: ObjectCases.Case) async throws {
    for rendering in file.renders ?? [] {
      let (scene, _) = try await store(file.input, rendering.options.input)
      for (name, files) in rendering.files {
        let own = try #require(ObjectCaseTests.layouts[name])
        let layout = try #require(ChannelLayout(name: own.name))
        let output = try RenderedScene.planes(scene.outputPath, to: layout)
        let expected = try files.flatMap {
          try RenderedScene.tracks(ObjectCases.path("cases/\($0)"))
        }
        let level = Signals.difference(own.order.map { output[$0] }, expected)
        #expect(level <= -100, "\(file.id) \(name) \(rendering.options): \(level) dB")
      }
    }
  }

  /// A range that begins while objects move goes on where they are.
  @Test(
    "a range that begins during a movement continues the movement",
    arguments: ["objects-moving", "atmos-master", "cartesian-moving", "late-objects"])
  func aRangeKeepsItsMovements(id: String) async throws {
    let input = "\(id)/input.wav"
    let whole = try RenderedScene.planes(ObjectCases.path("cases/" + input), to: surround)
    let (first, last) = (whole[0].count / 3 + 11, whole[0].count - 321)
    let (scene, report) = try await store(input) { job in
      job.clip.range.start = .samples(Int64(first))
      job.clip.range.end = .at(.samples(Int64(last)))
    }
    let part = try RenderedScene.planes(scene.outputPath, to: surround)
    #expect(report.outputs[0].samples == Int64(last - first))
    // Loudspeakers' gains fade from state to state, so the parts of the ramps that the range cuts aren't the
    // same. No ramp lasts longer than 2400 samples.
    let begin = Signals.difference(part, whole.map { Array($0[first..<last]) })
    #expect(begin <= -25, "\(begin) dB")
    let middle = 2400..<last - first - 2400
    let level = Signals.difference(
      part.map { Array($0[middle]) },
      whole.map { Array($0[first + middle.lowerBound..<first + middle.upperBound]) })
    #expect(level <= -100, "\(level) dB")
  }

  /// A stored scene, stored again, holds the same items and samples.
  @Test("objects stored twice hold the same items and samples") func aSecondGenerationIsTheFirst()
    async throws
  {
    let (scene, _) = try await store("atmos-master/input.wav")
    var again = try RenderCase(path: scene.outputPath)
    again.job.outputs[0].endpoint = .none
    again.job.form = .bw64
    again.job.encoding = .float32
    again.job.loudness = nil
    _ = try await again.run()
    let one = try RenderedScene.programme(scene.outputPath)
    let other = try RenderedScene.programme(again.outputPath)
    #expect(one == other)
    #expect(
      try RenderedScene.tracks(scene.outputPath) == RenderedScene.tracks(again.outputPath))
  }

  @Test("stored objects have level and peak of their rendering")
  func levelAndPeakAreThoseOfTheRendering() async throws {
    let (scene, report) = try await store("atmos-master/input.wav") { job in
      job.loudness = .standard
      job.encoding = .pcm24
    }
    let output = report.outputs[0]
    let integrated = try #require(output.integrated)
    let peak = try #require(output.truePeak)
    #expect(peak <= -1)
    // Gain is given up where peaks allow no more.
    #expect(integrated <= -15.95)
    #expect(integrated >= -16.05 || peak >= -1.01)
    #expect(output.format == "bw64" && output.verified == true)
    let layout = try #require(ChannelLayout(name: "5.1.4"))
    let planes = try RenderedScene.planes(scene.outputPath, to: layout)
    let meter = try LoudnessMeter(format: AudioFormat(sampleRate: 48_000, layout: layout))
    let buffer = AudioBuffer(channels: planes.count)
    buffer.grow(by: planes[0].count)
    for (index, plane) in planes.enumerated() { _ = buffer.channel(index).update(from: plane) }
    try meter.add(buffer)
    let measured = meter.statistics().measurement
    #expect(abs((measured.integrated ?? 0) - integrated) < 0.001)
    #expect(abs((measured.truePeak ?? 0) - peak) < 0.001)
  }

  /// A track that is louder than the rendering isn't clipped: the gain stops below.
  @Test func aLoudTrackHoldsTheGainBack() async throws {
    let tone = (0..<48_000).map { Float(sin(Double($0) * 0.06)) * 0.9 }
    let programme = Programme(
      sampleRate: 48_000,
      elements: [.object(name: "far", start: ObjectState(gain: 0.05))])
    let folder = try TemporaryFolder()
    try ObjectFile.write([tone], programme, to: folder.file("in.wav"))
    var scene = try RenderCase(path: folder.file("in.wav"))
    scene.job.outputs[0].endpoint = .none
    scene.job.form = .bw64
    let report = try await scene.run()
    let samples = try RenderedScene.tracks(scene.outputPath)[0]
    let peak = samples.map(\.magnitude).max() ?? 0
    #expect(peak <= 0.8914 && peak > 0.88, "\(peak)")
    #expect(report.outputs[0].integrated.map { $0 < -20 } == true)
    #expect(!report.degradations.contains { $0.code == .clipped })
  }

  @Test("a stored bed reads back as a bed") func aBedComesBackAsABed() async throws {
    var noise = SeededNoise(seed: 3)
    let planes = (0..<6).map { _ in noise.samples(30_000).map { $0 * 0.1 } }
    var scene = try RenderCase(
      WAVBytes.pcm16(
        planes.map { $0.map { Int16($0 * 32767) } }, rate: 48_000, mask: 0x3F))
    scene.job.outputs[0].endpoint = .none
    scene.job.form = .bw64
    let report = try await scene.run()
    #expect(
      try RenderedScene.programme(scene.outputPath).elements == [.bed(surround)])
    // The loudspeakers are the same; only the name of the layout is another.
    #expect(report.degradations.map(\.code) == [.layoutNotCarried])
  }

  @Test("objects beyond the format are refused") func whatCannotBeStoredIsRefused() async throws {
    func refusal(_ change: (inout RenderJob) -> Void) async throws -> MediaError? {
      do {
        _ = try await store("objects-static/input.wav", InputOptions(), change)
        return nil
      } catch let failure as RenderFailure { return failure.error }
    }
    #expect(try await refusal { $0.outputs[0].endpoint = .headphones }?.kind == .usage)
    #expect(try await refusal { $0.sampleRate = 44_100 }?.kind == .unsupportedFeature)
    #expect(try await refusal { $0.lfe = .gain(0) }?.kind == .unsupportedFeature)
    #expect(try await refusal { $0.rendition.tail = .keep }?.kind == .unsupportedFeature)
  }

  /// Channels that come back as a bed must have been at full level.
  @Test func aLevelThatABedLosesIsNoticed() async throws {
    let (scene, _) = try await store("matrix-mid-side/input.wav")
    #expect(try RenderedScene.programme(scene.outputPath).elements == [.bed(.stereo)])
    let input = ObjectCases.path("cases/matrix-mid-side/input.wav")
    let stored = try OutputTarget(
      OutputRequest(.file(scene.folder.file("copy.wav"))),
      input: .media(MediaInput(path: scene.outputPath, log: DiagnosticLog())), overwrite: true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.outputPath))
    let written = bytes.withUnsafeBytes { pwrite(stored.descriptor, $0.baseAddress, $0.count, 0) }
    #expect(written == bytes.count)
    let kept = try ObjectFile.kept(input) { _ in }
    let proof = ObjectProof(target: stored, programme: kept.programme)
    _ = try proof.levels(kept, isDualMono: false)
    let quiet = try ObjectFile.kept(input) { $0.state.gain *= 0.5 }
    let error = #expect(throws: MediaError.self) { try proof.levels(quiet, isDualMono: false) }
    #expect(error?.kind == .verificationFailed)
  }

  /// A file whose metadata say something else isn't kept.
  @Test("a stored file with other movements fails its proof") func otherMovementsAreNoticed()
    async throws
  {
    let (scene, _) = try await store("objects-moving/input.wav")
    let copy = try OutputTarget(
      OutputRequest(.file(scene.folder.file("copy.wav"))),
      input: .media(MediaInput(path: scene.outputPath, log: DiagnosticLog())), overwrite: true)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: scene.outputPath))
    let written = bytes.withUnsafeBytes { pwrite(copy.descriptor, $0.baseAddress, $0.count, 0) }
    #expect(written == bytes.count)
    let kept = try ObjectFile.kept(scene.outputPath) { _ in }
    let proof = ObjectProof(target: copy, programme: kept.programme)
    _ = try proof.levels(kept, isDualMono: false)
    let changes: [(inout ObjectUpdate) -> Void] = [
      { $0.state.gain *= 1.001 }, { $0.state.extent.width += 1 }, { $0.at += 1 },
      { $0.state.rules.isHeadLocked = true }, { $0.state.rules.headphones = .off },
    ]
    for change in changes {
      let wrong = try ObjectFile.kept(scene.outputPath, change)
      let error = #expect(throws: MediaError.self) {
        try proof.levels(wrong, isDualMono: false)
      }
      #expect(error?.kind == .verificationFailed)
    }
  }
}
