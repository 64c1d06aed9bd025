/// One audio rendition of a multivariant playlist (RFC 8216, 4.3.4.1).
package struct PlaylistRendition: Sendable, Equatable {
  /// Its group.
  package let group: String
  /// Its name.
  package let name: String
  /// Language tag (RFC 5646).
  package let language: String?
  /// Value of CHANNELS, as written: the number of channels and further parameters.
  package let channels: String?
  /// Whether it is played when the user chooses none.
  package let isDefault: Bool
  /// Whether a player may choose it by the user's settings, such as the language of the system.
  package let isAutoselect: Bool
  /// URI of its media playlist, as written; `nil` when it lies in the variants themselves.
  package let uri: String?
}
