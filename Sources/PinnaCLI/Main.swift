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
      // Scripts for completion are data, too.
      Terminal.output(data: text + "\n")
      return 0
    }
    // A word may hold the end of a line; its own lines would look like Pinna's.
    let typed = words.reduce(text) { text, word in
      let parts = [word, String(word.prefix { $0 != "=" })].filter { $0.contains("\n") }
      return parts.reduce(text) { $0.replacing($1, with: PlainText.line($1)) }
    }
    let lines = typed.split(separator: "\n", omittingEmptySubsequences: false)
    Terminal.error(PlainText.lines(lines.map(String.init)))
    return 2
  }
}
