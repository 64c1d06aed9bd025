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
    let width = (cases.map(\.id.count).max() ?? 0) + 2
    for golden in cases {
      let state = folder.isRecorded(golden.id) ? "recorded" : "missing "
      Terminal.output(
        Figures.padded(golden.id, width) + "\(state)  \(golden.why) [\(golden.oracle.name)]\n")
    }
  }
}
