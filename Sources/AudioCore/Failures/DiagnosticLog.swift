/// Collects degradations and decisions while a job runs; equal ones are kept once.
public final class DiagnosticLog {
  /// Changes to the audio or doubts about it, in order of appearance.
  public private(set) var degradations: [Diagnostic] = []
  /// Choices made for the user, in order.
  public private(set) var decisions: [Decision] = []

  /// An empty log.
  public init() {}

  /// Records a degradation once.
  public func degrade(_ kind: String, _ message: String) {
    let entry = Diagnostic(kind, message)
    if !degradations.contains(entry) { degradations.append(entry) }
  }

  /// Takes back all degradations of a kind, because what they tell was undone.
  public func withdraw(_ kind: String) { degradations.removeAll { $0.kind == kind } }

  /// Records a decision once.
  public func decide(_ what: String, _ chose: String, why: String) {
    let entry = Decision(what: what, chose: chose, why: why)
    if !decisions.contains(entry) { decisions.append(entry) }
  }
}
