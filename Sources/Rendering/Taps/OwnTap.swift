import AudioCore

/// Code of the caller's own, known by its name.
///
/// Two are equal when their names are. JSON holds the name only: what is read back can be compared and listed, but
/// making a tap of it fails.
public struct OwnTap: Sendable, Hashable, Codable {
  /// How a tap is made.
  public enum Make: Sendable {
    /// It changes the sound.
    case processes(@Sendable (TapContext) throws -> any AudioTap)
    /// It looks at the sound.
    case observes(@Sendable (TapContext) throws -> any AudioObserver)
  }

  /// What reports and caches know it by.
  public let identity: String
  /// How it is made; `nil` after reading JSON.
  public let make: Make?

  /// A tap called `identity`.
  public init(_ identity: String, _ make: Make) {
    self.identity = identity
    self.make = make
  }

  /// Reads the name.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    identity = try decoder.singleValueContainer().decode(String.self)
    make = nil
  }

  /// Writes the name.
  /// - Throws: `EncodingError`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identity)
  }

  /// Whether both have the same name.
  public static func == (one: OwnTap, other: OwnTap) -> Bool { one.identity == other.identity }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
