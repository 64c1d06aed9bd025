/// Where an audio object is heard from, how loud, how large and by which rules.
public struct ObjectState: Sendable, Hashable, Codable {
  /// Where it is.
  public var position: ObjectPosition
  /// Linear gain, at least 0; 1 leaves the samples as they are.
  public var gain: Double
  /// How large it is.
  public var extent: ObjectExtent
  /// Which part of the power is decorrelated, 0…1.
  public var diffuse: Double
  /// What is special about it.
  public var rules: ObjectRules

  /// A state from its values; a point of full level in front by default.
  public init(
    position: ObjectPosition = .polar(Direction(azimuth: 0), distance: 1), gain: Double = 1,
    extent: ObjectExtent = .point, diffuse: Double = 0, rules: ObjectRules = .none
  ) {
    self.position = position
    self.gain = gain
    self.extent = extent
    self.diffuse = diffuse
    self.rules = rules
  }

  /// The state after `fraction` (0…1) of the way to `target`: position, gain, extent and diffuse part
  /// linearly, the target's rules at once.
  public func moved(to target: ObjectState, by fraction: Double) -> ObjectState {
    ObjectState(
      position: position.moved(to: target.position, by: fraction),
      gain: gain + (target.gain - gain) * fraction,
      extent: extent.moved(to: target.extent, by: fraction),
      diffuse: diffuse + (target.diffuse - diffuse) * fraction, rules: target.rules)
  }
}
