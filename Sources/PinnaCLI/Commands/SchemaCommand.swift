import ArgumentParser
import AudioCore

/// `pinna schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON schema of what a command reports or reads.")

  @Argument(help: "One of \(SchemaCatalog.names.joined(separator: ", ")).")
  var name: String

  func run() throws {
    guard let text = try SchemaCatalog.named(name) else {
      throw MediaError(
        .usage,
        "schema \(name): unknown; give one of \(SchemaCatalog.names.joined(separator: ", "))")
    }
    Terminal.output(data: text)
  }
}
