// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Spatial

/// The renderer as a stage for the channels of a bed, so that tests of stages can run it.
final class BedStage: AudioStage {
  private let renderer: SceneRenderer
  private var programme: Programme?
  private var received: Int64 = 0

  /// A stage with the responses of `hrtf`.
  init(hrtf: HRTFSet, options: SceneOptions = SceneOptions()) {
    renderer = SceneRenderer(hrtf: hrtf, options: options)
  }

  var latency: Int { renderer.latency }
  var tail: Int { renderer.tail }

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    let programme = Programme(sampleRate: format.sampleRate, elements: [.bed(format.layout)])
    let output = try renderer.prepare(programme)
    (self.programme, received) = (programme, 0)
    return output
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    guard let programme else { throw MediaError(.internal, "the stage wasn't prepared") }
    try renderer.process(ProgrammeBlock(programme, audio: input, start: received), into: output)
    received += Int64(input.frames)
  }

  func finish(into output: AudioBuffer) throws { try renderer.finish(into: output) }
}
