// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Late reverberation of beds, objects and moving heads.
@Suite struct SceneLateRoomTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private func noise(_ count: Int, seed: UInt64 = 5) -> [Float] {
    var source = SeededNoise(seed: seed)
    return source.samples(count, peak: 0.5)
  }

  private func difference(_ one: [[Float]], _ other: [[Float]]) -> Double {
    (0..<2).map { Render.difference(one[$0].map(Double.init), other[$0].map(Double.init)) }
      .max() ?? 0
  }

  private func difference(_ one: [[Double]], _ other: [[Double]]) -> Double {
    (0..<2).map { Render.difference(one[$0], other[$0]) }.max() ?? 0
  }

  /// The tail's part of the rendering of `run`.
  private func late(_ run: SceneRun) throws -> [[Double]] {
    var run = run
    run.options.roomTail = true
    let wet = try run.render(hrtf)
    run.options.roomTail = false
    let early = try run.render(hrtf)
    return zip(wet, early).map { wet, early in
      wet.indices.map { Double(wet[$0]) - ($0 < early.count ? Double(early[$0]) : 0) }
    }
  }

  @Test("a 5.1 bed with early reflections and tail equals direct convolution within −130 dB")
  func aBedMatchesDirectConvolution() throws {
    let format = Render.format("5.1")
    let options = SceneOptions(room: .small, roomTail: true)
    let signal = (0..<6).map { noise(3000, seed: UInt64($0 + 1)) }
    let stage = BedStage(hrtf: hrtf, options: options)
    let found = try StageVerifier.run(stage, format: format, signal: signal, blockSize: 0)
    let bank = try BedFilters(hrtf, format, options)
    let (room, gains) = try #require(bank.late)
    #expect(stage.tail >= room.taps - bank.lead - 1)
    for ear in 0..<2 {
      let filters = (ear == 0 ? bank.left : bank.right)
      var wanted = Render.direct(signal, filters.map { Array($0.prefix(12000)) })
      wanted += [Double](repeating: 0, count: found[ear].count - wanted.count)
      for bus in 0..<LateRoom.buses {
        var feed = [Double](repeating: 0, count: 3000)
        for (index, channel) in bank.mainChannels.enumerated() {
          for frame in feed.indices {
            feed[frame] += gains[index][bus] * Double(signal[channel][frame])
          }
        }
        let part = Convolution.full(feed, ear == 0 ? room.left[bus] : room.right[bus])
        for (index, value) in part.enumerated() {
          wanted[bank.latency - bank.lead + index] += value
        }
      }
      let error = Render.difference(found[ear].map(Double.init), wanted)
      #expect(found[ear].count == 3000 + stage.latency + stage.tail)
      #expect(error <= -130)
    }
  }

  @Test("beds, objects and moving heads with a tail have the same bits for blocks of any size")
  func outputDoesNotDependOnBlockSize() throws {
    let hrtf = hrtf
    let difference = try StageVerifier.firstDifference(
      format: Render.format("5.1"), signal: (0..<6).map { noise(5000, seed: UInt64($0 + 1)) },
      make: {
        BedStage(hrtf: hrtf, options: SceneOptions(room: .small, roomTail: true))
      })
    #expect(difference == nil)
    let turn = ObjectUpdate(plane: 2, at: 1500, ramp: 2000, state: SceneRun.state(80, 10))
    let options = SceneOptions(
      trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,40,0,0"), room: .medium, roomTail: true)
    let run = SceneRun(
      [.bed(Render.format("stereo").layout), .object(name: nil, start: SceneRun.state(30))],
      (0..<3).map { noise(5000, seed: UInt64($0 + 1)) }, updates: [turn], options: options)
    let whole = try run.render(hrtf)
    for size in [1, 77, 480, 512] { #expect(try run.render(hrtf, size: size) == whole) }
  }

  @Test("an object at 30° in a room with a tail equals the left channel within −110 dB")
  func anObjectIsAsReverberantAsAChannel() throws {
    let samples = noise(6000)
    let stage = BedStage(
      hrtf: hrtf, options: SceneOptions(room: .medium, roomTail: true))
    let silence = [Float](repeating: 0, count: samples.count)
    let channel = try StageVerifier.run(
      stage, format: Render.format("stereo"), signal: [samples, silence], blockSize: 0
    ).map { Array($0.dropFirst(stage.latency)) }
    let options = SceneOptions(room: .medium, roomTail: true)
    let object = try SceneRun(samples, SceneRun.state(30), options: options).render(hrtf)
    #expect(difference(object, channel) <= -110)
    let bed = try SceneRun(
      [.bed(Render.format("stereo").layout), .object(name: nil, start: SceneRun.state(0))],
      [samples, silence, silence], options: options
    ).render(hrtf)
    #expect(difference(bed, channel) <= -110)
  }

  /// The tail is the same from everywhere, so a head that turns hears the same of it.
  @Test("a turning head hears the tail of a head ahead within −100 dB")
  func theTailStaysWhenTheHeadTurns() throws {
    let samples = noise(6000)
    let ahead = try late(SceneRun(samples, SceneRun.state(30), options: SceneOptions(room: .small)))
    let options = SceneOptions(
      trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,90,10,0"), room: .small)
    let turning = try late(SceneRun(samples, SceneRun.state(30), options: options))
    #expect(difference(turning, ahead) <= -100)
  }

  /// A source that moves to the other side takes its reverberation along, and none is added or lost on the way.
  @Test("the tail of a moving object has the energy of one at rest within 1 dB and other samples")
  func reverberationFollowsAMovingObject() throws {
    let samples = noise(24000)
    let options = SceneOptions(room: .medium)
    let turn = ObjectUpdate(plane: 0, at: 1, ramp: 20000, state: SceneRun.state(4))
    let moving = try late(
      SceneRun(samples, SceneRun.state(30), updates: [turn], options: options))
    let resting = try late(SceneRun(samples, SceneRun.state(30), options: options))
    let (one, other) = (
      Render.energy(moving[0]) + Render.energy(moving[1]),
      Render.energy(resting[0]) + Render.energy(resting[1])
    )
    #expect((10 * log10(one / other)).magnitude < 1)
    #expect(difference(moving, resting) > -30)
  }

  /// Parts that fade out and in add up to the sound itself, on each of the buses.
  @Test("a fade-out and a fade-in on the late buses add up to the sound within −100 dB")
  func oppositeFadesAddUpToTheSound() {
    let room = LateRoom(.small, HRIRDesigner(hrtf, rate: 48000), rate: 48000)
    let samples = noise(512)
    func play(_ ways: [(from: SIMD4<Double>, to: SIMD4<Double>)]) -> [[Double]] {
      let bus = LateBus(room, frames: samples.count)
      bus.clear()
      samples.withUnsafeBufferPointer { samples in
        guard let source = samples.baseAddress else { return }
        for way in ways { bus.add(source, count: samples.count, from: way.from, to: way.to) }
      }
      let output = AudioBuffer(channels: 2)
      bus.play(samples.count, into: output)
      bus.finish(into: output)
      return (0..<2).map { output.channel($0).map(Double.init) }
    }
    let gains = SIMD4(0.5, 0, 1, 0.25)
    let whole = play([(gains, gains)])
    #expect(whole.allSatisfy { Render.energy($0) > 0 })
    #expect(difference(play([(gains, .zero), (.zero, gains)]), whole) <= -100)
  }

  /// An object in no room has no reverberation.
  @Test("a head-locked object has no tail")
  func headLockedObjectsHaveNone() throws {
    var rules = ObjectRules.none
    rules.isHeadLocked = true
    let options = SceneOptions(room: .medium)
    let run = SceneRun(noise(3000), SceneRun.state(30, rules: rules), options: options)
    #expect(try late(run).allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
