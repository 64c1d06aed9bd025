import ArgumentParser
import AudioCore
import Platform

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
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    guard code == 0, let failure = Terminal.outputFailure else { exit(code) }
    Terminal.complain(failure.message)
    exit(failure.exitCode)
  }

  /// Runs the command that `arguments` ask for, and returns its exit code.
  static func run(_ arguments: [String]) async -> Int32 {
    await $words.withValue(arguments) {
      await SettingWords.$current.withValue(.commandLine) { await outcome(arguments) }
    }
  }

  private static func outcome(_ arguments: [String]) async -> Int32 {
    do {
      var command = try Pinna.parseAsRoot(StrictClasses.settled(arguments))
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
    let text = Pinna.fullMessage(for: error)
    if Pinna.exitCode(for: error) == .success {
      Terminal.output(text + "\n")
      return 0
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    Terminal.error(PlainText.lines(lines.map(String.init)))
    return 2
  }
}
