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
    let look = { (extent: Double) in
      distances.reduce(0) { $0 + ObjectAngles.apparent(extent, distance: $1) }
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
    let azimuth = direction.azimuth
    let elevation = direction.elevation
    let x = size(roomAxis(azimuth - 90, 0))
    let y = size(roomAxis(azimuth, elevation))
    let z = size(roomAxis(azimuth, elevation + 90))
    let deep = 2 * acos(1 - 2 * y)
    let angle = { (size: Double) in 2 * asin(size) + size * max(0, deep - 2 * asin(size)) }
    let width = angle(x)
    let height = angle(z)
    let covered = max(1 - cos(width / 2), 1 - cos(height / 2)) / 2
    return ObjectExtent(
      width: width * 180 / .pi, height: height * 180 / .pi, depth: max(0, y - covered))
  }

  /// The unit vector in a direction, in the room's axes X right, Y front, Z up.
  private static func roomAxis(_ azimuth: Double, _ elevation: Double) -> SIMD3<Double> {
    let a = azimuth * .pi / 180
    let e = elevation * .pi / 180
    return SIMD3(-sin(a) * cos(e), cos(a) * cos(e), sin(e))
  }

  /// The angle of `extent` degrees at distance 1 as it looks from `distance`.
  private static func apparent(_ extent: Double, distance: Double) -> Double {
    let extent = min(360, max(0, extent))
    let size = 0.2 + 0.8 * extent / 360
    let degrees = { (distance: Double) in 4 * atan2(size, distance) * 180 / .pi }
    let whole = degrees(1)
    let seen = degrees(distance)
    guard seen > whole else { return extent * seen / whole }
    return extent + (360 - extent) * (seen - whole) / (360 - whole)
  }
}
