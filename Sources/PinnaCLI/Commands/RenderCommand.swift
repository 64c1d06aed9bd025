import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Platform
import Presets
import Rendering

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
    defer { withExtendedLifetime(scratch) {} }
    let choice = try choice()
    let requests = try requests(choice)
    if let preset = choice.preset, !run_.quiet {
      let line = Figures.padded("preset", 10) + "\(preset.name), \(preset.origin)"
      Terminal.error(PlainText.lines([line]))
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
      // The first line names the fault; the others show the usage.
      let message = RenderCommand.message(for: error).split(separator: "\n").first.map(String.init)
      throw MediaError(.usage, message ?? "\(error)")
    }
  }
}
