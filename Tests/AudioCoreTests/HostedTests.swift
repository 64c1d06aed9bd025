// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// A stage is only called in order and with buffers of the shapes it announced.
@Suite struct HostedTests {
  /// A stage from mono to stereo that records the calls it gets.
  private final class Recorder: AudioStage {
    var calls: [String] = []
    var refusal: MediaError?
    let latency = 7

    func prepare(_ format: AudioFormat) throws -> AudioFormat {
      calls.append("prepare")
      if let refusal { throw refusal }
      return AudioFormat(sampleRate: format.sampleRate, layout: .stereo)
    }

    func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
      calls.append("process \(input.frames)")
      if let refusal { throw refusal }
    }

    func finish(into output: AudioBuffer) throws {
      calls.append("finish")
      if let refusal { throw refusal }
    }
  }

  private let stage = Recorder()
  private let host: Hosted<AudioBuffer>
  private let mono = AudioBuffer(channels: 1)
  private let stereo = AudioBuffer(channels: 2)
  private let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  init() {
    host = Hosted(stage, name: "recorder")
    mono.appendSilence(3)
  }

  /// Expects that `body` is refused as a misuse of the stage, in these words, and that the stage isn't
  /// called.
  private func expectMisuse(_ words: String, _ body: () throws -> Void) {
    let before = stage.calls
    let error = #expect(throws: MediaError.self) { try body() }
    #expect(error?.kind == .internal)
    #expect(error?.message.contains("recorder") == true)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    #expect(stage.calls == before)
  }

  @Test("an orderly run reaches the stage call by call")
  func anOrderlyRunReachesTheStage() throws {
    #expect(try host.prepare(format).layout == .stereo)
    #expect(host.latency == 7)
    try host.process(mono, into: stereo)
    try host.finish(into: stereo)
    #expect(stage.calls == ["prepare", "process 3", "finish"])
  }

  @Test("processing and finishing before preparing are refused without a call of the stage")
  func nothingComesBeforePreparing() throws {
    expectMisuse("processed while not running") { try host.process(mono, into: stereo) }
    expectMisuse("finished while not running") { try host.finish(into: stereo) }
    _ = try host.prepare(format)
    try host.process(mono, into: stereo)
  }

  @Test("preparing a stage twice is refused, running or finished")
  func preparingIsDoneOnce() throws {
    _ = try host.prepare(format)
    expectMisuse("prepared twice") { _ = try host.prepare(format) }
    try host.finish(into: stereo)
    expectMisuse("prepared twice") { _ = try host.prepare(format) }
  }

  @Test("processing and finishing after the end are refused without a call of the stage")
  func nothingComesAfterFinishing() throws {
    _ = try host.prepare(format)
    try host.finish(into: stereo)
    expectMisuse("processed while not running") { try host.process(mono, into: stereo) }
    expectMisuse("finished while not running") { try host.finish(into: stereo) }
  }

  @Test("input and output of a wrong number of channels are refused, and the host still works")
  func shapesAreChecked() throws {
    _ = try host.prepare(format)
    expectMisuse("input has 2 channels, not 1") { try host.process(stereo, into: stereo) }
    expectMisuse("output has 1 channels, not 2") { try host.process(mono, into: mono) }
    expectMisuse("output has 1 channels, not 2") { try host.finish(into: mono) }
    // After a refused call the host still works.
    try host.process(mono, into: stereo)
    try host.finish(into: stereo)
  }

  @Test("empty blocks don't reach the stage, and those of a wrong shape are refused")
  func emptyBlocksStayOutside() throws {
    _ = try host.prepare(format)
    try host.process(AudioBuffer(channels: 1), into: stereo)
    #expect(stage.calls == ["prepare"])
    // But they have to have the right shape.
    expectMisuse("input has 2 channels") {
      try host.process(AudioBuffer(channels: 2), into: stereo)
    }
  }

  @Test("a stage's own errors come through, and after a failed block it can't be finished")
  func theStagesOwnErrorsComeThrough() throws {
    stage.refusal = MediaError(.unsupportedFeature, "no")
    for _ in 0..<2 {
      let error = #expect(throws: MediaError.self) { _ = try host.prepare(format) }
      #expect(error?.kind == .unsupportedFeature)
    }
    // A stage that refused one format may be given another.
    stage.refusal = nil
    _ = try host.prepare(format)
    stage.refusal = MediaError(.damaged, "ouch")
    #expect(throws: MediaError.self) { try host.process(mono, into: stereo) }
    #expect(throws: MediaError.self) { try host.finish(into: stereo) }
    expectMisuse("finished while not running") { try host.finish(into: stereo) }
  }
}
