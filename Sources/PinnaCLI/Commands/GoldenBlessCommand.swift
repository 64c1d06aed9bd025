import ArgumentParser
import AudioCore
import Inspection
import Rendering
import Verify

/// `pinna golden bless`.
struct GoldenBlessCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless",
    abstract: "Replace a golden's expected values, and keep the reason in its case.")

  @Argument(help: "Name of the golden.") var id: String
  @Option(parsing: .unconditional, help: "Why the new values are right.") var reason: String
  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Flag(help: "Bless although the cases' repository has changes that aren't committed.")
  var allowDirty = false

  mutating func run() async throws {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw MediaError(.usage, "--reason: say why the new values are right")
    }
    let folder = goldens.folder
    _ = try goldens.chosen([id])
    let golden = try folder.golden(id)
    guard folder.isRecorded(id) else {
      throw MediaError(.usage, about: id, "isn't recorded yet; use pinna golden record \(id)")
    }
    let recorder = GoldenRecorder(runner: goldens.runner(), allowsDirty: allowDirty)
    try await recorder.record(golden, reason: reason)
    Terminal.error(PlainText.lines(["blessed  \(id)"]))
  }
}
