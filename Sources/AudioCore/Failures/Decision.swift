/// A choice that was made for the user, with its reason.
public struct Decision: Sendable, Hashable, Codable {
  /// Stable token of what was chosen, e.g. `track`.
  public let code: DecisionCode
  /// The choice.
  public let chose: String
  /// The reason.
  public let why: String
  /// What it is about.
  public let subject: DiagnosticSubject

  /// A choice with its reason.
  public init(
    _ code: DecisionCode, chose: String, why: String, subject: DiagnosticSubject = .run
  ) {
    self.code = code
    self.chose = chose
    self.why = why
    self.subject = subject
  }

  /// Reads a choice; reports of version 1 call the code `what` and have no subject.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    code =
      try values.decodeIfPresent(DecisionCode.self, forKey: .code)
      ?? values.decode(DecisionCode.self, forKey: .what)
    chose = try values.decode(String.self, forKey: .chose)
    why = try values.decode(String.self, forKey: .why)
    subject = try values.decodeIfPresent(DiagnosticSubject.self, forKey: .subject) ?? .run
  }

  /// Writes code, choice, reason and subject.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(chose, forKey: .chose)
    try values.encode(why, forKey: .why)
    try values.encode(subject, forKey: .subject)
  }

  private enum Key: String, CodingKey {
    case code, what, chose, why, subject
  }
}
