// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Scenes for two loudspeakers ahead, and what is refused.
@Suite struct SceneSpeakerTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

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
