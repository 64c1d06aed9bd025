/// Properties of a render's outputs.
package struct RenderForm: Sendable {
  /// Extension of the output.
  package var ending: String
  /// Endpoint of the output.
  package var endpoint: String
  /// Whether sound is copied, so that no other output can be made of the same decode.
  package var isCopy: Bool
  /// Whether the options ask for one gain for all.
  package var isAlbum: Bool
  /// The settings of input and run as text; outputs with equal text can share a decode.
  package var decodeKey: String
  /// The files an output of this name may consist of.
  package var files: @Sendable (String) -> [String]

  /// A form.
  package init(
    ending: String, endpoint: String, isCopy: Bool, isAlbum: Bool, decodeKey: String,
    files: @escaping @Sendable (String) -> [String]
  ) {
    self.ending = ending
    self.endpoint = endpoint
    self.isCopy = isCopy
    self.isAlbum = isAlbum
    self.decodeKey = decodeKey
    self.files = files
  }
}
