/// A coded remark that lands in the report.
public struct Diagnostic: Sendable, Hashable, Codable {
  /// Stable token, e.g. `timestamp-gap`.
  public let kind: String
  /// One sentence.
  public let message: String

  /// A remark of `kind` with its sentence.
  public init(_ kind: String, _ message: String) {
    self.kind = kind
    self.message = message
  }
}
