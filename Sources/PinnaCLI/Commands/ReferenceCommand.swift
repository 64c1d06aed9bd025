import ArgumentParser
import Report

/// `pinna reference`: the facts for the pages under `docs/reference` that only the code knows, as
/// JSON for `.ci/reference`.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference", abstract: "Print what the reference pages are made of.",
    shouldDisplay: false)

  func run() throws { Terminal.output(try ReportJSON.pretty(ReferenceFacts())) }
}
