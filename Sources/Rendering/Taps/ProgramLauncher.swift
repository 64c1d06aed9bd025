import AudioCore
import Platform

/// Starts programs of the user's that sound is sent through.
package struct ProgramLauncher: Sendable {
  /// This program's own command that gives up rights before it becomes another program; `nil` starts programs with
  /// all rights of this one.
  let confining: [String]?
  /// Seconds that a program may take and give nothing.
  package var patience = 10.0

  /// Exit code of a program that couldn't be confined or found.
  package static let failure: Int32 = 125

  /// Starts programs by `confining`, the words of a command of this program that calls ``serve(_:seconds:scratch:)``.
  package init(confining: [String]? = nil) { self.confining = confining }

  /// What the started process does: gives up what isn't needed, and becomes the program that `words` name.
  /// - Returns: its exit code, where it failed.
  package static func serve(_ words: [String], seconds: UInt64, scratch: String) -> Int32 {
    guard let path = words.first else { return failure }
    let code = Confinement.become(
      path, Array(words.dropFirst()), seconds: seconds, scratch: scratch)
    let reason = String(cString: strerror(code))
    _ = Descriptor.writeAll(Array("\(path) can't be started: \(reason)\n".utf8), to: STDERR_FILENO)
    return failure
  }

  /// Starts the program at `path`, which may use `seconds` of the processor and write in the folder `scratch`.
  func start(
    _ path: String, _ arguments: [String], environment: [String], seconds: Int, scratch: String
  ) throws -> PipedProgram {
    let own = environment + ["HOME=\(scratch)", "TMPDIR=\(scratch)"]
    guard let confining else {
      return try PipedProgram(path, arguments, environment: own)
    }
    let words = confining + ["--seconds", "\(seconds)", "--scratch", scratch, "--", path]
    return try PipedProgram(OwnProgram.path, words + arguments, environment: own)
  }
}
