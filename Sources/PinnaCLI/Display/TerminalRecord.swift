import Synchronization

/// What a command prints, where it is kept in memory instead: a command then runs inside a process that isn't its own.
///
/// Such a command draws no progress, and leaves the signals of the process alone.
final class TerminalRecord: Sendable {
  /// The record of the current task; `nil` where text goes to the standard streams.
  @TaskLocal static var current: TerminalRecord?

  private let streams = Mutex<(output: [UInt8], errors: String)>(([], ""))

  /// Standard output so far.
  var output: [UInt8] { streams.withLock { $0.output } }
  /// Standard error so far.
  var errors: String { streams.withLock { $0.errors } }

  /// Keeps what belongs to standard output.
  func append(output bytes: [UInt8]) { streams.withLock { $0.output += bytes } }
  /// Keeps what belongs to standard error.
  func append(errors text: String) { streams.withLock { $0.errors += text } }
}
