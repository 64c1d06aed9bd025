/// Where an audio object is heard from, how loud and how wide.
public struct ObjectState: Sendable, Hashable, Codable {
  /// Direction seen from the listener.
  public var direction: Direction
  /// Distance from the listener, at least 0; 1 is the distance of the loudspeakers.
  public var distance: Double
  /// Linear gain, at least 0; 1 leaves the samples as they are.
  public var gain: Double
  /// Angle over which the sound is spread, in degrees, 0…360; 0 is a point.
  public var spread: Double

  /// A state from its values.
  public init(
    direction: Direction = Direction(azimuth: 0), distance: Double = 1, gain: Double = 1,
    spread: Double = 0
  ) {
    self.direction = direction
    self.distance = distance
    self.gain = gain
    self.spread = spread
  }

  /// The state after `fraction` (0…1) of the way to `target`.
  ///
  /// Every value is interpolated linearly. The azimuth turns the shorter way round; between azimuths that
  /// lie exactly 180° apart it turns left when the target's is the greater number, else right.
  public func moved(to target: ObjectState, by fraction: Double) -> ObjectState {
    var turn = target.direction.azimuth - direction.azimuth
    if turn > 180 { turn -= 360 }
    if turn < -180 { turn += 360 }
    var azimuth = direction.azimuth + turn * fraction
    if azimuth > 180 { azimuth -= 360 }
    if azimuth < -180 { azimuth += 360 }
    let mix = { (from: Double, to: Double) in from + (to - from) * fraction }
    return ObjectState(
      direction: Direction(
        azimuth: azimuth, elevation: mix(direction.elevation, target.direction.elevation)),
      distance: mix(distance, target.distance), gain: mix(gain, target.gain),
      spread: mix(spread, target.spread))
  }
}
