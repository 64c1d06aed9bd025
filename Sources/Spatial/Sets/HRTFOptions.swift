/// What can be chosen about a set of head-related responses.
public struct HRTFOptions: Sendable, Hashable, Codable {
  /// Whether each response is averaged with its mirror image, delay included, so that left and
  /// right are equal; sets with mirror images for fewer than half their directions stay as
  /// measured. The built-in set is one half mirrored, so this doesn't change it.
  public var isSymmetrised: Bool

  /// Options; symmetric unless told otherwise: what differs between the sides of a measurement is
  /// mostly how the head stood.
  public init(isSymmetrised: Bool = true) { self.isSymmetrised = isSymmetrised }
}
