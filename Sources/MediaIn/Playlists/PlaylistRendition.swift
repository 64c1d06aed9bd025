/// One audio rendition of a multivariant playlist (RFC 8216, 4.3.4.1).
package struct PlaylistRendition: Sendable, Equatable {
  /// Its group.
  package let group: String
  /// Its name.
  package let name: String
  /// Language tag (RFC 5646).
  package let language: String?
  /// Number of channels and what else CHANNELS says, as written.
  package let channels: String?
  /// Whether it is the one to play when nobody chooses.
  package let isDefault: Bool
  /// Whether it may be chosen by the user's surroundings.
  package let isAutoselect: Bool
  /// URI of its media playlist, as written; `nil` when it lies in the variants themselves.
  package let uri: String?
}
