/// Digest of an input.
public struct SourceDigest: Sendable, Equatable {
  /// SHA-256 of the file; `nil` for a URL.
  public var file: String?
  /// SHA-256 of everything it is read from; `nil` when some of that lies in the network.
  public var whole: String?

  /// A digest.
  public init(file: String?, whole: String?) {
    self.file = file
    self.whole = whole
  }
}
