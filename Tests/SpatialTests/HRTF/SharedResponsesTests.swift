// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Renders that share a set, its tables and its responses give the bits that each would give alone.
@Suite struct SharedResponsesTests {
  private struct Job {
    var layout = "stereo"
    var rate = 48_000
    var hrtf = HRTFOptions()
    var scene = SceneOptions()
  }

  /// Jobs that differ in one thing each.
  private static let jobs = [
    Job(), Job(rate: 44_100), Job(layout: "5.1"), Job(hrtf: HRTFOptions(isProcessed: false)),
    Job(hrtf: HRTFOptions(head: .scaled(1.2))), Job(scene: SceneOptions(pose: HeadPose(yaw: 30))),
    Job(layout: "7.1.4", rate: 96_000), Job(scene: SceneOptions(span: 20)),
  ]

  @Test("jobs in turn, each twice, give the bits of a set that nobody has used")
  func jobsInTurnGiveTheirOwnBits() throws {
    var sets: [HRTFOptions: HRTFSet] = [:]
    for job in SharedResponsesTests.jobs + SharedResponsesTests.jobs {
      let format = Render.format(job.layout, rate: job.rate)
      var noise = SeededNoise(seed: 7)
      let signal = (0..<format.channels).map { _ in noise.samples(3000, peak: 0.5) }
      let set = try sets[job.hrtf] ?? HRTFSet.builtIn(options: job.hrtf)
      sets[job.hrtf] = set
      let ears = try Render.all(signal, format, set, options: job.scene)
      #expect(
        ears
          == (try Render.all(signal, format, HRTFSet.builtIn(options: job.hrtf), options: job.scene)),
        "\(job)")
    }
  }

  @Test(
    "responses that are shared are those of their place, rate and onsets, also behind and on the median plane"
  )
  func sharedResponsesAreThoseOfTheirPlace() throws {
    let places =
      [(0.0, 0.0), (30, 0), (-30, 0), (180, 0), (-180, 0), (90, 45), (0, 90)].map {
        UnitVector.of(Direction(azimuth: $0.0, elevation: $0.1))
      } + [SIMD3(1, -0.0, 0), SIMD3(-1, -0.0, 0)]
    let set = try HRTFSet.builtIn()
    for _ in 0..<2 {
      for (rate, mended) in [(48_000, false), (44_100, false), (48_000, true)] {
        let designer = HRIRDesigner(set, rate: rate, mended: mended)
        let alone = HRIRDesigner(try HRTFSet.builtIn(), rate: rate, mended: mended)
        for place in places {
          let (one, other) = (designer.sharedPair(at: place), alone.pair(at: place))
          #expect(one.left == other.left && one.right == other.right, "\(rate), \(place)")
        }
      }
    }
  }
}
