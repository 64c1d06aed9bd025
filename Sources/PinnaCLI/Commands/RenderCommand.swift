// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import MediaOut
import Platform
import Rendering
import Report
import Settings

/// `pinna render`.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a media file for one listening endpoint.")

  @Argument(help: "Media files, http(s) URLs or playlists of HLS; - is standard input.") var inputs:
    [String] = []
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: "Output file; a folder for several inputs; - is standard output.")
  var output: String
  @Flag(
    help:
      "Join the inputs to one programme; each may end in #t=START,END, and silence:2s is silence.")
  var join = false
  @OptionGroup(title: "Input") var input: InputArguments
  @OptionGroup(title: "Render") var render: RenderArguments
  @OptionGroup(title: "Listener") var listener: ListenerArguments
  @OptionGroup(title: "Run") var run_: RunArguments

  mutating func run() async throws {
    if run_.sandbox.sandbox == true { try RenderSandbox(self).begin() }
    // Released, and so removed, at the end.
    let scratch = Sandbox.takeScratch()
    defer { if let scratch { SandboxFolders.removeEmpty(notedIn: scratch) } }
    let choice = try choice()
    let requests = try requests(choice)
    if let preset = choice.preset, !run_.quiet {
      Terminal.show([LabelledLine(label: "preset", text: "\(preset.name), \(preset.origin)")])
    }
    // A batch does this by its results, because its folders may be large.
    if !run_.dryRun { OutputNames.removeAbandoned(of: requests) }
    let runner = try RenderRunner(arguments: run_, isSingle: requests.count == 1)
    let code = await runner.run(
      requests, isAlbum: choice.isAlbum && !requests.contains(where: \.sharesGain))
    if code != 0 { throw ExitStatus(code: code) }
  }

  /// The environment that this process renders in.
  static var environment: RenderEnvironment {
    var environment = RenderEnvironment()
    environment.sofaReading = SOFAReaderCommand.reading
    environment.programs = ConfinedCommand.launcher
    environment.tapFolder = UserCache.folder("taps", ProcessInfo.processInfo.environment)
    environment.cacheFolder = HRTFCacheFolder.path(ProcessInfo.processInfo.environment)
    return environment
  }

  /// The arguments with the preset that they name.
  func choice() throws -> RequestChoice {
    RequestChoice(
      input: input, flags: render, listener: listener, run: run_,
      preset: try render.preset.map { try PresetsCommand.library.preset($0) })
  }

  /// The requests that these arguments ask for; nothing is opened yet.
  func requests(_ choice: RequestChoice) throws -> [RenderRequest] {
    let inputs = inputs + render.taps.inputs
    guard !inputs.isEmpty else { throw RenderCommand.withoutInput }
    let requests = try choice.requests(inputs: inputs, output: output, joins: join)
    let streams = requests.flatMap(\.outputs).filter { $0.location == .standardStream }
    let printsReport = run_.json || run_.report == "-"
    guard streams.count + (printsReport ? 1 : 0) <= 1 else {
      throw MediaError(
        .usage,
        "--json, --report -, -o - and --also …:-: only one can have standard output; choose one")
    }
    if let report = run_.report, report != "-" {
      try OutputNames.checkReport(report, of: requests, overwrite: render.overwrite)
    }
    return requests
  }

  /// The error of a command line without inputs.
  static var withoutInput: MediaError {
    MediaError(.usage, "no input: give a media file, e.g. pinna render film.mkv -o film.wav")
  }

  /// The requests that `arguments` of `render` ask for.
  /// - Throws: ``MediaError`` of kind `usage` or `unsupportedFeature`.
  static func requests(_ arguments: [String]) throws -> [RenderRequest] {
    let command = try parsed(arguments)
    return try command.requests(command.choice())
  }

  /// The command that `arguments` ask for.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func parsed(_ arguments: [String]) throws -> RenderCommand {
    do { return try RenderCommand.parse(StrictClasses.settled(arguments)) } catch {
      throw MediaError(
        .usage, CommandWords.refusal(of: ["render"] + arguments, RenderCommand.message(for: error)))
    }
  }
}

/// How a render run behaves.
struct RunArguments: ParsableArguments {
  @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Stop before rendering.")
  var dryRun = false
  @Option(name: [.customShort("j")], help: "Files rendered at once.")
  var jobs = 1
  @Option(help: "Write the JSON report to this file.")
  var report: String?
  @Flag(help: "Print the JSON report on stdout.")
  var json = false
  @Option(help: "Progress on stderr: auto, none or ndjson.")
  var progress = Given(ProgressDisplay.Style.auto)
  @Option(
    help:
      "Threads of one file: 1, or 2 to decode and measure beside the rest (default: 2, with -j 1)."
  )
  var threads: Int?
  @Option(help: "Samples a block; the output doesn't depend on it.")
  var blockSize: Int?
  @Option(help: "Rendered audio held in memory before a temporary file takes over.")
  var maxMemory = Given<Int>(default: "8M")
  @Option(help: "Largest output, counted as uncompressed samples, e.g. 2G; without it no limit.")
  var maxOutputSize: Given<Int>?
  @Flag(help: "Use the portable code paths of libav: same bits on every processor.")
  var deterministic = false
  @OptionGroup var sandbox: SandboxArguments
  @OptionGroup var colours: ColourArguments
  @Option(help: StrictClasses.help)
  var strict: String?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only errors.")
  var quiet = false
  @Flag(
    name: [.customShort("v"), .customLong("verbose")],
    help: "Decisions and the time of each stage too.")
  var verbose = false
}

