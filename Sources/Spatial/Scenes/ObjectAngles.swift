// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Directions, distances and sizes of objects for a listener with headphones.
package struct ObjectAngles: Sendable {
  /// How Cartesian positions become directions.
  package let mapping: CubeMapping

  /// Angles by `mapping`.
  package init(_ mapping: CubeMapping = .eightCorners) { self.mapping = mapping }

  /// The place of an object in `state`. A size grows as the object comes closer than distance 1
  /// (ITU-R BS.2127-0, 7.3.8.2.2); distance changes nothing else.
  func place(of state: ObjectState) -> ObjectPlace {
    let (direction, distance) = direction(of: state.position)
    let extent = angularExtent(of: state, direction)
    let depth = extent.depth / 2
    let distances = depth > 0 ? [max(0, distance + depth), max(0, distance - depth)] : [distance]
    let look = { (extent: Double) -> Double in
      let extent = min(360, max(0, extent))
      return distances.reduce(0) { $0 + ObjectExtents.seen(extent, from: $1) }
        / Double(distances.count)
    }
    return ObjectPlace(
      direction: direction, distance: distance, width: look(extent.width),
      height: look(extent.height))
  }

  /// The direction and the distance of a position. A Cartesian one is held within the room.
  func direction(of position: ObjectPosition) -> (direction: Direction, distance: Double) {
    switch position {
    case .polar(let direction, let distance): return (direction, distance.magnitude)
    case .cartesian(let x, let y, let z):
      let inside = { (value: Double) in min(1, max(-1, value)) }
      return direction(x: inside(x), y: inside(y), z: inside(z))
    }
  }

  /// ITU-R BS.2127-0, section 10, with the corners of ``mapping``.
  private func direction(
    x: Double, y: Double, z: Double
  ) -> (direction: Direction, distance: Double) {
    guard hypot(x, y) > 1e-10 else {
      guard z.magnitude > 1e-10 else { return (Direction(azimuth: 0), 0) }
      return (Direction(azimuth: 0, elevation: z > 0 ? 90 : -90), z.magnitude)
    }
    if mapping == .rays {
      let far = max(x.magnitude, y.magnitude)
      let direction = Direction(
        azimuth: CubeMapping.azimuth(alongX: x, y: y), elevation: atan2(z, far) * 180 / .pi)
      return (direction, max(far, z.magnitude))
    }
    let (azimuth, distance) = mapping.polar(x: x, y: y)
    let steep = atan2(z, distance) * 180 / .pi
    guard steep.magnitude > 45 else {
      return (Direction(azimuth: azimuth, elevation: steep / 1.5), distance)
    }
    let rise = 30 + 60 * (steep.magnitude - 45) / 45
    return (Direction(azimuth: azimuth, elevation: steep > 0 ? rise : -rise), z.magnitude)
  }

  /// Width and height in degrees and depth as a distance, whatever the position's kind.
  func angularExtent(of state: ObjectState, _ direction: Direction) -> ObjectExtent {
    guard case .cartesian = state.position, state.extent != .point else { return state.extent }
    return ObjectAngles.angularExtent(state.extent, at: direction)
  }

  /// Sizes along the room's axes seen from the listener (ITU-R BS.2127-0, section 10).
  private static func angularExtent(
    _ extent: ObjectExtent, at direction: Direction
  ) -> ObjectExtent {
    // Width lies along X, depth along Y, height along Z.
    let sizes = SIMD3(extent.width, extent.depth, extent.height)
    let size = { (axis: SIMD3<Double>) -> Double in
      let part = axis * sizes
      return min(1, UnitVector.dot(part, part).squareRoot())
    }
    let (azimuth, elevation) = (direction.azimuth, direction.elevation)
    let x = size(RoomGeometry.point(azimuth: azimuth - 90, elevation: 0))
    let y = size(RoomGeometry.point(azimuth: azimuth, elevation: elevation))
    let z = size(RoomGeometry.point(azimuth: azimuth, elevation: elevation + 90))
    let deep = 2 * acos(1 - 2 * y)
    let angle = { (size: Double) in 2 * asin(size) + size * max(0, deep - 2 * asin(size)) }
    let width = angle(x)
    let height = angle(z)
    let covered = max(1 - cos(width / 2), 1 - cos(height / 2)) / 2
    return ObjectExtent(
      width: width * 180 / .pi, height: height * 180 / .pi, depth: max(0, y - covered))
  }
}

