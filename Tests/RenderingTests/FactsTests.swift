// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaOut
import Rendering
import TestSupport
import Testing

/// The statements of the report and of the file's header are true.
@Suite struct FactsTests {
  @Test("dialnorm of E-AC-3 is reported with its gain", .tags(.system), .fullRunOnly)
  func dialnormAndRangeControlAreReported() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 6, seconds: 2, mask: 0x3F).write(to: folder.url("s.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("s.wav"), "-c:a", "eac3", "-dialnorm", "-27", folder.file("s.mkv"),
    ])
    let test = try RenderCase(path: folder.file("s.mkv"))
    let report = try await test.run()
    #expect(report.input?.dialnorm == -27)
    #expect(report.input?.objects == .no)
    #expect(report.loudness?.dialnormGainDB == 11)
    #expect(report.timeline?.priming.samples == 256)
    #expect(report.render?.lfeGainDB == 10)
  }

  @Test("the bext chunk holds loudness, coding history and the mark of virtualisation")
  func broadcastChunkHoldsLoudnessHistoryAndMark() async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 4))
    let report = try await test.run()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: test.outputPath)))
    let chunk = try #require(BroadcastChunkBytes(bytes))
    #expect(chunk.version == 2)
    let output = try #require(report.loudness?.output)
    #expect((chunk.loudness - (output.integrated ?? 0)).magnitude < 0.011)
    #expect((chunk.truePeak - (output.truePeak ?? 0)).magnitude < 0.011)
    #expect((chunk.range - (output.range ?? 0)).magnitude < 0.02)
    #expect(chunk.history.contains("A=PCM,F=48000,W=24,M=stereo,T=Pinna"))
    #expect(chunk.history.contains("virtualized=binaural"))
  }

  @Test("a render of a render isn't virtualised twice") func neverTwice() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 2))
    _ = try await test.run()
    let once = try test.decoded()
    var again = try RenderCase(path: test.outputPath)
    let report = try await again.run()
    #expect(report.render?.hrtf == nil)
    #expect(report.render?.virtualized == true)
    #expect(report.decisions.contains { $0.code == .virtualizer })
    let twice = try again.decoded()
    let worst = zip(once.planes[0], twice.planes[0]).map { ($0 - $1).magnitude }.max() ?? 1
    #expect(worst < 0.01, "only the level may move by the rounding of its measurement")

    again.job.rendition.alreadyVirtualized = .no
    again.job.policy.overwrite = true
    #expect(try await again.run().render?.hrtf?.id == "kemar")
    test.job.rendition.alreadyVirtualized = .yes
    test.job.policy.overwrite = true
    #expect(try await test.run().render?.hrtf == nil)
  }

  @Test("a report of two endpoints has both, each with its level", .tags(.system), .fullRunOnly)
  func severalEndpointsComeFromOneDecode() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 2, mask: 0x60F))
    let flat = test.folder.file("flat.wav")
    test.job.outputs.append(.init(endpoint: .none, location: .file(flat)))
    let report = try await test.run()
    #expect(report.outputs.map(\.endpoint) == [.headphones, .none])
    #expect(try Decoded(flat).planes.count == 6)
    #expect((LibEBUR128(try test.decoded()).integrated + 16).magnitude < 0.1)
  }

  @Test("--strict turns a degradation into a failure with exit 9 and no output")
  func strictTurnsDegradationsIntoFailure() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 2))
    test.job.policy.isStrict = true
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.exitCode == 9)
    #expect(failure?.report.status == .error)
    #expect(test.folder.contents == ["in.wav"])
  }

  /// 5.1 without a mask has its layout guessed.
  @Test(
    "a strict run of some classes fails for a degradation of these alone",
    arguments: [
      ([DegradationClass.doubt], true), ([.damage], false), ([.damage, .doubt], true), ([], false),
    ])
  func strictClassesChooseDegradations(classes: [DegradationClass], fails: Bool) async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 1))
    test.job.loudness = nil
    test.job.encoding = .float32
    test.job.policy.isStrict = true
    test.job.policy.strictClasses = classes
    guard fails else {
      #expect(try await test.run().degradations.map(\.code) == [.layoutGuessed])
      return
    }
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .degraded)
    #expect(failure?.error.message.contains("allows no doubt") == true)
  }

  @Test("--tail keep makes the output longer by the filter's tail") func tailIsKeptWhenAsked()
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    test.job.rendition.tail = .keep
    let report = try await test.run()
    let tail = try #require(report.render?.tail)
    #expect(tail > 100)
    #expect(report.outputs[0].samples == Int64(48_000 + tail))
    #expect(try test.decoded().planes[0].suffix(tail).contains { $0 != 0 })
  }

  @Test("a cancelled render leaves no file") func cancellationLeavesNothing() async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 30))
    let job = test.job
    let task = Task { () -> RenderFailure? in
      do {
        _ = try await RenderPipeline().render(job)
        return nil
      } catch {
        return error as? RenderFailure
      }
    }
    task.cancel()
    let failure = await task.value
    #expect(failure?.error.kind == .interrupted)
    #expect(test.folder.contents == ["in.wav"])
  }

  @Test("tags are carried unless --no-tags is given", .tags(.system), .fullRunOnly)
  func tagsAreCarriedUnlessUnwanted() async throws {
    let folder = try TemporaryFolder()
    try TestProgramme.wav(channels: 2, seconds: 1).write(to: folder.url("s.wav"))
    try FixtureStore.ffmpeg([
      "-i", folder.file("s.wav"), "-metadata", "title=A title", "-metadata", "artist=Someone",
      folder.file("s.flac"),
    ])
    var test = try RenderCase(path: folder.file("s.flac"))
    _ = try await test.run()
    #expect(try probeTags(test.outputPath).contains("title=A title"))
    #expect(try probeTags(test.outputPath).contains("artist=Someone"))
    test.job.carriage.keepsMetadata = false
    test.job.policy.overwrite = true
    _ = try await test.run()
    #expect(try !probeTags(test.outputPath).contains("A title"))
  }

  private func probeTags(_ path: String) throws -> String {
    let probe = try Tool.run("ffprobe", ["-v", "error", "-show_entries", "format_tags", path])
    return String(decoding: probe.output, as: UTF8.self).replacing("TAG:", with: "")
  }
}
