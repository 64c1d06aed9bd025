// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Dispatch
import Platform
import Rendering
import Synchronization

/// Entry point: maps every outcome of a command to an exit code.
@main
enum Main {
  /// The words behind the program's name, in the task that runs the command.
  @TaskLocal static var words: [String] = []

  static func main() async {
    // A full disk or a closed pipe must be an error of the write, not end the process by a signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    Terminal.fillClosedStreams()
    if let refusal = unreadableArgument {
      Terminal.complain(refusal.message)
      exit(refusal.exitCode)
    }
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    guard code == 0, let failure = Terminal.outputFailure else { exit(code) }
    Terminal.complain(failure.message)
    exit(failure.exitCode)
  }

  /// The refusal of an argument that isn't UTF-8. Read as text with replacements it would name another file.
  private static var unreadableArgument: MediaError? {
    for (index, text) in CommandLine.arguments.enumerated() {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil
      else { continue }
      return MediaError(
        .usage, "argument \(index), \(text): isn't UTF-8, as all names must be; rename the file")
    }
    return nil
  }

  /// Runs the command that `arguments` ask for, and returns its exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    await $words.withValue(arguments) {
      await SettingWords.$current.withValue(.commandLine) { await outcome(arguments) }
    }
  }

  private static func outcome(_ arguments: [String]) async -> Int32 {
    do {
      var command = try Pinna.parseAsRoot(CommandWords.settled(arguments))
      if var asynchronous = command as? AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      return 0
    } catch let status as ExitStatus {
      return status.code
    } catch let error as MediaError {
      Terminal.complain(error.message)
      return error.exitCode
    } catch {
      return report(error)
    }
  }

  /// Endings that argument-parser decides: help and version are data; its exit code 64 becomes 2.
  private static func report(_ error: any Error) -> Int32 {
    if Pinna.exitCode(for: error) == .success {
      // Scripts for completion are data, too.
      Terminal.output(data: Pinna.fullMessage(for: error) + "\n")
      return 0
    }
    Terminal.complain(CommandWords.refusal(of: words, Pinna.message(for: error)))
    return 2
  }
}

/// The root command.
struct Pinna: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pinna",
    abstract: "Renders films and music for headphones or loudspeakers, and proves it.",
    discussion: """
      A media file goes in; WAV, FLAC, MP3, MP4, Matroska, HLS and others come out: start-up samples trimmed, \
      virtualised, normalised to −16 LUFS with the true peak held, every sample at its proper time.

      Exit codes: 0 done · 1 internal · 2 usage · 3 input unreadable, missing or encrypted · \
      4 damaged bitstream · 5 not supported · 6 output exists or can't be written · \
      7 verification failed · 8 target not met · 9 degraded under --strict · 10 batch finished with \
      failures · 75 try again · 130/143 interrupted.
      """,
    version: PinnaVersion.text,
    subcommands: [
      RenderCommand.self, BatchCommand.self, MergeCommand.self, EmitCommand.self, ProbeCommand.self,
      MeasureCommand.self, TagCommand.self, QueueCommand.self, PresetsCommand.self,
      TapsCommand.self,
      ValidateCommand.self, CompareCommand.self, GoldenCommand.self,
      ReportCommand.self, HRTFCommand.self, AuditionCommand.self, DoctorCommand.self,
      ExplainCommand.self, SchemaCommand.self,
      ManualCommand.self, ReferenceCommand.self, WorkerCommand.self, SOFAReaderCommand.self,
      ConfinedCommand.self,
    ])
}

/// Ends the command with this code; all messages have been printed already.
struct ExitStatus: Error {
  let code: Int32
}

/// Turns the first signal that asks the process to end into task cancellation.
///
/// The handler only writes the signal's number to a pipe; a thread of its own reads it, so that
/// jobs that keep every other thread busy can't hold it up.
final class InterruptWatch: Sendable {
  /// Signals that end a run in an orderly way; SIGHUP is sent when the terminal is closed.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU]
  /// Descriptor that the handler writes to; -1 before a watch exists.
  private static let outlet = Atomic<Int32>(-1)
  /// A signal repeated after this many seconds ends the process at once.
  private static let patience = 1.0

  private let caught = Mutex<Int32>(0)

  /// Calls `stop` once for the first signal. One watch serves for the life of the process, which has to be the
  /// command's own.
  init(stop: @escaping @Sendable () -> Void) {
    guard TerminalRecord.current == nil else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let inlet = ends[0]
    InterruptWatch.outlet.store(ends[1], ordering: .sequentiallyConsistent)
    let watch = self
    // A queue of its own: dispatch gives it a thread even when the pool's limit is reached.
    DispatchQueue(label: "pinna.interrupt").async { watch.listen(inlet, stop) }
    for number in InterruptWatch.numbers { InterruptWatch.handle(number) }
  }

  /// The exit code of a run that was stopped before it was done: 128 + the signal's number.
  var exitCode: Int32 {
    let number = caught.withLock { $0 }
    return 128 + (number == 0 ? SIGINT : number)
  }

  private func listen(_ inlet: Int32, _ stop: () -> Void) {
    InterruptWatch.admitSignals()
    var first: Double?
    while true {
      var byte: UInt8 = 0
      let got = read(inlet, &byte, 1)
      if got < 0, errno == EINTR { continue }
      guard got == 1 else { return }
      if let first {
        // The shell and the kernel may both report a closed terminal; the second signal is no new
        // request.
        if InterruptWatch.now - first > InterruptWatch.patience { _exit(128 + Int32(byte)) }
      } else {
        first = InterruptWatch.now
        caught.withLock { $0 = Int32(byte) }
        stop()
      }
    }
  }

  /// Dispatch blocks signals in its threads; this one must accept them, in case all others block
  /// them.
  private static func admitSignals() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func handle(_ number: Int32) {
    // `nohup` ignores SIGHUP, and that must remain so.
    if number == SIGHUP, SignalState.isIgnored(number) { return }
    signal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(InterruptWatch.outlet.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = code
    }
  }

  private static var now: Double { SystemClock.steady }
}
