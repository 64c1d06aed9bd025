import ArgumentParser
import AudioCore
import Essentials
import Inspection
import MediaOut
import Platform
import Rendering
import Report
import Verify

/// `pinna golden verify`.
struct GoldenVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Run goldens and compare with what was recorded (exit 7).")

  @Argument(help: "Names of goldens; all where none is given.") var ids: [String] = []
  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Option(name: [.customShort("j")], help: "Goldens run at once (default: number of cores).")
  var jobs: Int?
  @Flag(help: "Print JSON.") var json = false
  @Option(help: "Write the outcome as JUnit XML to this file.") var junit: String?
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = "auto"
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only failures.") var quiet = false

  mutating func run() async throws {
    let ids = try goldens.chosen(self.ids)
    guard !ids.isEmpty else {
      throw MediaError(.inputMissing, about: goldens.cases, "no goldens are there")
    }
    let cores = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let limit = jobs ?? cores
    guard limit > 0 else { throw MediaError(.usage, "-j \(limit): give 1 or more") }
    if let junit { try GoldenVerifyCommand.refuseOwn(junit, in: goldens.cases) }
    let style: ProgressDisplay.Style = try Choice.parse(progress, "--progress")
    let display = GoldenDisplay(
      style: style, count: ids.count, isQuiet: quiet || json)
    let verifier = GoldenVerifier(
      runner: goldens.runner(), limit: limit
    ) { display.show($0) }
    let work = Task { await verifier.run(ids) }
    let watch = InterruptWatch { work.cancel() }
    let entries = await work.value
    guard entries.count == ids.count else {
      Terminal.complain("golden verify: stopped before it was done")
      throw ExitStatus(code: watch.exitCode)
    }
    let report = GoldenReport(cases: goldens.cases, entries: entries)
    if json { Terminal.output(try ReportJSON.pretty(report)) }
    if let junit { try TextFile.write(report.junit, to: junit) }
    if !json, !quiet {
      Terminal.output("golden: \(entries.count - report.failed) of \(entries.count) as recorded\n")
    }
    if report.failed > 0 { throw ExitStatus(code: MediaError(.verificationFailed, "").exitCode) }
  }

  /// Refuses a place among the cases: the report could overwrite a case's own file.
  private static func refuseOwn(_ path: String, in cases: String) throws {
    guard let place = PathParts.real(PathParts.folder(of: path)),
      let root = PathParts.real(cases), PathParts.rest(of: place + "/", below: root) != nil
    else { return }
    throw MediaError(
      .outputUnwritable, "--junit \(path): lies among the cases; give a place outside of \(cases)")
  }
}
