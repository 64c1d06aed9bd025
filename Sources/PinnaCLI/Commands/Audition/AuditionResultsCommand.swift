import ArgumentParser
import AudioCore
import Essentials
import Platform
import Report

/// `pinna audition results`.
struct AuditionResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Tell what listeners' answers say: which way to use, and what was heard.",
    discussion: """
      Takes the JSON files that a listening page saved, of one listener or of several. Nothing is believed but the \
      answers: ranking and probabilities are computed anew.
      """)

  @Argument(help: "Files that the page saved.") var files: [String]
  @Flag(help: "Print JSON.") var json = false

  /// Largest file in bytes; a page saves some ten thousand.
  private static let largest: Int64 = 4 << 20

  func run() throws {
    let results = try files.map { path in
      let file = try LocalFile(path: path)
      guard file.size <= AuditionResultsCommand.largest else {
        throw MediaError(
          .inputUnreadable, about: path,
          "is too large for what a listening page saves; give its JSON file")
      }
      return try AuditionResult.parse(
        Data(file.bytes(at: 0, count: Int(file.size))), name: path)
    }
    let summary = try AuditionSummary(results)
    Terminal.output(json ? try ReportJSON.pretty(summary) : AuditionTable.text(summary))
  }
}
