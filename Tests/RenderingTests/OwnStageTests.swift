import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// Stages that a caller inserts.
struct OwnStageTests {
  /// A faulty stage that delivers one sample too many for each block.
  private final class Greedy: AudioStage {
    let latency = 0
    func prepare(_ format: AudioFormat) throws -> AudioFormat { format }
    func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
      output.append(input)
      output.appendSilence(1)
    }
    func finish(into output: AudioBuffer) throws {}
  }

  @Test func oneThatGivesTooMuchFailsTheRun() async throws {
    let folder = try TemporaryFolder()
    try Tool.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=1", folder.file("in.wav"),
    ])
    let request = RenderRequest(
      .file(folder.file("in.wav")), outputs: [OutputRequest(.file(folder.file("out.wav")))])
    var environment = RenderEnvironment()
    environment.stages = [.init("greedy") { Greedy() }]
    let failure = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline(environment).render(request)
    }
    #expect(failure?.error.message.contains("correct its latency or tail") == true)
    #expect(folder.contents == ["in.wav"])
  }
}
