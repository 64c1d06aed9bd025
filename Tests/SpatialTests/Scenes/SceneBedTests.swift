// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Objects at rest sound like a bed's channels.
@Suite struct SceneBedTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private func noise(_ count: Int, seed: UInt64 = 3) -> [Float] {
    var source = SeededNoise(seed: seed)
    return source.samples(count, peak: 0.5)
  }

  private func bed(
    _ signal: [[Float]], _ layout: String, rate: Int = 48000, options: SceneOptions
  ) throws -> [[Double]] {
    let stage = BedStage(hrtf: hrtf, options: options)
    let all = try StageVerifier.run(
      stage, format: Render.format(layout, rate: rate), signal: signal, blockSize: 0)
    return all.map { $0.dropFirst(stage.latency).map(Double.init) }
  }

  @Test(
    "an object at 30° equals the left channel of stereo within −120 dB at three rates",
    arguments: [44100, 48000, 96000])
  func anObjectSoundsLikeAChannel(rate: Int) throws {
    let samples = noise(20000)
    let silence = [Float](repeating: 0, count: samples.count)
    let channel = try bed([samples, silence], "stereo", rate: rate, options: SceneOptions())
    let object = try SceneRun(samples, SceneRun.state(30), rate: rate).render(hrtf)
    for ear in 0..<2 {
      let gap = Render.difference(object[ear].map(Double.init), channel[ear])
      #expect(gap <= -120, "\(gap) dB")
    }
  }

  /// Beside an object, a bed goes by steps, and for loudspeakers through the canceller in a second stage.
  @Test(
    "a bed beside a silent object equals the bed alone within −120 dB",
    arguments: ["stereo", "5.1", "7.1.4"],
    [SceneOptions(), SceneOptions(span: 24), SceneOptions(room: .small, roomTail: true)])
  func aBedSoundsAsItDoesAlone(layout: String, options: SceneOptions) throws {
    let format = Render.format(layout)
    let signal = (0..<format.channels).map { noise(9000, seed: UInt64($0 + 1)) }
    let alone = try bed(signal, layout, options: options)
    let silence = [Float](repeating: 0, count: 9000)
    let scene = try SceneRun(
      [.bed(format.layout), .object(name: nil, start: SceneRun.state(30))], signal + [silence],
      options: options
    ).render(hrtf)
    for ear in 0..<2 {
      #expect(scene[ear].count >= alone[ear].count)
      let gap = Render.difference(
        scene[ear].prefix(alone[ear].count).map(Double.init), alone[ear])
      #expect(gap <= -120, "\(gap) dB")
    }
  }

  @Test("a bed under a pose or a resting trajectory equals the turned bed within −115 dB")
  func aBedMovesWithTheHead() throws {
    let format = Render.format("5.1")
    let signal = (0..<format.channels).map { noise(9000, seed: UInt64($0 + 1)) }
    let still = try bed(signal, "5.1", options: SceneOptions(pose: HeadPose(yaw: 33)))
    let way = try HeadTrajectory(csv: "0,33,0,0")
    for options in [SceneOptions(pose: HeadPose(yaw: 33)), SceneOptions(trajectory: way)] {
      let scene = try SceneRun([.bed(format.layout)], signal, options: options).render(hrtf)
      for ear in 0..<2 {
        #expect(Render.difference(scene[ear].map(Double.init), still[ear]) <= -115)
      }
    }
  }

  @Test("a head-locked object has the same bits under a pose, and another turns against it")
  func headLockedObjectsStay() throws {
    let samples = noise(9000)
    let turned = SceneOptions(pose: HeadPose(yaw: 40))
    let plain = try SceneRun(samples, SceneRun.state(70)).render(hrtf)
    var rules = ObjectRules.none
    let moved = try SceneRun(samples, SceneRun.state(110), options: turned).render(hrtf)
    rules.isHeadLocked = true
    let locked = try SceneRun(samples, SceneRun.state(70, rules: rules), options: turned)
      .render(hrtf)
    #expect(locked == plain)
    #expect(Render.difference(moved[0].map(Double.init), plain[0].map(Double.init)) <= -100)
  }

  @Test("an ear's impulse keeps its sample, and an LFE object equals the channel within −120 dB")
  func earsAndLFEAreAligned() throws {
    var impulse = [Float](repeating: 0, count: 4000)
    impulse[1000] = 1
    let ear = SceneRun.state(0, rules: ObjectRules(role: .ear(.left)))
    let straight = try SceneRun(impulse, ear).render(hrtf)
    #expect(straight[0][1000] == 1)
    #expect(straight[0].indices.allSatisfy { $0 == 1000 || straight[0][$0] == 0 })
    #expect(straight[1].allSatisfy { $0 == 0 })
    let channel = SpeakerChannel(labels: ["LFE1"], isLFE: true)
    let low = SceneRun.state(0, rules: ObjectRules(role: .speaker(channel)))
    let object = try SceneRun(impulse, low).render(hrtf)
    let silence = [Float](repeating: 0, count: 4000)
    let channels = Render.format("5.1").layout.speakers.map { $0.isLFE ? impulse : silence }
    let alone = try bed(channels, "5.1", options: SceneOptions())
    for ear in 0..<2 {
      #expect(Render.difference(object[ear].map(Double.init), alone[ear]) <= -120)
    }
    let dropped = try SceneRun(impulse, low, options: SceneOptions(lfeGainDB: nil)).render(hrtf)
    #expect(dropped[0].allSatisfy { $0 == 0 })
  }
}
