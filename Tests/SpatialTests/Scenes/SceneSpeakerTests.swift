import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Scenes for two loudspeakers ahead, and what is refused.
@Suite struct SceneSpeakerTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  @Test(
    "a bed in a scene for loudspeakers equals the virtualizer within −120 dB",
    arguments: ["stereo", "5.1"])
  func aBedSoundsAsThroughTheVirtualizer(layout: String) throws {
    let format = Render.format(layout)
    var source = SeededNoise(seed: 4)
    let signal = (0..<format.channels).map { _ in source.samples(9000, peak: 0.4) }
    let stage = SpeakerVirtualizer(hrtf: hrtf, options: SpeakerOptions(spanDegrees: 24))
    let alone = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    let run = SceneRun([.bed(format.layout)], signal, options: SceneOptions(span: 24))
    let scene = try run.render(hrtf)
    for side in 0..<2 {
      let wanted = alone[side].dropFirst(stage.latency).map(Double.init)
      let gap = Render.difference(scene[side].map(Double.init), Array(wanted))
      #expect(gap <= -120, "\(gap) dB")
    }
  }

  @Test("an object at 30° for loudspeakers equals the left channel within −115 dB")
  func anObjectSoundsLikeAChannel() throws {
    var source = SeededNoise(seed: 4)
    let samples = source.samples(9000, peak: 0.4)
    let silence = [Float](repeating: 0, count: 9000)
    let options = SceneOptions(span: 20)
    let layout = Render.format("stereo").layout
    let bed = try SceneRun([.bed(layout)], [samples, silence], options: options).render(hrtf)
    let object = try SceneRun(samples, SceneRun.state(30), options: options).render(hrtf)
    for side in 0..<2 {
      let gap = Render.difference(object[side].map(Double.init), bed[side].map(Double.init))
      #expect(gap <= -115, "\(gap) dB")
    }
  }

  private func prepare(_ programme: Programme, _ options: SceneOptions = SceneOptions()) throws {
    _ = try SceneRenderer(hrtf: hrtf, options: options).prepare(programme)
  }

  @Test("a scene beyond the loudspeakers is refused with the reason") func refusalsSayWhy() throws {
    let object = Programme.Element.object(name: nil, start: ObjectState())
    let many = Programme(
      sampleRate: 48000, elements: [Programme.Element](repeating: object, count: 1025))
    let field = Programme(sampleRate: 48000, elements: [.scene(order: 8)])
    let one = Programme(sampleRate: 48000, elements: [object])
    let none = Programme(sampleRate: 48000, elements: [])
    #expect { try prepare(many) } throws: { error in
      (error as? MediaError)?.kind == .unsupportedFeature
        && (error as? MediaError)?.message.contains("1025") == true
    }
    #expect { try prepare(field) } throws: {
      ($0 as? MediaError)?.kind == .unsupportedFeature
    }
    #expect { try prepare(none) } throws: { ($0 as? MediaError)?.kind == .layoutUnknown }
    #expect { try prepare(one, SceneOptions(span: 5)) } throws: {
      ($0 as? MediaError)?.kind == .usage
    }
  }
}
