/// Digest of an input.
package struct SourceDigest: Sendable, Equatable {
  /// SHA-256 of the file; `nil` for a URL.
  package var file: String?
  /// SHA-256 of everything it is read from; `nil` when part of that has no fixed content, such as a
  /// URL.
  package var whole: String?

  /// A digest.
  package init(file: String?, whole: String?) {
    self.file = file
    self.whole = whole
  }
}
