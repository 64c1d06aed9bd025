// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Testing

@testable import Spatial

@Suite struct SceneRotationTests {
  private let poses = [
    HeadPose(), HeadPose(yaw: 33), HeadPose(pitch: -50), HeadPose(roll: 120),
    HeadPose(yaw: -147, pitch: 23, roll: 71), HeadPose(yaw: 90, pitch: 90, roll: -360),
  ]

  private func apply(_ rotation: SceneRotation, _ values: [Double]) -> [Double] {
    values.indices.map { row in
      values.indices.reduce(0) { $0 + rotation.coefficient(row: row, column: $1) * values[$1] }
    }
  }

  @Test(
    "rotating an encoded wave equals encoding it at the turned place within 1e-9",
    arguments: [0, 1, 3, 7])
  func turningAWaveEqualsEncodingItElsewhere(order: Int) {
    let maker = SceneRotationMaker(order: order)
    for kind in [SceneNormalization.sn3d, .n3d] {
      let harmonics = SphericalHarmonics(order: order, normalization: kind)
      for pose in poses {
        let rotation = maker.rotation(HeadRotation(pose))
        for place in UnitVector.lattice(30) {
          let turned = apply(rotation, harmonics.values(at: place))
          let heard = HeadRotation(pose).place(of: place)
          for (one, other) in zip(turned, harmonics.values(at: heard)) {
            #expect((one - other).magnitude <= 1e-9, "\(pose)")
          }
        }
      }
    }
  }

  @Test("rotations of a sound field are orthogonal matrices") func isOrthogonal() {
    let maker = SceneRotationMaker(order: 7)
    for pose in poses {
      let rotation = maker.rotation(HeadRotation(pose))
      for one in 0..<64 {
        for other in 0..<64 {
          let product = (0..<64).reduce(0) {
            $0 + rotation.coefficient(row: one, column: $1)
              * rotation.coefficient(row: other, column: $1)
          }
          #expect((product - (one == other ? 1 : 0)).magnitude < 1e-9)
        }
      }
    }
  }

  /// With the head turned left by 90°, what was ahead is heard at the right ear.
  @Test("with the head turned left, sound ahead moves to the right ear") func turnsTheRightWay() {
    let rotation = SceneRotationMaker(order: 1).rotation(HeadRotation(HeadPose(yaw: 90)))
    let heard = apply(rotation, [1, 0, 0, 1])
    for (one, other) in zip(heard, [1.0, -1, 0, 0]) { #expect((one - other).magnitude < 1e-12) }
  }
}
