/// A choice Pinna made for the user, with its reason; lands in the report.
public struct Decision: Sendable, Hashable, Codable {
  /// What was chosen, e.g. `track`.
  public let what: String
  /// The choice.
  public let chose: String
  /// The reason.
  public let why: String

  /// A choice with its reason.
  public init(what: String, chose: String, why: String) {
    self.what = what
    self.chose = chose
    self.why = why
  }
}
