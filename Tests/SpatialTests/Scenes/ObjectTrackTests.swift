// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import Testing

@testable import Spatial
@testable import SpatialReferences

/// How updates of an object become voices.
@Suite struct ObjectTrackTests {
  private static let step = 1024
  private let setting = TrackSetting(step: step, history: 768, jump: 96) {
    Buffer(aligned: 64)
  }

  /// A voice that another one has replaced fades out, is heard until its last samples have passed the
  /// filters, and is forgotten then.
  @Test("an object that jumps each step has at most five voices, and one after four steps of rest")
  func voicesThatHaveLeftAreForgotten() {
    let track = ObjectTrack(
      plane: 0, ObjectMotion(restingIn: SceneRun.state(60)), SoundMaker(SceneOptions()), setting)
    let lanes = StepLanes(frames: Self.step)
    let sound = [Float](repeating: 0.5, count: Self.step)
    var heard: [ObjectVoice] = []
    func play(_ steps: Range<Int>, jumps: Bool) {
      for index in steps {
        let time = index * Self.step
        track.beginStep()
        if jumps {
          let state = SceneRun.state(index % 2 == 0 ? -60 : 60)
          track.take(ObjectUpdate(plane: 0, at: Int64(time), state: state), at: time)
        }
        sound.withUnsafeBufferPointer { sound in
          guard let source = sound.baseAddress else { return }
          track.play(source, offset: 0, count: Self.step, time: time, into: lanes)
        }
        heard = []
        track.endStep(at: time + Self.step, into: &heard)
        #expect((1...5).contains(track.voices.count), "\(index): \(track.voices.count)")
      }
    }
    play(0..<40, jumps: true)
    #expect(heard.count > 1)
    play(40..<44, jumps: false)
    #expect(heard.count == 1 && track.voices.count == 1)
  }
}
