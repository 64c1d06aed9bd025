import ArgumentParser
import AudioCore
import Essentials
import Report

/// `pinna report`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Make a page with plots, JUnit XML or Markdown of reports that pinna wrote.",
    discussion: """
      Takes the JSON of render --report and --json, compare --json, golden verify --json, \
      validate --json and the items of a batch. The page is one HTML file that loads nothing else: loudness before and after, \
      limiter, spectrum, timeline, degradations, decisions, outputs; of several reports an overview \
      that can be sorted comes first.

      In a CI step: pinna report *.json -o report.html --junit junit.xml --markdown - >> \
      "$GITHUB_STEP_SUMMARY". The exit code says whether the files were written, not how the reported \
      jobs ended.
      """)

  @Argument(help: "Reports, each with one JSON object or one a line; - is standard input.")
  var reports: [String]
  @Option(
    name: [.customShort("o"), .customLong("output")], help: "The HTML page; - is standard output.")
  var output: String?
  @Option(help: "Write JUnit XML to this file; - is standard output.") var junit: String?
  @Option(help: "Write Markdown to this file; - is standard output.") var markdown: String?
  @Option(help: "Heading of the page (default: the file's name, or how many reports there are).")
  var title: String?
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace files that exist.")
  var overwrite = false

  func run() throws {
    let places = [("-o", output), ("--junit", junit), ("--markdown", markdown)].compactMap {
      option, path in path.map { ReportOutput(option: option, path: $0) }
    }
    guard !places.isEmpty else {
      throw MediaError(.usage, "report: nothing to write; give -o, --junit or --markdown")
    }
    try ReportOutput.check(places, inputs: reports, overwrite: overwrite)
    let items = try ReportInput.items(reports)
    for place in places {
      let text: String
      switch place.option {
      case "--junit": text = JUnitReport(items: items).xml()
      case "--markdown": text = MarkdownReport(items: items).text()
      default: text = ReportPage(items: items, title: title, links: place.links()).html()
      }
      try place.write(text, overwrite: overwrite)
    }
  }
}
