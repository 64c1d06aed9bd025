// SPDX-License-Identifier: Apache-2.0
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

      --match-loudness compares TEST with the gain that makes it as loud as REF: what is left is another sound, not \
      another level.
      """)

  @Argument(help: "What the other is held against.") var ref: String
  @Argument(help: "What is judged.") var test: String
  @Option(help: "exact (default), transparent or lossy.") var tolerance = "exact"
  @Option(
    help: ArgumentHelp(
      "Leave this out of the comparison; tags is the one word so far.", valueName: "tags"))
  var ignore: String?
  @Flag(help: "Compare TEST with the gain that makes it as loud as REF.") var matchLoudness = false
  @Flag(help: "Print JSON.") var json = false
  @Option(
    help: ArgumentHelp("Write a page with curves of both to this file (or -).", valueName: "file"))
  var html: String?
  @Flag(
    name: [.customShort("y"), .customLong("overwrite")], help: "Replace the page if it exists.")
  var overwrite = false
  @OptionGroup(title: "Input") var input: InputArguments
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = Given(
    ProgressDisplay.Style.auto)
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
    comparator.tolerance.comparesTags = try !ignoresTags()
    comparator.matchesLoudness = matchLoudness
    let page = html.map { ReportOutput(option: "--html", path: $0) }
    try checkPage(page)
    let style = try progress.value(.progress)
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
    if let page {
      let item = ReportItem(.comparison(report))
      try page.write(
        ReportPage(items: [item], links: page.links()).html(), overwrite: overwrite)
    }
    if html != "-", json { Terminal.output(try ReportJSON.pretty(report)) }
    if html != "-", !json {
      Terminal.output(ComparisonText.text(report, isBrief: quiet), indent: 11)
    }
    guard !report.alike else { return }
    Annotation.show("compare \(test)", report.verdict)
    throw ExitStatus(code: MediaError(.verificationFailed, "").exitCode)
  }

  private func ignoresTags() throws -> Bool {
    guard let ignore else { return false }
    guard ignore == "tags" else {
      throw MediaError(.usage, "--ignore \(ignore): unknown word; give tags")
    }
    return true
  }

  private func checkPage(_ page: ReportOutput?) throws {
    guard let page else { return }
    guard page.path != "-" || !json else {
      throw MediaError(.usage, "--json and --html -: only one can have standard output; choose one")
    }
    for input in [ref, test] where page.path != "-" {
      guard !MediaLocation.file(page.path).isSameFile(as: input) else {
        throw MediaError(
          .outputUnwritable,
          "--html \(page.path): is one of the files that are compared; give another name")
      }
    }
    try ReportOutput.check([page], inputs: [], overwrite: overwrite)
  }
}

/// A comparison for people: one line a layer, then the verdict.
enum ComparisonText {
  static func text(_ report: ComparisonReport, isBrief: Bool) -> String {
    let lines =
      isBrief
      ? [] : levels("REF", report.reference) + levels("TEST", report.test) + report.layers.map(line)
    return PlainText.lines(lines + [report.verdict])
  }

  /// Loudness and true peak of one of the files, as it is.
  private static func levels(_ role: String, _ party: ComparisonReport.Party) -> [String] {
    guard let levels = party.levels else { return [] }
    return [
      Figures.padded(role, 6) + "\(number(levels.integrated)) LUFS, true peak "
        + "\(number(levels.truePeak)) dBTP"
    ]
  }

  private static func line(_ layer: ComparisonReport.Layer) -> String {
    let label = layer.layer.label
    let head =
      Figures.padded(label, 4) + Figures.padded(layer.layer.rawValue, 12)
      + Figures.padded(layer.status.rawValue, 9)
    let figures = layer.figures.map(figure).joined(separator: ", ")
    let parts = [figures, layer.note ?? ""].filter { !$0.isEmpty }
    return head + parts.joined(separator: "; ")
  }

  private static func figure(_ figure: ComparisonReport.Figure) -> String {
    let unit = figure.unit.isEmpty ? "" : " " + figure.unit
    return figure.name + " " + number(figure.value) + unit
      + (figure.limit.map { " (\(number($0)))" } ?? "")
  }

  private static func number(_ value: Double?) -> String {
    guard let value else { return "-" }
    if value.rounded() == value, value.magnitude < 1e12 { return Figures.fixed(value, 0) }
    return Figures.fixed(value, value.magnitude < 1 ? 4 : 2)
  }
}

/// `pinna validate`.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Re-open written outputs of any format and look for what is wrong.",
    discussion: "Exit code 7 on a finding; else that of the first file that can't be validated.")

  @Argument(help: "Files, playlists of HLS, and folders of them.") var paths: [String]
  @Flag(help: "Print JSON, one object for one file, an array for several.") var json = false
  @Flag(help: "Also play each fragment or segment alone.") var isolate = false
  @OptionGroup var colours: ColourArguments

  func run() throws {
    let validator = OutputValidator(isolate: isolate)
    var reports: [ValidationReport] = []
    var failure: Int32 = 0
    let files = try paths.flatMap(ValidateCommand.files)
    for file in files {
      do {
        reports.append(try validator.validate(path: file.path))
      } catch let error as MediaError where error.kind == .unsupportedFeature && file.wasFound {
        Terminal.error(PlainText.lines(["left alone: \(error.message)"]))
      } catch let error as MediaError {
        Terminal.complain(error.message)
        failure = failure == 0 ? error.exitCode : failure
      }
    }
    let isSingle = files.count == 1 && files.first?.wasFound == false
    if json {
      if !isSingle || !reports.isEmpty {
        Terminal.output(try isSingle ? ReportJSON.pretty(reports[0]) : ReportJSON.pretty(reports))
      }
    } else {
      Terminal.output(reports.map(text).joined() + total(reports), indent: 4)
    }
    let hasFindings = reports.contains { !$0.findings.isEmpty }
    let code = hasFindings ? MediaError(.verificationFailed, "").exitCode : failure
    if code != 0 { throw ExitStatus(code: code) }
  }

  /// The file at `path`, or those of the folder there, without those that a playlist of the folder names.
  private static func files(_ path: String) throws -> [(path: String, wasFound: Bool)] {
    guard let found = try FolderInputs.files(in: path, withPlaylists: true) else {
      return [(path, false)]
    }
    let playlists = found.filter { $0.lowercased().hasSuffix(".m3u8") }
    let named = Set(playlists.flatMap(OutputValidator.filesNamed).map(PathName.init))
    return found.filter { !named.contains(PathName($0)) }.map { ($0, true) }
  }

  /// How many of several files have findings; nothing for one.
  private func total(_ reports: [ValidationReport]) -> String {
    guard reports.count > 1 else { return "" }
    let faulty = reports.count { !$0.findings.isEmpty }
    let outcome = faulty == 0 ? "nothing wrong" : faulty.counted("has", "have") + " findings"
    return "\(reports.count) files, \(outcome)\n"
  }

  private func text(_ report: ValidationReport) -> String {
    let part = report.format == ContainerKind.hls.rawValue ? "segment" : "fragment"
    let fragments = report.fragments.map { ", " + $0.counted(part, part + "s") } ?? ""
    let facts = "\(report.path): \(report.format), \(report.samples) samples\(fragments)"
    guard !report.findings.isEmpty else {
      return PlainText.lines([facts + ", nothing wrong"])
    }
    return PlainText.lines(
      [facts] + report.findings.map { "\($0.code)  \($0.path)  \($0.message)" })
  }
}

/// `pinna doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check that this installation can do its work.")

  func run() throws {
    let findings = Doctor.examine()
    for finding in findings {
      let mark = Figures.padded(finding.state.rawValue, 6)
      let line = "\(mark)  \(Figures.padded(finding.subject, 16)) \(finding.detail)"
      Terminal.output(PlainText.lines([line]))
    }
    if findings.contains(where: { $0.state == .failed }) { throw ExitStatus(code: 1) }
  }
}
