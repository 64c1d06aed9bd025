import ArgumentParser
import AudioCore
import Rendering
import Report

/// `pinna golden list`.
struct GoldenListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List goldens: whether recorded, why, and by which oracle.")

  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Flag(help: "Print JSON: an array of the cases.") var json = false

  func run() throws {
    let folder = goldens.folder
    let cases = try folder.ids().map { try folder.golden($0) }
    guard !json else { return Terminal.output(try ReportJSON.pretty(cases)) }
    let rows = cases.map { golden in
      [
        golden.id, folder.isRecorded(golden.id) ? "recorded" : "missing",
        "\(golden.why) [\(golden.oracle.name)]",
      ]
    }
    Terminal.output(PlainText.table(rows))
  }
}
