import ArgumentParser
import Inspection
import Report

/// `pinna probe`.
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Tell what a file holds and what a render would take.")

  @Argument(help: "Media file, http(s) URL or playlist of HLS.") var path: String
  @Flag(help: "Decode the chosen track to count its samples and follow its objects.")
  var deep = false
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup(title: "Input") var input: InputArguments

  func run() throws {
    var prober = MediaProber()
    prober.decoding = try input.options()
    let report = try prober.probe(path: path, deep: deep)
    Terminal.output(json ? try ReportJSON.pretty(report) : ProbeTable.text(report, isDeep: deep))
  }
}
