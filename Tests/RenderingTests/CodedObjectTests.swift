import AudioCore
import Foundation
import MediaIn
import Report
import TestSupport
import Testing

@testable import Rendering

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
  @Test(arguments: ["fmp4", "mpegts"])
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
      let isSame = own[plane] == samples
      #expect(isSame, "plane \(plane)")
    }
  }

  /// The level is that of the rendered objects, and not of the 5.1 that they are coded in. Another program
  /// measures it again.
  @Test(arguments: [Endpoint.Kind.headphones, .speakers])
  func theRenderReachesItsLevel(endpoint: Endpoint.Kind) async throws {
    var test = try RenderCase(path: CodedObjects.samplePath)
    test.job.outputs[0].endpoint = endpoint
    let report = try await test.run()
    let output = try #require(report.outputs.first)
    let loudness = try #require(output.integrated)
    #expect(abs(loudness + 16) < 0.05, "\(loudness)")
    #expect(try #require(output.truePeak) <= -1)
    #expect(output.samples == 64 * 1536)
    #expect(report.inputs.first?.objectCoding?.complexity == 16)
    #expect(report.inputs.first?.scene?.map(\.type).first == "bed")
    #expect(report.inputs.first?.scene?.count == 11)
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let text = try Tool.run(
      "ffmpeg", ["-i", test.outputPath, "-af", "ebur128", "-f", "null", "-"])
    let line = text.errors.split(separator: "\n").last { $0.contains("I:") } ?? ""
    let found = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
    #expect(abs(found + 16) < 0.11, "\(line)")
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
    #expect(copied.range(of: try CodedObjects.sample().data) != nil)
  }
}
