import ArgumentParser
import AudioCore
import Report

/// `pinna schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema", abstract: "Print a JSON schema: report, progress, probe or measure.")

  @Argument(help: "report, progress, probe or measure.") var name: String

  func run() throws {
    guard let text = ReportSchema.named(name) else {
      throw MediaError(
        .usage,
        "schema \(name): unknown; give one of \(ReportSchema.names.joined(separator: ", "))")
    }
    Terminal.output(text)
  }
}
