import AudioCore

/// Where the items of a queue lie, found without rendering it (`pinna.queue-report/1`).
package struct QueueSurveyReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.queue-report/1"

  /// Always `pinna.queue-report/1`.
  package var schema = QueueSurveyReport.schemaName
  /// The queue's file as given.
  package var path: String
  /// The tracks that the items are taken from.
  package var inputs: [RenderReport.Input]
  /// The items, the programme's rate and length, and its chapters.
  package var queue: QueueReport
  /// Doubts about what was found.
  package var degradations: [Diagnostic]
  /// What was assumed or left out.
  package var decisions: [Decision]

  /// What was found in the queue at `path`.
  package init(
    path: String, inputs: [RenderReport.Input], queue: QueueReport, degradations: [Diagnostic],
    decisions: [Decision]
  ) {
    self.path = path
    self.inputs = inputs
    self.queue = queue
    self.degradations = degradations
    self.decisions = decisions
  }
}
