// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import MediaOut
import Platform
import Rendering
import Report
import Synchronization
import Verify

/// `pinna golden`.
struct GoldenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "golden",
    abstract: "Record what commands make of their inputs, and verify that it stays so.",
    discussion: """
      A golden is a folder with case.json (what is run, why, and by which oracle the first values \
      are right) and expected.json (what came of it: lengths, boxes, levels second by second, \
      hashes). Hashes decide where libavcodec is the recorded one, and the processor too unless \
      the command says --deterministic; elsewhere the levels decide, and the output says so.
      """,
    subcommands: [
      GoldenVerifyCommand.self, GoldenRecordCommand.self, GoldenBlessCommand.self,
      GoldenListCommand.self,
    ])
}

/// The places of goldens and their inputs.
struct GoldenArguments: ParsableArguments {
  @Option(help: "Folder of the cases.") var cases = "Golden/Cases"
  @Option(help: "Folder that inputs are looked for in, before the case's own.") var media: String?

  var folder: GoldenFolder { GoldenFolder(path: cases) }

  /// `names`, or the names of all cases when there are none.
  /// - Throws: ``MediaError`` of kind `input-missing` when a case doesn't exist.
  func chosen(_ names: [String]) throws -> [String] {
    guard !names.isEmpty else { return try folder.ids() }
    let known = PathSet(try folder.ids())
    if let unknown = names.first(where: { !known.contains($0) }) {
      throw MediaError(
        .inputMissing, "\(unknown): no such golden in \(cases); pinna golden list shows all")
    }
    return names
  }

  /// A runner for the cases.
  func runner() -> GoldenRunner {
    GoldenRunner(folder: folder, media: media, environment: RenderCommand.environment) {
      try RenderCommand.requests($0)
    }
  }
}

/// `pinna golden record`.
struct GoldenRecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record goldens that have no expected values yet.",
    discussion: """
      Ends with exit code 7 even when all went well: what was recorded has to be looked at before \
      a run may pass on it. Recorded values are only replaced by bless. A new case is made from \
      --input, --why, --oracle and the arguments after --, such as: pinna golden record walk \
      --input walk.flac --why "…" --oracle "ffmpeg decode" -- render {input} -o {out}/out.wav
      """)

  @Argument(help: "Names of goldens; all unrecorded ones where none is given.")
  var ids: [String] = []
  @Argument(parsing: .postTerminator, help: "Arguments of a new case.") var command: [String] = []
  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Option(help: "Input of a new case.") var input: String?
  @Option(help: "What a new case guards.") var why: String?
  @Option(help: "By which tool or document a new case's values are right.") var oracle: String?
  @Option(help: "Clause of a standard or number of a ticket of a new case.") var clause: String?
  @Flag(help: "Record although the cases' repository has changes that aren't committed.")
  var allowDirty = false
  @Option(help: "Exit code that the commands are to end with (default 0).")
  var expectExit: Int32 = 0

  mutating func run() async throws {
    let cases = try command.isEmpty ? known() : [made()]
    guard !cases.isEmpty else {
      Terminal.error("golden: everything is recorded\n")
      return
    }
    let recorder = GoldenRecorder(runner: goldens.runner(), allowsDirty: allowDirty)
    var failures = 0
    var code = MediaError(.verificationFailed, "").exitCode
    for golden in cases {
      do {
        try await recorder.record(golden, reason: nil, exit: expectExit)
        Terminal.show([LabelledLine(label: "recorded", text: golden.id, tone: .done)])
      } catch let error as MediaError {
        failures += 1
        Terminal.complain(error.message)
        // Nothing has to be looked at that was not recorded.
        if failures == cases.count, error.kind == .usage { code = error.exitCode }
      }
    }
    if failures < cases.count {
      Terminal.complain(
        "recording fails the run it records in: look at what was recorded, commit it, and verify")
    }
    throw ExitStatus(code: code)
  }

  private func known() throws -> [GoldenCase] {
    guard input == nil, why == nil, oracle == nil, clause == nil else {
      throw MediaError(
        .usage, "--input, --why, --oracle and --clause: make a new case; give its command after --"
      )
    }
    let folder = goldens.folder
    let names = try goldens.chosen(ids)
    if let recorded = ids.first(where: { folder.isRecorded($0) }) {
      throw MediaError(
        .outputExists, about: recorded,
        "is recorded already; pinna golden bless \(recorded) --reason … replaces it")
    }
    return try names.filter { !folder.isRecorded($0) }.map { try folder.golden($0) }
  }

  private func made() throws -> GoldenCase {
    guard ids.count == 1, let input, let why, let oracle, !why.isEmpty, !oracle.isEmpty else {
      let absent = [
        (ids.count == 1, ids.isEmpty ? "a name" : "one name, not \(ids.count)"),
        (input != nil, "--input FILE"), (why?.isEmpty == false, "--why TEXT"),
        (oracle?.isEmpty == false, "--oracle TEXT"),
      ].filter { !$0.0 }.map(\.1)
      throw MediaError(.usage, "a new case lacks \(absent.joined(separator: ", "))")
    }
    let id = ids[0]
    let isPlain = id.utf8.allSatisfy {
      $0 == 0x2D || $0 == 0x2E || $0 == 0x5F || (0x30...0x39).contains($0)
        || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
    }
    guard isPlain, !id.isEmpty, !id.hasPrefix(".") else {
      throw MediaError(.usage, about: id, "a golden's name has letters, digits, -, _ and . only")
    }
    guard !((try? goldens.folder.ids()) ?? []).contains(id) else {
      throw MediaError(.outputExists, about: id, "a golden of this name is there already")
    }
    return GoldenCase(
      id: id, why: why, clause: clause, input: input, command: command,
      oracle: GoldenCase.Oracle(name: oracle))
  }
}

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
  @Option(help: "Progress on stderr: auto, none or ndjson.") var progress = Given(
    ProgressDisplay.Style.auto)
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
    let style = try progress.value(.progress)
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

