/// One audio rendition of a multivariant playlist (RFC 8216, 4.3.4.1).
public struct PlaylistRendition: Sendable, Equatable {
  /// Its group.
  public let group: String
  /// Its name.
  public let name: String
  /// Language tag (RFC 5646).
  public let language: String?
  /// Number of channels and what else CHANNELS says, as written.
  public let channels: String?
  /// Whether it is the one to play when nobody chooses.
  public let isDefault: Bool
  /// Whether it may be chosen by the user's surroundings.
  public let isAutoselect: Bool
  /// URI of its media playlist, as written; `nil` when it lies in the variants themselves.
  public let uri: String?
}
