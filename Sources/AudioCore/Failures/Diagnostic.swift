// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A degradation: a change to the sound that nobody asked for, or a doubt about it.
public struct Diagnostic: Sendable, Hashable, Codable {
  /// Stable token.
  public let code: DegradationCode
  /// The kind of thing that it is; follows from ``code``.
  public var `class`: DegradationClass { code.degradationClass }
  /// One sentence about this case.
  public let message: String
  /// Subject of the diagnostic.
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

/// The subject of a diagnostic: the whole run, one input or one output.
///
/// In JSON a subject is `run`, `input:0` or `output:1`, counted from 0 in the order of the request.
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

/// Collects degradations and decisions while a job runs; equal ones are kept once. Any thread may write.
///
/// A log writes about one subject. ``about(_:)`` gives a log that writes about another one into the
/// same list, so that steps needn't know which input or output they work on.
package final class DiagnosticLog: Sendable {
  /// The entries that all logs of one run share.
  private final class Entries: Sendable {
    let degradations = Mutex<[Diagnostic]>([])
    let decisions = Mutex<[Decision]>([])
  }

  private let entries: Entries
  /// Subject that is written about.
  package let subject: DiagnosticSubject

  /// An empty log about the run.
  package convenience init() { self.init(Entries(), .run) }

  private init(_ entries: Entries, _ subject: DiagnosticSubject) {
    self.entries = entries
    self.subject = subject
  }

  /// A log about `subject` that writes into the same list.
  package func about(_ subject: DiagnosticSubject) -> DiagnosticLog {
    DiagnosticLog(entries, subject)
  }

  /// Degradations about all subjects, in order of appearance.
  package var degradations: [Diagnostic] { entries.degradations.withLock { $0 } }

  /// Choices about all subjects, in order of appearance.
  package var decisions: [Decision] { entries.decisions.withLock { $0 } }

  /// Whether a degradation with this code is listed about this log's subject.
  package func holds(_ code: DegradationCode) -> Bool {
    degradations.contains { $0.code == code && $0.subject == subject }
  }

  /// Records a degradation once.
  package func degrade(_ code: DegradationCode, _ message: String) {
    let entry = Diagnostic(code, message, subject: subject)
    entries.degradations.withLock { if !$0.contains(entry) { $0.append(entry) } }
  }

  /// Takes back all degradations with this code about this log's subject, because what they report was
  /// undone.
  package func withdraw(_ code: DegradationCode) {
    entries.degradations.withLock { $0.removeAll { $0.code == code && $0.subject == subject } }
  }

  /// Records a decision once.
  package func decide(_ code: DecisionCode, _ chose: String, why: String) {
    let entry = Decision(code, chose: chose, why: why, subject: subject)
    entries.decisions.withLock { if !$0.contains(entry) { $0.append(entry) } }
  }
}
