import AudioCore

/// Everything that is wrong with what a batch was asked to do; nothing has been done then.
public struct BatchFaults: Error, Sendable {
  /// The faults, each a sentence of its own.
  public let all: [MediaError]

  /// These faults; at least one.
  public init(_ all: [MediaError]) { self.all = all }

  /// The exit code: that of wrong options, whatever they are about.
  public var exitCode: Int32 { MediaError(.usage, "").exitCode }
}
