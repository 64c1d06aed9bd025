// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// The heads with which a room was measured, by how far they are turned to the side.
package struct RoomViews: Sendable, Equatable {
  /// Most degrees from where a head points to the view by which it hears.
  static let reach = 5.0
  /// Degrees by which distances may be longer, because files hold rounded directions.
  private static let tolerance = 0.01
  /// Degrees that are added to both ends of a turn, because its angles are rounded.
  private static let rounding = 1e-6

  /// Degrees by which the heads are turned from the one that looks ahead, ascending, positive to the left, −180 < yaw ≤ 180; at least
  /// one.
  package let yaws: [Double]

  /// The heads at the indices `views`, which ascend, without the others.
  package func only(_ views: [Int]) -> RoomViews { RoomViews(yaws: views.map { yaws[$0] }) }

  /// The view that looks ahead.
  package var ahead: Int { nearest(to: 0).view }

  /// `angle` in degrees as −180 < angle ≤ 180.
  static func wrapped(_ angle: Double) -> Double {
    let rest = angle.remainder(dividingBy: 360)
    return rest == -180 ? 180 : rest
  }

  /// The view that is nearest to a head at `yaw` degrees, the one further to the right of two, and its distance in degrees.
  package func nearest(to yaw: Double) -> (view: Int, distance: Double) {
    let yaw = RoomViews.wrapped(yaw)
    // The first view that isn't further to the right.
    var (low, high) = (0, yaws.count)
    while low < high {
      let middle = (low + high) / 2
      if yaws[middle] < yaw { low = middle + 1 } else { high = middle }
    }
    let count = yaws.count
    let (right, left) = ((low + count - 1) % count, low % count)
    let distances = [right, left].map {
      (yaw - yaws[$0]).remainder(dividingBy: 360).magnitude
    }
    return distances[0] <= distances[1] ? (right, distances[0]) : (left, distances[1])
  }

  /// The view that is nearest to a head in `state`, which is turned to the side.
  func nearest(to state: HeadState) -> Int {
    switch state {
    case .resting(let pose): return nearest(to: pose.yaw).view
    case .moving(let rotation): return nearest(to: RoomViews.yaw(of: rotation)).view
    }
  }

  /// The view by which a head in `pose` hears the room called `name`, and its distance in degrees.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a head that isn't turned to the side alone, or that no view is near to.
  package func view(for pose: HeadPose, in name: String) throws -> (view: Int, distance: Double) {
    try pose.check()
    try check(pose, in: name)
    let found = nearest(to: pose.yaw)
    guard RoomViews.isNear(found.distance) else { throw refusal(of: pose.yaw, in: name) }
    return found
  }

  /// All views that a head may come by along `trajectory` in the room called `name`, ascending.
  /// - Throws: ``MediaError`` of kind `unsupportedFeature` for a head that isn't turned to the side alone, or that no view is near to.
  package func views(along trajectory: HeadTrajectory, in name: String) throws -> [Int] {
    var visited = [Bool](repeating: false, count: yaws.count)
    var last: HeadPose?
    for point in trajectory.points {
      try check(point.pose, in: name)
      let start = last ?? point.pose
      try visit(from: start.yaw, RoomViews.turn(start, point.pose), &visited, in: name)
      last = point.pose
    }
    return visited.indices.filter { visited[$0] }
  }

  /// Marks the views that are nearest to a head that starts at `start` and turns by `turn` degrees, −180…180.
  private func visit(
    from start: Double, _ turn: Double, _ visited: inout [Bool], in name: String
  ) throws {
    let step = turn < 0 ? -1 : 1
    let margin = Double(step) * RoomViews.rounding
    let (first, last) = (nearest(to: start - margin), nearest(to: start + turn + margin))
    for yaw in [start, start + turn] where !RoomViews.isNear(nearest(to: yaw).distance) {
      throw refusal(of: yaw, in: name)
    }
    var view = first.view
    visited[view] = true
    for _ in yaws.indices where view != last.view {
      let next = (view + step + yaws.count) % yaws.count
      let gap = Double(step) * (yaws[next] - yaws[view])
      let half = (gap < 0 ? gap + 360 : gap) / 2
      guard RoomViews.isNear(half) else {
        throw refusal(of: yaws[view] + Double(step) * half, in: name)
      }
      view = next
      visited[view] = true
    }
  }

  /// Degrees by which a head turns from one pose to another by the shorter way round, −180…180, positive to the left.
  private static func turn(_ one: HeadPose, _ other: HeadPose) -> Double {
    let turn = (other.yaw - one.yaw).remainder(dividingBy: 360)
    guard turn.magnitude >= 180 - rounding else { return turn }
    // A turn of half a circle has a direction by rounding only.
    let middle = HeadRotation(one).interpolated(to: HeadRotation(other), part: 0.5)
    return (yaw(of: middle) - one.yaw).remainder(dividingBy: 360) < 0
      ? -turn.magnitude : turn.magnitude
  }

  private static func yaw(of rotation: HeadRotation) -> Double {
    let seen = rotation.place(of: SIMD3(1, 0, 0))
    return atan2(-seen.y, seen.x) * 180 / .pi
  }

  private static func isNear(_ distance: Double) -> Bool { distance <= reach + tolerance }

  private func check(_ pose: HeadPose, in name: String) throws {
    guard pose.pitch == 0, pose.roll == 0 else {
      throw MediaError(
        .unsupportedFeature, about: name,
        "is a measured room, in which the head turns to the side only; leave out \(setting: .pitch) and \(setting: .roll), and give 0 "
          + "for both in \(setting: .trajectory)")
    }
  }

  private func refusal(of yaw: Double, in name: String) -> MediaError {
    let wanted = HRTFInspection.text(RoomViews.wrapped(yaw))
    return MediaError(
      .unsupportedFeature, about: name,
      "\(text), and yaw \(wanted)° is more than \(Int(RoomViews.reach))° from "
        + (yaws.count == 1 ? "it" : "all of them")
        + "; turn the head to where the room was measured, or leave out \(setting: .yaw) and \(setting: .trajectory)"
    )
  }

  /// The measured heads, in words.
  private var text: String {
    let names = yaws.map { HRTFInspection.text($0) + "°" }
    guard yaws.count > 1 else { return "was measured with one head only, which looks ahead" }
    guard yaws.count > 4 else {
      return "was measured with heads at yaw " + names.dropLast().joined(separator: ", ")
        + " and \(names[names.count - 1])"
    }
    let gaps = zip(yaws, yaws.dropFirst()).map { $1 - $0 }
    let widest = gaps.max() ?? 0
    let behind = 360 - (yaws[yaws.count - 1] - yaws[0])
    let range = behind <= widest ? "all round" : "from yaw \(names[0]) to \(names[names.count - 1])"
    return
      "was measured with \(yaws.count) heads \(range), at most \(HRTFInspection.text(widest))° apart"
  }
}
