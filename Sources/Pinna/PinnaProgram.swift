// SPDX-License-Identifier: Apache-2.0
import Essentials
import Platform
import Rendering
import Report
import Synchronization

/// The `pinna` program as a process of its own: batches, goldens and listening pages, whose jobs are written in the
/// program's options. Single files need no such process; ``RenderPipeline`` renders them.
///
/// The process has this one's working folder. When the calling task is cancelled it gets SIGTERM, and leaves no
/// unfinished file.
public struct PinnaProgram: Sendable {
  /// Its path, or a name that is looked for in PATH.
  public var path: String
  /// Variables that it gets besides those of this process, such as `PINNA_CACHE`.
  public var environment: [String: String] = [:]

  /// The program at `path`.
  public init(path: String = "pinna") { self.path = path }

  /// A run that ended with another exit code than the report that was wanted allows.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The exit code (docs/reference/exit-codes.md); that of a shell, 128 and the signal's number, after a signal.
    public let exitCode: Int32
    /// The text that it wrote to standard error.
    public let message: String

    /// The sentence of the failure.
    public var description: String { message }
  }

  /// Renders many files in worker processes, as `pinna batch` does.
  /// - Parameter arguments: those that follow `pinna batch`, such as `["films", "-O", "out", "--preset", "podcast"]`.
  /// - Returns: the report, also of a batch with items that failed.
  /// - Throws: ``Failure`` when nothing was begun; `CancellationError`.
  public func batch(_ arguments: [String]) async throws -> BatchReport {
    let allowed: Set = [0, BatchReport.failed, BatchReport.passing]
    return try await report(["batch", "--json", "-q"] + arguments, allowed)
  }

  /// Verifies goldens, as `pinna golden verify` does.
  /// - Parameter arguments: names of goldens, and options such as `--cases FOLDER`.
  /// - Returns: the report, also where goldens failed.
  /// - Throws: ``Failure`` when no golden was run; `CancellationError`.
  public func verifyGoldens(_ arguments: [String] = []) async throws -> GoldenReport {
    let allowed: Set = [0, MediaError(.verificationFailed, "").exitCode]
    return try await report(["golden", "verify", "--json", "-q"] + arguments, allowed)
  }

  /// Records goldens that have no expected values yet, as `pinna golden record` does. Look at what it wrote beside each case
  /// before ``verifyGoldens(_:)`` may pass on it.
  /// - Parameter arguments: names of goldens; or one name with `--input`, `--why`, `--oracle` and, after `--`, the arguments
  ///   of a new case.
  /// - Returns: a line for each golden: `recorded` and its name, or the sentence that says why it wasn't.
  /// - Throws: ``Failure`` for options that are wrong; `CancellationError`.
  public func recordGoldens(_ arguments: [String] = []) async throws -> [String] {
    let (code, run) = try await run(["golden", "record"] + arguments)
    let message = try run.text("stderr")
    // Recording fails the run that it happens in, so that no CI passes on what nobody looked at.
    guard [0, MediaError(.verificationFailed, "").exitCode].contains(code) else {
      throw Failure(exitCode: code, message: message)
    }
    return message.split(separator: "\n").map(String.init)
  }

  /// Makes a page to listen by, as `pinna audition` does.
  /// - Parameter arguments: those that follow `pinna audition`, such as `["film.mkv", "-o", "page.html"]`.
  /// - Returns: the page's content.
  /// - Throws: ``Failure`` when there is no page; `CancellationError`.
  public func audition(_ arguments: [String]) async throws -> AuditionReport {
    try await report(["audition", "--json", "-q"] + arguments, [0])
  }

  private func report<Report: Decodable>(
    _ arguments: [String], _ allowed: Set<Int32>
  ) async throws -> Report {
    let (code, run) = try await run(arguments)
    guard allowed.contains(code), let report = try run.report(as: Report.self) else {
      throw Failure(exitCode: code, message: try run.text("stderr"))
    }
    return report
  }

  private func run(_ arguments: [String]) async throws -> (Int32, ProgramRun) {
    let run = try ProgramRun()
    let own = ProcessInfo.processInfo.environment
    let variables = own.merging(environment) { $1 }.map { "\($0)=\($1)" }
    let work = Task(executorPreference: JobExecutor()) {
      try run.end(of: path, arguments, variables)
    }
    let end = try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      run.stop()
    }
    try Task.checkCancellation()
    switch end {
    case .code(let code): return (code, run)
    // As shells state it.
    case .signal(let number): return (128 + number, run)
    }
  }
}

/// One run of the program, whose output lies in files: neither pipe can fill while the other is read.
private final class ProgramRun: Sendable {
  private enum State { case waiting, running(pid_t), over }

  // Only the path of the folder is read after `init`, and it is removed when the last reference goes.
  private nonisolated(unsafe) let folder: ScratchFolder
  private let state = Mutex(State.waiting)

  init() throws { folder = try ScratchFolder() }

  /// Starts the program and waits for its end.
  /// - Throws: ``MediaError`` of kind `inputMissing` where there is no such program; `CancellationError`.
  func end(of program: String, _ words: [String], _ variables: [String]) throws
    -> ChildProcess.End
  {
    let start = ProgramStart()
    start.open("/dev/null", O_RDONLY, as: STDIN_FILENO)
    start.create(place("stdout"), as: STDOUT_FILENO)
    start.create(place("stderr"), as: STDERR_FILENO)
    let child = try state.withLock { state in
      guard case .waiting = state else { throw CancellationError() }
      let started = start.start(program, [program] + words, environment: variables)
      guard started.code == 0 else {
        throw MediaError(
          .inputMissing, about: program,
          "can't be started (\(String(cString: strerror(started.code)))); give the path of pinna")
      }
      state = .running(started.pid)
      return started.pid
    }
    // The number stays the child's until it is waited for, and nobody is sent a signal after that.
    var facts = siginfo_t()
    while waitid(P_PID, id_t(child), &facts, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return state.withLock { state in
      state = .over
      return ChildProcess.End.of(child)
    }
  }

  /// Asks the program to stop; one that hasn't begun won't.
  func stop() {
    state.withLock { state in
      // SIGINT is ignored by what a shell runs in the background.
      if case .running(let child) = state { kill(child, SIGTERM) } else { state = .over }
    }
  }

  func text(_ stream: String) throws -> String {
    String(decoding: try LocalFile(path: place(stream)).wholeContent(), as: UTF8.self)
  }

  /// The report on standard output; `nil` where there is none.
  func report<Report: Decodable>(as type: Report.Type) throws -> Report? {
    let bytes = try LocalFile(path: place("stdout")).wholeContent()
    return try? JSONDecoder().decode(Report.self, from: Data(bytes))
  }

  private func place(_ stream: String) -> String { folder.path + "/" + stream }
}
