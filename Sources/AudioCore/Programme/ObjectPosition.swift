/// Where an object is. The two kinds of coordinates are rendered by rules of their own (ITU-R BS.2127), so
/// one isn't turned into the other before the renderer.
public enum ObjectPosition: Sendable, Hashable, Codable {
  /// A direction, and a distance of at least 0, of which 1 is that of the loudspeakers.
  case polar(Direction, distance: Double)
  /// A point of a room whose walls lie at ±1: X to the right, Y to the front, Z up.
  case cartesian(x: Double, y: Double, z: Double)

  /// Azimuth, elevation and distance, or X, Y and Z.
  public var coordinates: [Double] {
    switch self {
    case .polar(let direction, let distance):
      return [direction.azimuth, direction.elevation, distance]
    case .cartesian(let x, let y, let z): return [x, y, z]
    }
  }

  /// The position after `fraction` (0…1) of the way to `target`.
  ///
  /// Every coordinate is interpolated linearly. The azimuth turns the shorter way round; between azimuths
  /// that lie exactly 180° apart it turns left when the target's is the greater number, else right. Between
  /// coordinates of different kinds there is no way: the target is reached at once.
  package func moved(to target: ObjectPosition, by fraction: Double) -> ObjectPosition {
    let mix = { (from: Double, to: Double) in from + (to - from) * fraction }
    switch (self, target) {
    case (.polar(let from, let near), .polar(let to, let far)):
      var turn = to.azimuth - from.azimuth
      if turn > 180 { turn -= 360 }
      if turn < -180 { turn += 360 }
      var azimuth = from.azimuth + turn * fraction
      if azimuth > 180 { azimuth -= 360 }
      if azimuth < -180 { azimuth += 360 }
      return .polar(
        Direction(azimuth: azimuth, elevation: mix(from.elevation, to.elevation)),
        distance: mix(near, far))
    case (.cartesian(let x, let y, let z), .cartesian(let toX, let toY, let toZ)):
      return .cartesian(x: mix(x, toX), y: mix(y, toY), z: mix(z, toZ))
    default: return target
    }
  }
}
