// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Every sound of a mixed programme is heard from its own direction.
@Suite struct ToneSceneTests {
  /// Level and phase between the ears at each tone's frequency are those of the filters of its direction, which are
  /// made without the renderer.
  @Test("each tone of a mixed scene has the interaural level and phase of its direction's filters")
  func everyToneComesFromItsPlace() throws {
    let hrtf = try HRTFSet.builtIn()
    let run = SceneRun(ToneScene.programme.elements, ToneScene.planes(36_000))
    let ears = try run.render(hrtf).map { Array($0[6000..<30_000]) }
    let designer = HRIRDesigner(hrtf, rate: 48_000)
    for tone in ToneScene.tones {
      let heard = InterauralTone(ears, frequency: tone.frequency)
      var (level, phase) = (0.0, 0.0)
      if let direction = tone.direction {
        let pair = designer.pair(for: direction)
        let wanted = InterauralTone(left: pair.left, right: pair.right, frequency: tone.frequency)
        (level, phase) = (wanted.level, wanted.phase)
      }
      #expect(abs(heard.level - level) <= 0.001, "\(tone): \(heard.level) dB, not \(level) dB")
      #expect(
        InterauralTone.gap(heard.phase, phase) <= 1e-4, "\(tone): \(heard.phase), not \(phase)")
    }
  }
}
