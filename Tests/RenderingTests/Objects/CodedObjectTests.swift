// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering
@testable import Spatial

/// E-AC-3 with objects from a whole input to outputs.
@Suite(.tags(.media), .enabled(if: CodedObjects.isPresent, "../shared is missing"))
struct CodedObjectTests {
  /// All planes of an input, start-up samples included.
  private func planes(_ path: String) throws -> [[Float]] {
    let log = DiagnosticLog()
    let source = try TrackSource(
      input: MediaInput(path: path, log: log), decoding: InputOptions(), priming: .keep, log: log)
    let block = ProgrammeBlock(source.programme)
    while try source.read(into: block) {}
    return (0..<source.programme.planes).map { Array(block.audio.channel($0)) }
  }

  /// HLS of both kinds gives the objects that the file gives, sample for sample.
  @Test("HLS of E-AC-3 gives the objects of the plain file", arguments: ["fmp4", "mpegts"])
  func playlistsMakeNoDifference(kind: String) throws {
    let folder = try TemporaryFolder()
    let list = folder.file("list.m3u8")
    try Tool.ffmpeg([
      "-i", CodedObjects.samplePath, "-c", "copy", "-f", "hls", "-hls_segment_type", kind,
      "-hls_time", "0.5", "-hls_playlist_type", "vod", list,
    ])
    let (own, wanted) = (try planes(list), try planes(CodedObjects.samplePath))
    #expect(wanted.count == 16)
    for (plane, samples) in wanted.enumerated() {
      #expect(samples.count == 64 * 1536 && samples.contains { $0.magnitude > 0.1 })
      let isSame = own[plane] == samples
      #expect(isSame, "plane \(plane)")
    }
  }

  /// The level is that of the rendered objects, and not of the 5.1 that they are coded in. Another program
  /// measures it again.
  @Test(
    "a render of coded objects reaches its level by ffmpeg's meter",
    arguments: [Endpoint.Kind.headphones, .speakers])
  func theRenderReachesItsLevel(endpoint: Endpoint.Kind) async throws {
    var test = try RenderCase(path: CodedObjects.samplePath)
    test.job.outputs[0].endpoint = endpoint
    let report = try await test.run()
    let output = try #require(report.outputs.first)
    let loudness = try #require(output.integrated)
    #expect(abs(loudness + 16) < 0.05, "\(loudness)")
    #expect(try #require(output.truePeak) <= -1)
    // Its edit list presents the 256 start-up samples, too.
    #expect(output.samples == 64 * 1536 - 256)
    #expect(report.inputs.first?.objectCoding?.complexity == 16)
    #expect(report.inputs.first?.scene?.map(\.type).first == "bed")
    #expect(report.inputs.first?.scene?.count == 11)
    #expect(report.degradations.map(\.code) == [.startUpUncertain], "\(report.degradations)")
    let text = try Tool.run(
      "ffmpeg", ["-i", test.outputPath, "-af", "ebur128", "-f", "null", "-"])
    let line = text.errors.split(separator: "\n").last { $0.contains("I:") } ?? ""
    let found = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
    #expect(abs(found + 16) < 0.11, "\(line)")
  }

  /// Every tone of the sample is heard from its object's direction: level and phase between the ears are those of the
  /// decoded objects through the filters of their directions. Joint coding lets some objects leak into others, so all
  /// objects count at each tone; where the leaks are small, the direction alone must agree, too.
  @Test func everyObjectIsHeardFromItsPlace() async throws {
    let test = try RenderCase(path: CodedObjects.samplePath)
    _ = try await test.run()
    // Behind the first frames everything rests.
    let steady = 20 * 1536..<56 * 1536
    let ears = try test.decoded().planes.map { Array($0[steady]) }
    let sources = try planes(CodedObjects.samplePath).map { Array($0[steady]) }
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48_000)
    let pairs = ToneScene.tones.map { $0.direction.map(designer.pair) }
    let filters = pairs.map { pair in pair.map { [$0.left, $0.right] } }
    let leaking: Set<Double> = [3000, 4000, 4500, 5000]
    for (number, tone) in ToneScene.tones.enumerated() {
      guard let own = pairs[number] else { continue }
      let heard = InterauralTone(ears, frequency: tone.frequency)
      let (level, phase) = Phasor.betweenEars(sources, filters, tone.frequency)
      #expect(abs(heard.level - level) < 0.05, "\(tone): \(heard.level), not \(level) dB")
      #expect(
        InterauralTone.gap(heard.phase, phase) < 0.01, "\(tone): \(heard.phase), not \(phase)")
      guard !leaking.contains(tone.frequency) else { continue }
      let alone = InterauralTone(left: own.left, right: own.right, frequency: tone.frequency)
      #expect(abs(heard.level - alone.level) < 1, "\(tone): \(heard.level), not \(alone.level) dB")
      #expect(InterauralTone.gap(heard.phase, alone.phase) < 0.1, "\(tone)")
    }
  }

  /// Objects that move are followed to the end, and the report has the level of each.
  @Test func movementsAreReported() async throws {
    let test = try RenderCase(CodedObjects.moving().data, name: "in.ec3")
    let report = try await test.run()
    let scene = try #require(report.inputs.first?.scene)
    #expect(scene.map(\.type) == ["bed"] + Array(repeating: "object", count: 6))
    #expect(scene[1].least == [-1, 1, 0] && scene[1].greatest == [1, 1, 0])
    #expect(scene[1].changes > 40 && (scene[1].path?.count ?? 0) > 40)
    #expect(scene.dropFirst().allSatisfy { $0.samplePeak != nil })
    #expect(report.inputs.first?.objectCoding?.bed == "LFE")
  }

  /// A copy keeps the frames and says what they carry.
  @Test func aCopySaysWhatItCarries() async throws {
    var test = try RenderCase(path: CodedObjects.samplePath)
    test.job.form = .copy(isHLS: false)
    test.job.outputs[0].location = .file(test.folder.file("out.mp4"))
    let report = try await test.run()
    #expect(report.inputs.first?.layout == "6 channels with objects (complexity index 16)")
    let copied = try Data(contentsOf: URL(fileURLWithPath: test.folder.file("out.mp4")))
    for (index, frame) in try CodedObjects.sample().frames.enumerated() {
      let isThere = copied.range(of: Data(frame)) != nil
      #expect(isThere, "frame \(index)")
    }
  }
}
