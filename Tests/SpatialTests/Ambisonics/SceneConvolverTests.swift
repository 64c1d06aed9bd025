// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SceneConvolverTests {
  private func noise(_ planes: Int, _ frames: Int) -> [[Float]] {
    var source = SeededNoise(seed: 11)
    return (0..<planes).map { _ in source.samples(frames, peak: 0.5) }
  }

  /// Both ears for `signal`, in blocks of `size` samples.
  private func run(
    _ convolver: SceneConvolver, _ signal: [[Float]], size: Int = 1 << 20
  ) -> [[Float]] {
    let input = AudioBuffer(channels: signal.count)
    input.grow(by: signal[0].count)
    for (plane, samples) in signal.enumerated() {
      for (index, value) in samples.enumerated() { input.channel(plane)[index] = value }
    }
    let output = AudioBuffer(channels: 2)
    var position = 0
    while position < input.frames {
      let count = min(size, input.frames - position)
      let sources = signal.indices.compactMap { plane in
        input.channel(plane).baseAddress.map { UnsafePointer($0 + position) }
      }
      convolver.process(sources, frames: count, into: output)
      position += count
    }
    convolver.finish(into: output)
    return (0..<2).map { Array(output.channel($0)) }
  }

  private func doubles(_ ears: [[Float]]) -> [[Double]] { ears.map { $0.map(Double.init) } }

  /// `signal` as a plane wave from `place`.
  private func wave(_ signal: [Float], _ place: SIMD3<Double>, order: Int) -> [[Float]] {
    SceneWave(place, order).gains.map { gain in signal.map { Float(gain * Double($0)) } }
  }

  @Test("the convolver of sound fields equals a plain convolution", arguments: [0, 1, 3, 7])
  func equalsPlainConvolution(order: Int) throws {
    let hrtf = try HRTFSet.builtIn()
    let convolver = try SceneConvolver(order: order, hrtf: hrtf, rate: 48000)
    let signal = noise(convolver.planes, 5000)
    let ears = doubles(run(convolver, signal))
    let filters = SceneFilters(hrtf, order: order, rate: 48000)
    for (ear, taps) in zip(ears, [filters.left, filters.right]) {
      let wanted = Render.direct(signal, taps)
      #expect(ear.count == wanted.count && ear.count == 5000 + convolver.taps - 1)
      let gap = Render.difference(ear, wanted)
      #expect(gap <= -130, "order \(order): \(gap) dB")
    }
  }

  @Test(
    "a sound field has the same bits for blocks of any size, with and without a trajectory",
    arguments: [nil, "0,-20,0,0\n0.1,20,10,0\n0.2,0,0,30\n0.25,0,0,30"])
  func outputDoesNotDependOnBlockSize(way: String?) throws {
    let filters = SceneFilters(try HRTFSet.builtIn(), order: 3, rate: 48000)
    let trajectory = try way.map { try HeadTrajectory(csv: $0) }
    let signal = noise(16, 14000)
    func ears(_ size: Int) throws -> [[Float]] {
      run(try SceneConvolver(filters, rate: 48000, trajectory: trajectory), signal, size: size)
    }
    let whole = try ears(20000)
    for size in [1, 7, 256, 1000, 4097] {
      #expect(Alignment.difference(try ears(size), whole) == nil, "blocks of \(size)")
    }
  }

  @Test(
    "a turned head hears a plane wave within −110 dB of the wave from the turned place",
    arguments: [HeadPose(yaw: 40), HeadPose(yaw: -100, pitch: 30, roll: -15)])
  func aTurnedHeadHearsATurnedScene(pose: HeadPose) throws {
    let hrtf = try HRTFSet.builtIn()
    let signal = noise(1, 6000)[0]
    let place = UnitVector.of(Direction(azimuth: 65, elevation: 20))
    let turned = HeadRotation(pose).place(of: place)
    for order in [1, 3, 7] {
      let room = wave(signal, place, order: order)
      let filters = SceneFilters(hrtf, order: order, rate: 48000)
      let head = try SceneConvolver(filters, rate: 48000, pose: pose)
      let plain = try SceneConvolver(filters, rate: 48000)
      let way = try HeadTrajectory(csv: "0,\(pose.yaw),\(pose.pitch),\(pose.roll)")
      let moving = try SceneConvolver(filters, rate: 48000, trajectory: way)
      let wanted = doubles(run(plain, wave(signal, turned, order: order)))
      for ears in [doubles(run(head, room)), doubles(run(moving, room))] {
        for ear in 0..<2 {
          let gap = Render.difference(ears[ear], wanted[ear])
          #expect(gap <= -110, "order \(order): \(gap) dB")
        }
      }
    }
  }

  /// While the head passes a pose, a click is heard as from there.
  @Test("a click in a sound field under a trajectory is within −60 dB of that in the static pose")
  func aClickOnTheWayIsHeardFromWhereTheHeadIs() throws {
    let filters = SceneFilters(try HRTFSet.builtIn(), order: 5, rate: 48000)
    let way = try HeadTrajectory(csv: "0,0,0,0\n1,90,0,0")
    for (seconds, yaw) in [(0.25, 22.5), (0.4, 36.0), (0.73, 65.7)] {
      var click = [Float](repeating: 0, count: 48000)
      click[Int(seconds * 48000)] = 1
      let signal = wave(click, SIMD3(1, 0, 0), order: 5)
      let moving = try SceneConvolver(filters, rate: 48000, trajectory: way)
      let still = try SceneConvolver(filters, rate: 48000, pose: HeadPose(yaw: yaw))
      let (heard, wanted) = (doubles(run(moving, signal)), doubles(run(still, signal)))
      for ear in 0..<2 {
        let gap = Render.difference(heard[ear], wanted[ear])
        #expect(gap < -60, "yaw \(yaw), ear \(ear): \(gap) dB")
      }
    }
  }

  @Test("a sound field has the latency of a bed") func lagsAsABedDoes() throws {
    let hrtf = try HRTFSet.builtIn()
    for rate in [8000, 48000, 192_000] {
      let bed = BedStage(hrtf: hrtf)
      _ = try bed.prepare(AudioFormat(sampleRate: rate, layout: .stereo))
      let convolver = try SceneConvolver(order: 1, hrtf: hrtf, rate: rate)
      #expect(convolver.lead == bed.latency)
      #expect(convolver.taps - 1 - convolver.lead == bed.tail)
    }
  }

  @Test("sound fields of order −1 and 8 and a pitch of 100° are refused")
  func refusesOrdersAndPosesOutOfRange() throws {
    let hrtf = try HRTFSet.builtIn()
    for order in [-1, 8] {
      let error = #expect(throws: MediaError.self) {
        try SceneConvolver(order: order, hrtf: hrtf, rate: 48000)
      }
      #expect(error?.kind == .unsupportedFeature)
    }
    let error = #expect(throws: MediaError.self) {
      try SceneConvolver(order: 1, hrtf: hrtf, rate: 48000, pose: HeadPose(pitch: 100))
    }
    #expect(error?.kind == .usage)
  }
}
