import AudioCore

/// A source that accounts for what the timeline dropped and filled in it.
package protocol AccountedSource: ProgrammeSource {
  /// What was done so far; final once ``ProgrammeSource/read(into:)`` has returned `false`.
  var summary: TimelineSummary { get }
}
