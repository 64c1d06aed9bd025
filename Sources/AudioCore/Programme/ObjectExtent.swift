/// How large an object is.
///
/// With a polar position, width and height are angles in degrees, 0…360, and depth is a distance, at least
/// 0. With a Cartesian position, all three are shares of the room, 0…1.
public struct ObjectExtent: Sendable, Hashable, Codable {
  /// From left to right.
  public var width: Double
  /// From bottom to top.
  public var height: Double
  /// From front to back.
  public var depth: Double

  /// A point.
  public static let point = ObjectExtent()

  /// An extent; a point by default.
  public init(width: Double = 0, height: Double = 0, depth: Double = 0) {
    self.width = width
    self.height = height
    self.depth = depth
  }

  /// The extent after `fraction` (0…1) of the way to `target`, each value linearly.
  package func moved(to target: ObjectExtent, by fraction: Double) -> ObjectExtent {
    let mix = { (from: Double, to: Double) in from + (to - from) * fraction }
    return ObjectExtent(
      width: mix(width, target.width), height: mix(height, target.height),
      depth: mix(depth, target.depth))
  }
}
