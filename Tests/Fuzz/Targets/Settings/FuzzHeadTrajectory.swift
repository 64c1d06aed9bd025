// SPDX-License-Identifier: Apache-2.0
@testable import Spatial

/// The bytes are a log of head poses: CSV, lines of OSC or a recording of it. Wherever it is asked, the head has a pose.
func fuzzHeadTrajectory(_ bytes: [UInt8]) {
  guard let trajectory = try? HeadTrajectory(log: bytes) else { return }
  demand(!trajectory.points.isEmpty, "a trajectory has a point")
  demand(
    zip(trajectory.points, trajectory.points.dropFirst()).allSatisfy { $0.time < $1.time },
    "times ascend")
  for sample in [0, 1, 47_999, 48_000, 1 << 30, 1 << 45] {
    _ = trajectory.state(at: sample, rate: 48_000)
  }
}
