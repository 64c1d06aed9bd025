import AudioCore

/// All faults in the order of a batch; they are thrown before anything is rendered.
package struct BatchFaults: Error, Sendable {
  /// The faults, each a sentence of its own.
  package let all: [MediaError]

  /// These faults; at least one.
  package init(_ all: [MediaError]) { self.all = all }

  /// The exit code: that of wrong options for all kinds of faults.
  package var exitCode: Int32 { MediaError(.usage, "").exitCode }
}
