/// Collects findings; cases of one kind are counted, and the first one keeps its sentence.
package final class FindingLog {
  private struct Key: Hashable {
    let code: ADMFinding.Code
    let kind: String
  }

  /// Kinds that are told apart at most. Names of unknown elements come from the file.
  private static let limit = 1000

  private var places: [Key: Int] = [:]
  /// What was found, in order of first appearance.
  package private(set) var findings: [ADMFinding] = []

  /// An empty log.
  package init() {}

  /// Counts one case of `code`; `kind` tells cases apart that deserve sentences of their own. The
  /// sentence is only made for the first case.
  func note(_ code: ADMFinding.Code, kind: String = "", _ message: @autoclosure () -> String) {
    let key = Key(code: code, kind: kind)
    if let place = places[key] {
      findings[place].count += 1
    } else if findings.count < FindingLog.limit {
      places[key] = findings.count
      findings.append(ADMFinding(code: code, message: message(), count: 1))
    }
  }
}
