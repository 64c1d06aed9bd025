// SPDX-License-Identifier: Apache-2.0
import Foundation
import Inspection
import MediaIn
import Rendering
import Report
import TestSupport
import Testing

/// The committed streams that fuzzing begins with.
private enum RenderSeeds {
  static func url(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fuzz/Seeds/AC4/\(name).ac4")
  }
}

/// AC-4 through the whole path.
@Suite struct AC4RenderTests {
  private func render(
    _ name: String, _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (case: RenderCase, report: RenderReport) {
    var test = try RenderCase(path: SharedMedia.path(name))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    change(&test.job)
    return (test, try await test.run())
  }

  private func renderSeed(
    _ name: String, _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> RenderReport {
    var test = try RenderCase(path: RenderSeeds.url(name).path)
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    change(&test.job)
    return try await test.run()
  }

  /// The report names the substreams that are mixed and the band that isn't decoded.
  @Test("the report names mixed AC-4 substreams and the band left undecoded")
  func tellsMixesAndWhatIsLeftOut() async throws {
    for name in ["mixed-version-2", "mixed-version-0"] {
      let report = try await renderSeed(name)
      #expect(report.outputs[0].samples == 3 * 2048)
      let decision = report.decisions.first { $0.code == .mix }
      #expect(decision?.chose == "3 substreams")
      #expect(!report.degradations.contains { $0.code == .bandwidth })
    }
    let report = try await renderSeed("rate-96000")
    #expect(report.render?.rate == 48_000 && report.outputs[0].samples == 4 * 2048)
    let told = report.degradations.filter { $0.code == .bandwidth }
    #expect(told.count == 1 && told[0].message.contains("96000 Hz"))
  }

  /// The report says what of the wish for louder dialogue the stream allows, or that it can't be raised.
  @Test(
    "the report states by how much dialogue is raised, or that the stream forbids raising",
    arguments: [
      ("mixed-version-2", 12, "6.0 dB"), ("mixed-version-2", 6, nil),
      ("2-channels-rate-1", 2, "nothing to raise"), ("2-channels-rate-1", 0, nil),
    ] as [(String, Double, String?)])
  func tellsHowMuchDialogueIsRaised(name: String, gain: Double, said: String?) async throws {
    let report = try await renderSeed(name) { $0.decoding.dialogueGain = gain }
    #expect(report.decisions.first { $0.code == .dialogEnhancement }?.chose == said)
  }

  /// Codec frames that are spread over four frames give what whole ones give.
  @Test("AC-4 codec frames spread over four frames decode like whole ones")
  func spreadFramesAreJoined() async throws {
    let (whole, parts) = (
      try await renderSeed("spread-whole"), try await renderSeed("spread-over-4")
    )
    #expect(whole.outputs[0].samples == 6 * 1920 && parts.outputs[0].samples == 6 * 1920)
    #expect(whole.outputs[0].pcmSHA256 == parts.outputs[0].pcmSHA256)
    // No real stream has proved the joining.
    #expect(
      parts.degradations.map(\.code) == whole.degradations.map(\.code) + [.unverifiedTool])
  }

  /// A part that is missing takes its whole codec frame along, and nothing else.
  @Test("a missing part of a spread AC-4 frame loses that frame alone") func aMissingPartIsNoticed()
    async throws
  {
    let seed = try Data(contentsOf: RenderSeeds.url("spread-over-4"))
    // Every frame begins with a sync word and two bytes of length.
    var frames: [Data] = []
    var at = seed.startIndex
    while at < seed.endIndex {
      let size = 4 + Int(seed[at + 2]) << 8 + Int(seed[at + 3])
      frames.append(seed[at..<at + size])
      at += size
    }
    #expect(frames.count == 24)
    frames.remove(at: 17)
    var test = try RenderCase(Data(frames.joined()), name: "in.ac4")
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    await #expect(throws: (any Error).self) { try await test.run() }
    test.job.decoding.damage = .conceal
    let report = try await test.run()
    // The last codec frame of the group of three waits for no other.
    #expect(report.outputs[0].samples == 6 * 1920, "\(report.outputs[0].samples)")
    #expect(report.degradations.contains { $0.code == .concealed })
  }

  @Test(
    "AC-4 in each container decodes to the same samples", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func allTransportsGiveTheSameSamples() async throws {
    var digests: Set<String> = []
    for name in ["sample.ac4", "sample_ac4.ts", "sample_ac4.mp4"] {
      let done = try await render(name)
      #expect(done.report.outputs[0].samples == 36_480, "\(name)")
      #expect(done.report.input?.codec == "ac4" && done.report.input?.dialnorm == -23)
      digests.insert(done.report.outputs[0].pcmSHA256)
    }
    #expect(digests.count == 1)
  }

  @Test(
    "immersive stereo of AC-4 passes headphones without HRTF", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func immersiveStereoIsNotVirtualisedAgain() async throws {
    let done = try await render("ChannelCheck.ac4") {
      $0.outputs[0].endpoint = .headphones
      $0.loudness = .init(integrated: -16, truePeak: -1, peakPolicy: .limit)
    }
    #expect(done.report.outputs[0].samples == 1_732_608)
    #expect(done.report.render?.virtualized == true && done.report.render?.hrtf == nil)
    #expect(done.report.timeline?.priming.source == .decoder)
    #expect(((done.report.loudness?.input.integrated ?? 0) + 19.8).magnitude < 0.1)
    #expect(((done.report.loudness?.output.integrated ?? 0) + 16).magnitude < 0.05)
  }

  @Test(
    "AC-4 dialnorm sets the gain in metadata mode", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func dialnormSetsTheGain() async throws {
    let done = try await render("sample.ac4") {
      $0.loudness = .init(integrated: -23, truePeak: -1, peakPolicy: .limit)
      $0.loudness?.mode = .metadata
    }
    #expect(done.report.loudness?.gainDB == 0)
  }

  @Test(
    "a damaged AC-4 frame fails the render, or is concealed where asked for", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func damageFollowsThePolicy() async throws {
    let folder = try TemporaryFolder()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SharedMedia.path("sample.ac4")))
    // One byte in the second half: its frame's checksum is wrong.
    bytes[bytes.count * 2 / 3] ^= 0x55
    try bytes.write(to: folder.url("a.ac4"))
    var test = try RenderCase(path: folder.file("a.ac4"))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .damaged)
    #expect(test.folder.contents.isEmpty)
    test.job.decoding.damage = .conceal
    let report = try await test.run()
    #expect(report.outputs[0].samples == 36_480)
    #expect(report.degradations.contains { $0.code == .concealed })
    try bytes.prefix(bytes.count - 100).write(to: folder.url("b.ac4"))
    var cut = try RenderCase(path: folder.file("b.ac4"))
    cut.job.decoding.damage = .conceal
    cut.job.loudness = nil
    #expect(try await cut.run().degradations.contains { $0.code == .truncated })
  }

  @Test(
    "probe lists the presentations of AC-4, and --presentation chooses one", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func presentationsAreProbedAndChosen() async throws {
    var prober = MediaProber()
    let report = try prober.probe(path: SharedMedia.path("ChannelCheck.ac4"))
    let found = try #require(report.track?.presentations)
    #expect(found.count == 1 && found[0].immersiveStereo && found[0].dialnorm == -20)
    #expect(found[0].channels == "stereo" && report.track?.virtualized == true)
    prober.decoding.presentation = .number(7)
    let refused = try prober.probe(path: SharedMedia.path("ChannelCheck.ac4"))
    #expect(refused.refusal?.kind == "usage")
    let other = await #expect(throws: RenderFailure.self) {
      try await render("bear.flac") { $0.decoding.presentation = .number(0) }
    }
    #expect(other?.error.kind == .usage)
  }

  /// A language that is stated is found; one that isn't leads to the usual presentation, which is told.
  @Test(
    .tags(.media), .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: [
      (["fr", "eng"], "it has the language eng"),
      (["fr"], "asks for fr, which none that can be decoded has (stated: en); first of 1"),
    ])
  func presentationsAreChosenByLanguage(wanted: [String], reason: String) throws {
    var prober = MediaProber()
    prober.decoding.presentation = .languages(wanted)
    let report = try prober.probe(path: SharedMedia.path("sample_ac4.mp4"))
    let choice = try #require(report.decisions.first { $0.code == .presentation })
    #expect(choice.chose == "0" && choice.why.contains(reason), "\(choice)")
  }
}
