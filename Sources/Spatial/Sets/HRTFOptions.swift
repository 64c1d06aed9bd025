/// What can be chosen about a set of head-related responses.
public struct HRTFOptions: Sendable, Hashable, Codable {
  /// Whether each response is averaged with its mirror image, delay included, so that left and
  /// right are equal. Sets in which fewer than half of the directions have a mirror image stay as
  /// measured. The built-in set is one half mirrored, so this doesn't change it.
  public var isSymmetrised: Bool

  /// Options; symmetric by default, because differences between the sides of a measurement mostly
  /// come from how the head stood.
  public init(isSymmetrised: Bool = true) { self.isSymmetrised = isSymmetrised }
}
