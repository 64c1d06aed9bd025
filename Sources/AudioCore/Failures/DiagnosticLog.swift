import Synchronization

/// Collects degradations and decisions while a job runs; equal ones are kept once. Any thread may write.
///
/// A log writes about one subject. ``about(_:)`` gives a log that writes about another one into the
/// same list, so that steps needn't know which input or output they work on.
package final class DiagnosticLog: Sendable {
  /// What all logs of one run share.
  private final class Entries: Sendable {
    let degradations = Mutex<[Diagnostic]>([])
    let decisions = Mutex<[Decision]>([])
  }

  private let entries: Entries
  /// What is written about.
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