/// Runs requests, prints what came out and returns the exit code.
struct RenderRunner {
  private let arguments: RunArguments
  private let style: ProgressDisplay.Style
  private let isSingle: Bool

  /// The exit code of a job that a signal stopped.
  private static let stopped = MediaError(.interrupted, "").exitCode

  init(arguments: RunArguments, isSingle: Bool) throws {
    self.arguments = arguments
    self.isSingle = isSingle
    style = try arguments.progress.value(.progress)
    guard arguments.jobs > 0 else {
      throw MediaError(.usage, "-j \(arguments.jobs): give 1 or more")
    }
    guard isSingle || arguments.report == nil || arguments.report == "-" else {
      throw MediaError(.usage, "--report: takes one input; use --json for several")
    }
  }

  /// Runs all requests, at most `-j` at once, and returns the exit code. An album is rendered one
  /// file after another, and delivered completely or not at all. A signal after the last output is in
  /// place changes nothing.
  func run(_ requests: [RenderRequest], isAlbum: Bool) async -> Int32 {
    let requests = hasReport ? requests : requests.map(RenderRunner.withoutDigests)
    let work = Task { isAlbum ? await runAlbum(requests) : await runAll(requests) }
    let watch = InterruptWatch { work.cancel() }
    let code = await work.value
    return code == RenderRunner.stopped ? watch.exitCode : code
  }

  /// Whether somebody reads the report.
  private var hasReport: Bool { arguments.json || arguments.report != nil }

  private static func withoutDigests(_ request: RenderRequest) -> RenderRequest {
    var request = request
    for index in request.outputs.indices { request.outputs[index].statesDigests = false }
    return request
  }

  private func runAll(_ requests: [RenderRequest]) async -> Int32 {
    let display = display(of: requests)
    return await withTaskGroup(of: Int32.self) { group in
      var waiting = Array(requests.enumerated())[...]
      var worst: Int32 = 0
      for _ in 0..<min(arguments.jobs, requests.count) {
        if let (place, request) = waiting.popFirst() {
          group.addTask { await run(request, at: place, display) }
        }
      }
      for await code in group {
        worst = worst == 0 || code == RenderRunner.stopped ? code : worst
        if !Task.isCancelled, let (place, request) = waiting.popFirst() {
          group.addTask { await run(request, at: place, display) }
        }
      }
      return waiting.isEmpty ? worst : RenderRunner.stopped
    }
  }

  private func runAlbum(_ requests: [RenderRequest]) async -> Int32 {
    let display = display(of: requests)
    do {
      let reports = try await RenderPipeline(RenderCommand.environment).renderAlbum(requests) {
        display.show($0, $1)
      }
      try display.end(requests.indices) {
        for (report, request) in zip(reports, requests) { try conclude(report, of: request) }
      }
      return 0
    } catch { return display.end(requests.indices) { fail(error) } }
  }

  private func run(_ request: RenderRequest, at place: Int, _ display: JobsProgress) async -> Int32
  {
    do {
      let report = try await RenderPipeline(RenderCommand.environment).render(request) {
        display.show(place, $0)
      }
      try display.end(place..<place + 1) { try conclude(report, of: request) }
      return 0
    } catch { return display.end(place..<place + 1) { fail(error) } }
  }

  private func display(of requests: [RenderRequest]) -> JobsProgress {
    JobsProgress(requests.map(\.name), style: style, isQuiet: arguments.quiet)
  }

  private func conclude(_ report: RenderReport, of request: RenderRequest) throws {
    try publish(report)
    guard !arguments.quiet else { return }
    let names = request.outputs.map(\.location.name)
    Terminal.show(Summary.lines(report, names: names, isVerbose: arguments.verbose))
  }

  /// Prints the reason and returns the exit code.
  private func fail(_ error: any Error) -> Int32 {
    guard let failure = error as? RenderFailure else {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      Terminal.complain(failure.message)
      return failure.exitCode
    }
    Terminal.complain(failure.error.message)
    try? publish(failure.report)
    return failure.error.exitCode
  }

  private func publish(_ report: RenderReport) throws {
    // The text of a film's report takes megabytes.
    guard hasReport else { return }
    let text = try isSingle ? ReportJSON.pretty(report) : ReportJSON.line(report) + "\n"
    if arguments.json || arguments.report == "-" { Terminal.output(data: text) }
    if let path = arguments.report, path != "-" { try TextFile.write(text, to: path) }
  }
}
