import ArgumentParser
import AudioCore
import Batch
import Report

/// `pinna schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of what a command reports or reads.")

  private static let names = ReportSchema.names + ["manifest"]

  @Argument(help: "One of \(SchemaCommand.names.joined(separator: ", ")).")
  var name: String

  func run() throws {
    guard let text = name == "manifest" ? ManifestSchema.text : ReportSchema.named(name) else {
      throw MediaError(
        .usage,
        "schema \(name): unknown; give one of \(SchemaCommand.names.joined(separator: ", "))")
    }
    Terminal.output(text)
  }
}
