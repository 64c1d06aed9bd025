// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct HeadPoseTests {
  private func bank(_ pose: HeadPose, _ layout: String, _ positions: SpeakerPositions = .standard)
    throws -> BedFilters
  {
    try BedFilters(
      HRTFSet.builtIn(), Render.format(layout), SceneOptions(positions: positions, pose: pose))
  }

  /// The rotations written out: yaw, then pitch, then roll, each about the axis as the rotations before
  /// have left it.
  private func reference(_ pose: HeadPose, _ source: SIMD3<Double>) -> SIMD3<Double> {
    func turned(_ v: SIMD3<Double>, _ degrees: Double, _ a: Int, _ b: Int) -> SIMD3<Double> {
      let angle = degrees * .pi / 180
      var out = v
      out[a] = cos(angle) * v[a] - sin(angle) * v[b]
      out[b] = sin(angle) * v[a] + cos(angle) * v[b]
      return out
    }
    // The inverse undoes yaw first, then pitch, then roll.
    let unyawed = turned(source, -pose.yaw, 0, 1)
    let unpitched = turned(unyawed, -pose.pitch, 0, 2)
    return turned(unpitched, -pose.roll, 1, 2)
  }

  @Test(
    "a yaw gives the same bits as all loudspeakers moved the other way",
    arguments: ["5.1", "7.1.4"])
  func yawIsMovingEverySpeakerTheOtherWay(layout: String) throws {
    for yaw in [30.0, -75, 180, 359] {
      let format = Render.format(layout)
      let names = format.layout.speakers.indices.filter { !format.layout.speakers[$0].isLFE }
      let moved = try SpeakerPositions(
        names.map { index in
          let place = format.layout.direction(at: index)
          let azimuth = (place.azimuth - yaw).truncatingRemainder(dividingBy: 360)
          return (format.layout.speakers[index].name, azimuth, place.elevation)
        })
      let turned = try bank(HeadPose(yaw: yaw), layout)
      let expected = try bank(.ahead, layout, moved)
      #expect(turned.left == expected.left, "yaw \(yaw)")
      #expect(turned.right == expected.right, "yaw \(yaw)")
      #expect(turned.latency == expected.latency)
      #expect(turned.length == expected.length)
    }
  }

  @Test("responses of a pose are those of the places rotated by yaw, pitch and roll within −120 dB")
  func everyPoseIsTheRotationWrittenOut() throws {
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48000)
    let layout = Render.format("7.1.4").layout
    for pose in [
      HeadPose(pitch: 25), HeadPose(roll: 40), HeadPose(yaw: 12, pitch: -33, roll: 17),
      HeadPose(yaw: -140, pitch: 61, roll: -95),
    ] {
      let turned = try bank(pose, "7.1.4")
      let start = turned.latency - turned.lead
      for index in layout.speakers.indices where !layout.speakers[index].isLFE {
        let source = UnitVector.of(layout.direction(at: index))
        let place = reference(pose, source)
        let gap = place - pose.place(of: layout.direction(at: index))
        #expect(UnitVector.dot(gap, gap) < 1e-24)
        let pair = designer.pair(
          for: Direction(
            azimuth: atan2(place.y, place.x) * 180 / .pi, elevation: asin(place.z) * 180 / .pi))
        let left = Array(turned.left[index][start..<start + turned.mainLength])
        let right = Array(turned.right[index][start..<start + turned.mainLength])
        #expect(Render.difference(left, pair.left) < -120, "\(pose), channel \(index)")
        #expect(Render.difference(right, pair.right) < -120, "\(pose), channel \(index)")
      }
    }
  }

  /// The directions in which sounds move when the head moves, as anybody can try.
  @Test("sound moves right when the head turns left") func signsAreAsStated() {
    func seen(_ pose: HeadPose, _ azimuth: Double, _ elevation: Double = 0) -> SIMD3<Double> {
      pose.place(of: Direction(azimuth: azimuth, elevation: elevation))
    }
    func near(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
      UnitVector.dot(a - b, a - b) < 1e-20
    }
    let ahead = SIMD3(1.0, 0, 0)
    let left = SIMD3(0.0, 1, 0)
    let up = SIMD3(0.0, 0, 1)
    #expect(near(seen(HeadPose(yaw: 90), 0), -left), "turned left, the front is at the right ear")
    #expect(near(seen(HeadPose(pitch: 90), 0), -up), "looking up, the front is below")
    #expect(near(seen(HeadPose(pitch: 90), 0, 90), ahead), "looking up, the ceiling is ahead")
    #expect(near(seen(HeadPose(roll: 90), -90), up), "right ear down, what was right is on top")
    #expect(near(seen(HeadPose(roll: 90), 0, 90), left), "right ear down, the top is at the left")
    for roll in [0.0, 33] {
      #expect(near(seen(HeadPose(yaw: 70, pitch: 30, roll: roll), 70, 30), ahead), "the nose's way")
    }
  }

  @Test("mirrored poses exchange the ears of mirrored channels within −120 dB")
  func turningTheOtherWayMirrorsTheEars() throws {
    let speakers = Render.format("5.1.4").layout.speakers
    let mirrored = [1, 0, 2, 3, 5, 4, 7, 6, 9, 8]
    for (one, other) in [
      (HeadPose(yaw: 37), HeadPose(yaw: -37)), (HeadPose(roll: 20), HeadPose(roll: -20)),
      (HeadPose(yaw: 21, pitch: 13, roll: 8), HeadPose(yaw: -21, pitch: 13, roll: -8)),
    ] {
      let first = try bank(one, "5.1.4")
      let second = try bank(other, "5.1.4")
      for index in speakers.indices {
        let gap = max(
          Render.difference(first.left[index], second.right[mirrored[index]]),
          Render.difference(first.right[index], second.left[mirrored[index]]))
        #expect(gap <= -120, "\(one), \(speakers[index].name): \(gap) dB")
      }
    }
  }

  @Test("a turned head keeps each bit of LFE and the latency")
  func bassAndLatencyDoNotDependOnThePose() throws {
    let hrtf = try HRTFSet.builtIn()
    let pose = HeadPose(yaw: 80, pitch: -20, roll: 5)
    let still = try Render.impulse(.lowFrequency, in: "5.1", hrtf)
    let turned = try Render.impulse(
      .lowFrequency, in: "5.1", hrtf, options: SceneOptions(pose: pose))
    #expect(still.ears == turned.ears)
    #expect(still.latency == turned.latency)
  }

  @Test("a yaw, pitch or roll out of range is refused by its name")
  func aPoseOutOfRangeIsRefused() throws {
    for (pose, word) in [
      (HeadPose(yaw: 361), "yaw"), (HeadPose(pitch: 90.1), "pitch"), (HeadPose(roll: -361), "roll"),
      (HeadPose(yaw: .nan), "yaw"), (HeadPose(roll: .infinity), "roll"),
    ] {
      let stage = BedStage(
        hrtf: try HRTFSet.builtIn(), options: SceneOptions(pose: pose))
      let error = #expect(throws: MediaError.self) { try stage.prepare(Render.format("stereo")) }
      #expect(error?.kind == .usage)
      #expect(error?.message.contains(word) == true)
    }
  }
}
