// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The demands of objects' states on the renderer.
@Suite struct SoundMakerTests {
  /// The shares of the diffuse directions for a diffuse object ahead that is as wide as high.
  private func shares(_ size: Double) -> [Double] {
    let extent = ObjectExtent(width: size, height: size)
    return SoundMaker(SceneOptions()).sound(of: SceneRun.state(0, extent: extent, diffuse: 1))
      .diffuse
  }

  private func areNear(_ some: [Double], _ others: [Double]) -> Bool {
    some.count == others.count
      && zip(some, others).allSatisfy { ($0 - $1).magnitude < 1e-9 }
  }

  /// A diffuse object of any size up to 120° is spread over 120°, a larger one over its size.
  @Test(
    "diffuse objects up to 120° have the shares of a point with a power of 1, and one of 130° others"
  )
  func diffuseSoundIsSpreadOverAThirdOfACircleAtLeast() {
    let point = shares(0)
    #expect((point.reduce(0) { $0 + $1 * $1 } - 1).magnitude < 1e-9, "the power stays")
    for size in [20.0, 90, 120] { #expect(areNear(shares(size), point), "\(size)") }
    #expect(!areNear(shares(130), point))
  }

  /// Beyond 10°, the bus gets a growing share of an object's power: half of it from 180° on.
  @Test(
    "a size of 95° gives a quarter and 180° half of the power to the diffuse bus",
    arguments: [(0.0, 1.0), (10, 1), (95, 0.75), (180, 0.5), (360, 0.5)])
  func sizeSharesThePowerWithTheBus(size: Double, direct: Double) {
    for extent in [
      ObjectExtent(width: size, height: 0), ObjectExtent(width: 0, height: size),
    ] {
      let sound = SoundMaker(SceneOptions()).sound(of: SceneRun.state(0, gain: 2, extent: extent))
      let diffuse = sound.diffuse.reduce(0) { $0 + $1 * $1 }
      #expect((sound.direct * sound.direct - 4 * direct).magnitude < 1e-6)
      #expect((diffuse - 4 * (1 - direct)).magnitude < 1e-6)
    }
  }
}
