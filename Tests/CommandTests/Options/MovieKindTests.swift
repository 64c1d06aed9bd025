// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Rendering
import Testing

@testable import PinnaCLI

/// The kind of MP4 that an output gets from its name, its codec and its options, and the decision that says so.
@Suite struct MovieKindTests {
  private func request(_ words: [String]) throws -> RenderRequest {
    try #require(try RenderCommand.requests(["in.wav"] + words).first)
  }

  @Test(
    "names of MP4 mean one piece, and fragments where these are asked for or the codec needs them",
    arguments: [
      (["-o", "a.mp4"], .mp4, false), (["-o", "a.M4A"], .mp4, false),
      (["-o", "a.m4b"], .mp4, false),
      (["-o", "a.m4a", "-c:a", "flac"], .mp4, false), (["-o", "a.mp4", "-f", "mp4"], .mp4, false),
      (["-o", "a.mp4", "-f", "fmp4"], .fmp4, false),
      (["-o", "a.mp4", "-f", "fmp4", "-c:a", "opus"], .fmp4, false),
      (["-o", "a.mp4", "-c:a", "opus"], .fmp4, true),
      (["-o", "a.m4a", "-c:a", "iamf-flac"], .fmp4, true),
      (["-o", "a.mp4", "--fragment-duration", "1s"], .fmp4, true),
      (["-o", "a.mp4", "-c:a", "copy"], .mp4, false),
      (["-o", "a.mp4", "-c:a", "copy", "--fragment-duration", "1s"], .fmp4, true),
      (["-o", "a.mp4", "-c:a", "copy", "-f", "fmp4"], .fmp4, false),
      (["-o", "a.wav", "--also", "none:b.m4a"], .wav, false),
      (["-o", "a.m3u8"], .hls, false),
    ] as [([String], ContainerKind, Bool)])
  func kindsFollowNameAndCodec(words: [String], kind: ContainerKind, isTold: Bool) throws {
    let request = try request(words)
    let output = try #require(request.outputs.first)
    #expect(OutputFiles(output).kind == kind)
    #expect(request.decisions.contains { $0.code == .fragments } == isTold)
  }

  @Test("another output gets its own kind, and the decision is about it")
  func furtherOutputsHaveTheirOwn() throws {
    let request = try request(["-o", "a.wav", "--also", "none:b.m4a", "--fragment-duration", "1s"])
    #expect(request.outputs.map { OutputFiles($0).kind } == [.wav, .fmp4])
    #expect(request.decisions.filter { $0.code == .fragments }.map(\.subject) == [.output(1)])
  }

  @Test("fragments of a file that has none are refused") func strayFragmentsAreRefused() {
    for words in [
      ["-o", "a.mp4", "-f", "mp4", "--fragment-duration", "1s"],
      ["-o", "a.mp4", "-f", "mp4", "-c:a", "opus"],
    ] {
      let failure = #expect(throws: MediaError.self) { try request(words) }
      #expect(failure?.kind == .usage)
      #expect(failure?.message.contains("fmp4") == true)
    }
  }

  @Test("an extension stands for the first kind that has it, and both kinds may have it")
  func extensionsAreShared() {
    for name in ["mp4", "m4a", "m4b"] {
      #expect(ContainerKind(fileExtension: name) == .mp4)
      #expect(OutputExtension("a." + name).isRight(for: .fmp4))
    }
  }
}
