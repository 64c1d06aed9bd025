import ArgumentParser
import AudioCore
import Report

/// `pinna schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of what a command reports.")

  @Argument(help: "One of \(ReportSchema.names.joined(separator: ", ")).")
  var name: String

  func run() throws {
    guard let text = ReportSchema.named(name) else {
      throw MediaError(
        .usage,
        "schema \(name): unknown; give one of \(ReportSchema.names.joined(separator: ", "))")
    }
    Terminal.output(text)
  }
}
