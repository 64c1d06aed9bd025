import ArgumentParser
import AudioCore
import Inspection
import Rendering
import Report
import Verify

/// `pinna compare`.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compare two files layer by layer and say what happened to the second.",
    discussion: """
      Layers: structure, samples (hash), null (lag, gain, polarity, channel order), levels \
      (loudness, true peak), spectrum, interaural. Exit code 0 when alike, 7 when a layer fails.

      Tolerances: exact (same container, tags, boxes and samples), transparent (the same sound in \
      any container: dither, word length), lossy (the same programme after a good lossy codec).
      """)

  @Argument(help: "What the other is held against.") var ref: String
  @Argument(help: "What is judged.") var test: String
  @Option(help: "exact (default), transparent or lossy.") var tolerance = "exact"
  @Flag(help: "Print JSON.") var json = false
  @OptionGroup(title: "Input") var input: InputArguments
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = "auto"
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only the verdict and errors.")
  var quiet = false

  mutating func run() async throws {
    var comparator = FileComparator()
    comparator.decoding = try input.options()
    guard let limits = ComparisonTolerance.all.first(where: { $0.name == tolerance }) else {
      let names = ComparisonTolerance.all.map(\.name).joined(separator: ", ")
      throw MediaError(.usage, "--tolerance \(tolerance): unknown value; give one of \(names)")
    }
    comparator.tolerance = limits
    let style: ProgressDisplay.Style = try Choice.parse(progress, "--progress")
    let display = ProgressDisplay(style: style, job: test, isQuiet: quiet)
    let (old, new, ready) = (ref, test, comparator)
    let work = Task(executorPreference: JobExecutor()) {
      try ready.compare(reference: old, test: new) { display.show($0) }
    }
    let watch = InterruptWatch { work.cancel() }
    let outcome = await work.result
    display.clear()
    let report: ComparisonReport
    do { report = try outcome.get() } catch let error as MediaError where error.kind == .interrupted
    {
      Terminal.complain(error.message)
      throw ExitStatus(code: watch.exitCode)
    }
    Terminal.output(
      json ? try ReportJSON.pretty(report) : ComparisonText.text(report, isBrief: quiet))
    if !report.alike { throw ExitStatus(code: MediaError(.verificationFailed, "").exitCode) }
  }
}