/// Shows goldens as they end: one line each, or one JSON object in each line.
final class GoldenDisplay: Sendable {
  private let style: ProgressDisplay.Style
  private let count: Int
  private let isQuiet: Bool
  private let done = Mutex(0)

  /// A display for `count` goldens; `auto` prints a line for each, or only failures when `isQuiet`.
  init(style: ProgressDisplay.Style, count: Int, isQuiet: Bool) {
    self.style = style
    self.count = count
    self.isQuiet = isQuiet
  }

  /// Shows a golden that has ended.
  func show(_ entry: GoldenReport.Entry) {
    done.withLock { done in
      done += 1
      if style == .ndjson {
        let event = GoldenEvent(id: entry.id, status: entry.status, done: done, total: count)
        if let line = Figures.line(event) { Terminal.error(line) }
        return
      }
      if entry.status == .failed {
        for failure in entry.failures {
          Terminal.show(
            [LabelledLine(label: "FAILED", text: "\(entry.id)  \(failure)", tone: .failed)],
            indent: 8)
        }
        Annotation.show("golden \(entry.id)", entry.failures.joined(separator: "\n"))
      } else if style == .auto, !isQuiet {
        let notes = entry.notes.isEmpty ? "" : "  (\(entry.notes.joined(separator: "; ")))"
        Terminal.show(
          [LabelledLine(label: "ok", text: "\(entry.id)\(notes)", tone: .done)], indent: 8)
      }
    }
  }
}

/// `pinna golden bless`.
struct GoldenBlessCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bless",
    abstract: "Replace a golden's expected values, and keep the reason in its case.")

  @Argument(help: "Name of the golden.") var id: String
  @Option(parsing: .unconditional, help: "Why the new values are right.") var reason: String
  @OptionGroup(title: "Cases") var goldens: GoldenArguments
  @Flag(help: "Bless although the cases' repository has changes that aren't committed.")
  var allowDirty = false

  mutating func run() async throws {
    guard reason.contains(where: { !$0.isWhitespace }) else {
      throw MediaError(.usage, "--reason: say why the new values are right")
    }
    let folder = goldens.folder
    _ = try goldens.chosen([id])
    let golden = try folder.golden(id)
    guard folder.isRecorded(id) else {
      throw MediaError(.usage, about: id, "isn't recorded yet; use pinna golden record \(id)")
    }
    let recorder = GoldenRecorder(runner: goldens.runner(), allowsDirty: allowDirty)
    try await recorder.record(golden, reason: reason)
    Terminal.show([LabelledLine(label: "blessed", text: id, tone: .done)], indent: 9)
  }
}

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
