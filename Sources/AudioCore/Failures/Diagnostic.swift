/// A degradation: a change to the sound that nobody asked for, or a doubt about it.
public struct Diagnostic: Sendable, Hashable, Codable {
  /// Stable token.
  public let code: DegradationCode
  /// The kind of thing that it is; follows from ``code``.
  public var `class`: DegradationClass { code.degradationClass }
  /// One sentence about this case.
  public let message: String
  /// What it is about.
  public let subject: DiagnosticSubject

  /// A degradation with its sentence.
  public init(_ code: DegradationCode, _ message: String, subject: DiagnosticSubject = .run) {
    self.code = code
    self.message = message
    self.subject = subject
  }

  /// Reads a degradation; reports of version 1 call the code `kind` and have no subject.
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    code =
      try values.decodeIfPresent(DegradationCode.self, forKey: .code)
      ?? values.decode(DegradationCode.self, forKey: .kind)
    // Reports before it was written lack it, and the code says the same.
    _ = try values.decodeIfPresent(DegradationClass.self, forKey: .class)
    message = try values.decode(String.self, forKey: .message)
    subject = try values.decodeIfPresent(DiagnosticSubject.self, forKey: .subject) ?? .run
  }

  /// Writes code, class, message and subject.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(code, forKey: .code)
    try values.encode(self.class, forKey: .class)
    try values.encode(message, forKey: .message)
    try values.encode(subject, forKey: .subject)
  }

  private enum Key: String, CodingKey {
    case code, kind, `class`, message, subject
  }
}