/// The direction that an object is heard from, and how large it looks.
struct ObjectPlace: Equatable {
  /// The direction of its middle.
  var direction: Direction
  /// Its distance, at least 0; 1 is that of the loudspeakers.
  var distance: Double
  /// Angle from its left to its right end as it looks from its distance, in degrees, 0…360.
  var width: Double
  /// Angle from its lower to its upper end as it looks from its distance, in degrees, 0…360.
  var height: Double

  /// The direction as a point of the unit sphere (x ahead, y left, z up).
  var vector: SIMD3<Double> { UnitVector.of(direction) }
}

/// How points of a room with walls at ±1 become directions.
///
/// Both mappings turn the angle between two corners of the wall by the law of ITU-R BS.2127-0,
/// section 10, and treat heights alike: a point at Z = 1 above a wall is heard at 30° elevation.
public enum CubeMapping: String, Sendable, Hashable, Codable, CaseIterable {
  /// Corners at 0°, ±30°, ±90°, ±135° and 180°: the middle of a side wall is heard at ±90° and the
  /// rear corners at ±135°, where a 7.1.4 layout has its loudspeakers.
  case eightCorners = "room"
  /// Corners at 0°, ±30° and ±110°, those of ITU-R BS.2127-0: the middle of a side wall is heard at
  /// ±70°.
  case fiveCorners = "2127"
  /// Corners as in ``eightCorners``, but an azimuth lies between two corners as the ray from the listener does, and an
  /// elevation is the ray's own: the top of a side wall is heard at 45° and not at 30°.
  case rays

  /// A corner: its azimuth in degrees, and X and Y in the room.
  typealias Corner = (azimuth: Double, x: Double, y: Double)

  /// Corners with ascending azimuths; the first one follows again, 360° further on.
  var corners: [Corner] {
    switch self {
    case .eightCorners, .rays:
      return [
        (0, 0, 1), (30, -1, 1), (90, -1, 0), (135, -1, -1), (180, 0, -1), (225, 1, -1),
        (270, 1, 0), (330, 1, 1), (360, 0, 1),
      ]
    case .fiveCorners:
      return [(0, 0, 1), (30, -1, 1), (110, -1, -1), (250, 1, -1), (330, 1, 1), (360, 0, 1)]
    }
  }

  /// The azimuth of (x, y), −180 < a ≤ 180, and its distance, which is 1 on the walls.
  func polar(x: Double, y: Double) -> (azimuth: Double, distance: Double) {
    let corners = corners
    for (right, left) in zip(corners, corners.dropFirst()) {
      let area = left.x * right.y - left.y * right.x
      let leftShare = (x * right.y - y * right.x) / area
      let rightShare = (left.x * y - left.y * x) / area
      guard leftShare >= -1e-12, rightShare >= -1e-12 else { continue }
      let distance = leftShare + rightShare
      guard distance > 0 else { break }
      let azimuth = CubeMapping.azimuth(
        share: leftShare / distance, from: right.azimuth, to: left.azimuth)
      return (azimuth > 180 ? azimuth - 360 : azimuth, distance)
    }
    return (0, 0)
  }

  /// The azimuth of the ray through (x, y), between those of the corners as the ray lies between theirs.
  static func azimuth(alongX x: Double, y: Double) -> Double {
    let ray = atan2(x, y) * 180 / .pi
    let turn = ray.magnitude
    // Corners lie at 45°, 90° and 135° in the room; those in front are heard at 30°.
    let heard = turn < 45 ? turn * 30 / 45 : turn < 90 ? 30 + (turn - 45) * 60 / 45 : turn
    return ray > 0 && heard < 180 ? -heard : heard
  }

  /// The azimuth `share` (0…1) of the way along the wall between two corners.
  private static func azimuth(share: Double, from right: Double, to left: Double) -> Double {
    let angle = share * .pi / 2
    let gain = sin(angle) / (cos(angle) + sin(angle))
    let half = (left - right) / 2 * .pi / 180
    return (left + right) / 2 + atan((2 * gain - 1) * tan(half)) * 180 / .pi
  }
}
