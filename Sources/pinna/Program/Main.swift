import ArgumentParser
import AudioCore
import Platform

/// Entry point: maps every way a command can end to the exit codes of the contract.
@main
enum Main {
  static func main() async {
    // A full disk or a closed pipe must come back as an error, not as a signal.
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    Terminal.fillClosedStreams()
    let code = await SettingWords.$current.withValue(.commandLine) { await run() }
    guard code == 0, let failure = Terminal.outputFailure else { exit(code) }
    Terminal.complain(failure.message)
    exit(failure.exitCode)
  }

  private static func run() async -> Int32 {
    do {
      var command = try Pinna.parseAsRoot()
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

  /// argument-parser's own endings: help and version are data, its 64 is our 2.
  private static func report(_ error: any Error) -> Int32 {
    let text = Pinna.fullMessage(for: error)
    if Pinna.exitCode(for: error) == .success {
      Terminal.output(text + "\n")
      return 0
    }
    Terminal.error(text + "\n")
    return 2
  }
}
