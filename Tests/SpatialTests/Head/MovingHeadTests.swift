// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct MovingHeadTests {
  private func noise(_ channels: Int, _ frames: Int) -> [[Float]] {
    var source = SeededNoise(seed: 5)
    return (0..<channels).map { _ in source.samples(frames, peak: 0.5) }
  }

  private func render(
    _ signal: [[Float]], _ layout: String, rate: Int = 48000, pose: HeadPose = .ahead,
    way: String? = nil
  ) throws -> [[Double]] {
    let way = try way.map { try HeadTrajectory(csv: $0) }
    return try Render.all(
      signal, Render.format(layout, rate: rate), HRTFSet.builtIn(),
      options: SceneOptions(pose: pose, trajectory: way)
    ).map { $0.map(Double.init) }
  }

  @Test(
    "a trajectory at rest renders within −120 dB of the static pose",
    arguments: ["mono", "5.1", "7.1.4"])
  func aHeadAtRestHearsTheStaticPose(layout: String) throws {
    let signal = noise(Render.format(layout).channels, 9001)
    for pose in [HeadPose(yaw: 33.3), HeadPose(yaw: -71.2, pitch: 12.6, roll: -4.4)] {
      let row = "\(pose.yaw),\(pose.pitch),\(pose.roll)"
      let still = try render(signal, layout, pose: pose)
      for way in ["0,\(row)", "0.05,\(row)\n0.1,\(row)"] {
        let moving = try render(signal, layout, way: way)
        for ear in 0..<2 {
          #expect(moving[ear].count == still[ear].count)
          let gap = Render.difference(moving[ear], still[ear])
          #expect(gap <= -120, "\(layout), \(pose): \(gap) dB")
        }
      }
    }
  }

  @Test(
    "a trajectory at rest equals the static pose at 8, 44.1 and 96 kHz within −120 dB",
    arguments: [8000, 44100, 96000])
  func otherRatesRestTheSame(rate: Int) throws {
    let signal = noise(2, 6000)
    let still = try render(signal, "stereo", rate: rate, pose: HeadPose(yaw: 20, pitch: 5))
    let moving = try render(signal, "stereo", rate: rate, way: "0,20,5,0")
    for ear in 0..<2 { #expect(Render.difference(moving[ear], still[ear]) <= -120) }
  }

  @Test(
    "a rendering under a trajectory has the same bits for blocks of any size",
    arguments: ["mono", "5.1"])
  func outputDoesNotDependOnBlockSize(layout: String) throws {
    let hrtf = try HRTFSet.builtIn()
    let way = try HeadTrajectory(csv: "0,-20,0,0\n0.1,20,10,0\n0.2,0,0,30\n0.25,0,0,30")
    let format = Render.format(layout)
    let difference = try StageVerifier.firstDifference(
      format: format, signal: noise(format.channels, 16000),
      make: { BedStage(hrtf: hrtf, options: SceneOptions(trajectory: way)) })
    #expect(difference == nil)
  }

  @Test(
    "a moving head has the latency and tail of a still one and emits input plus both",
    arguments: [1, 511, 512, 513, 4097])
  func emitsInputPlusLatencyPlusTail(frames: Int) throws {
    for layout in ["stereo", "5.1"] {
      let format = Render.format(layout)
      let moving = BedStage(
        hrtf: try HRTFSet.builtIn(),
        options: SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0\n1,90,0,0")))
      let still = BedStage(hrtf: try HRTFSet.builtIn())
      _ = try still.prepare(format)
      let ears = try StageVerifier.run(
        moving, format: format, signal: noise(format.channels, frames), blockSize: 64)
      #expect(moving.latency == still.latency)
      #expect(moving.tail == still.tail)
      #expect(
        ears.map(\.count) == [Int](repeating: frames + moving.latency + moving.tail, count: 2))
    }
  }

  /// While the head passes a pose, a click is heard as from there: the way counts from the
  /// programme's first sample, and mixing costs little.
  @Test("a click under a trajectory is within −26 dB of that in the static pose")
  func aClickOnTheWayIsHeardFromWhereTheHeadIs() throws {
    let rate = 48000
    for (seconds, yaw) in [(0.25, 22.5), (0.4, 36.0), (0.73, 65.7)] {
      var signal = [[Float](repeating: 0, count: rate)]
      signal[0][Int(seconds * Double(rate))] = 1
      let still = try render(signal, "mono", pose: HeadPose(yaw: yaw))
      let moving = try render(signal, "mono", way: "0,0,0,0\n1,90,0,0")
      for ear in 0..<2 {
        let gap = Render.difference(moving[ear], still[ear])
        #expect(gap < -26, "yaw \(yaw), ear \(ear): \(gap) dB")
      }
    }
  }

  /// Energy of a sine's output outside ±`width` Hz, relative to all of it, in dB; by a transform of
  /// 32768 points under a Blackman-Harris window of four terms (sidelobes −92 dB).
  private func splatter(_ ear: [Double], at frequency: Double, width: Double) -> Double {
    let fft = DoubleFFT(length: 32768)
    let shape = [0.35875, -0.48829, 0.14128, -0.01168]
    var re = (0..<fft.length).map { index -> Double in
      let phase = 2 * Double.pi * Double(index) / Double(fft.length)
      let window = shape.enumerated().reduce(0) { $0 + $1.element * cos(Double($1.offset) * phase) }
      return window * ear[8000 + index]
    }
    var im = [Double](repeating: 0, count: fft.length)
    fft.forward(&re, &im)
    let bin = 48000.0 / Double(fft.length)
    var sums = (all: 0.0, outside: 0.0)
    for index in 1..<fft.length / 2 {
      let power = re[index] * re[index] + im[index] * im[index]
      sums.all += power
      if (Double(index) * bin - frequency).magnitude > width { sums.outside += power }
    }
    return 10 * log10(sums.outside / sums.all)
  }

  /// Largest second difference relative to that of a steady sine of the largest amplitude.
  private func jerk(_ ear: [Double], at frequency: Double) -> Double {
    let part = Array(ear[8000..<42000])
    let peak = part.reduce(0) { max($0, $1.magnitude) }
    let steady = peak * pow(2 * sin(.pi * frequency / 48000), 2)
    var largest = 0.0
    for index in 1..<part.count - 1 {
      let bend = part[index - 1] - 2 * part[index] + part[index + 1]
      largest = max(largest, bend.magnitude)
    }
    return largest / steady
  }

  @Test(
    "sines under a turning head stay below their limits of splatter and of bend",
    arguments: [(300.0, -95.0), (1000, -80), (5000, -70)])
  func aTurningHeadDoesNotClick(frequency: Double, limit: Double) throws {
    let step = 2 * Double.pi * frequency / 48000
    let sine = [(0..<48000).map { Float(0.5 * sin(step * Double($0))) }]
    let still = try render(sine, "mono")
    for way in ["0,-45,0,0\n1,45,0,0", "0,0,-45,0\n1,0,45,0", "0,20,0,0\n1,25,0,3"] {
      let moving = try render(sine, "mono", way: way)
      for ear in 0..<2 {
        let quiet = splatter(still[ear], at: frequency, width: 250)
        let level = splatter(moving[ear], at: frequency, width: 250)
        let ratio = jerk(moving[ear], at: frequency)
        #expect(quiet < -90)
        #expect(level < limit, "\(frequency) Hz: \(level) dB")
        #expect(ratio < 1.02, "\(frequency) Hz: \(ratio)")
      }
    }
  }

  /// After a minute of movement, the output of a head at rest equals that of its pose.
  @Test("a head at rest after 58 s of movement renders within −120 dB of its pose")
  func longMovementsLeaveNoTrace() throws {
    let rows = (0...230).map { index -> String in
      "\(Double(index) / 4),\(40 * sin(Double(index))),\(15 * cos(Double(index))),0"
    }
    let signal = noise(1, 60 * 48000)
    let moving = try render(
      signal, "mono", way: (rows + ["58,12.3,4.5,0"]).joined(separator: "\n"))
    let still = try render(signal, "mono", pose: HeadPose(yaw: 12.3, pitch: 4.5))
    for ear in 0..<2 {
      #expect(moving[ear].count == still[ear].count)
      let from = 58 * 48000 + 1000
      let gap = Render.difference(Array(moving[ear][from...]), Array(still[ear][from...]))
      #expect(gap <= -120, "\(gap) dB")
    }
  }

  @Test("a pose beside a trajectory is refused")
  func aPoseBesideATrajectoryIsRefused() throws {
    let options = SceneOptions(
      pose: HeadPose(yaw: 1), trajectory: try HeadTrajectory(csv: "0,0,0,0"))
    let stage = BedStage(hrtf: try HRTFSet.builtIn(), options: options)
    let error = #expect(throws: MediaError.self) { try stage.prepare(Render.format("stereo")) }
    #expect(error?.kind == .usage)
  }
}
