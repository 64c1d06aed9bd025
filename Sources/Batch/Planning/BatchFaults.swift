import AudioCore

/// Everything that is wrong with what a batch was asked to do; nothing has been done then.
package struct BatchFaults: Error, Sendable {
  /// The faults, each a sentence of its own.
  package let all: [MediaError]

  /// These faults; at least one.
  package init(_ all: [MediaError]) { self.all = all }

  /// The exit code: that of wrong options, whatever they are about.
  package var exitCode: Int32 { MediaError(.usage, "").exitCode }
}
