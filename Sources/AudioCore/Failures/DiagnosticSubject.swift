/// What a diagnostic is about: the whole run, one input or one output.
///
/// In JSON it is `run`, `input:0` or `output:1`, counted from 0 in the order of the request.
public enum DiagnosticSubject: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The run as a whole.
  case run
  /// The input with this number.
  case input(Int)
  /// The output with this number.
  case output(Int)

  /// The text that stands for it in JSON.
  public var description: String {
    switch self {
    case .run: return "run"
    case .input(let index): return "input:\(index)"
    case .output(let index): return "output:\(index)"
    }
  }

  /// The subject that `text` stands for; `nil` for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first, parts.count == 2 ? Int(parts[1]) : nil) {
    case ("run", nil) where parts.count == 1: self = .run
    case ("input", let index?) where index >= 0: self = .input(index)
    case ("output", let index?) where index >= 0: self = .output(index)
    default: return nil
    }
  }

  /// Reads the text of a subject.
  /// - Throws: `DecodingError` for any other text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let subject = DiagnosticSubject(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(text) is no subject")
    }
    self = subject
  }

  /// Writes the text of the subject.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
