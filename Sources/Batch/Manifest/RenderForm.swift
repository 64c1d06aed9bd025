/// What outputs of a render are like.
public struct RenderForm: Sendable {
  /// Extension of the output.
  public var ending: String
  /// Endpoint of the output.
  public var endpoint: String
  /// Whether sound is copied, so that no other output can be made of the same decode.
  public var isCopy: Bool
  /// Whether the options ask for one gain for all.
  public var isAlbum: Bool
  /// The files an output of this name may consist of.
  public var files: @Sendable (String) -> [String]

  /// A form.
  public init(
    ending: String, endpoint: String, isCopy: Bool, isAlbum: Bool,
    files: @escaping @Sendable (String) -> [String]
  ) {
    self.ending = ending
    self.endpoint = endpoint
    self.isCopy = isCopy
    self.isAlbum = isAlbum
    self.files = files
  }
}
