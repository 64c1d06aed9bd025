import ArgumentParser
import AudioCore
import Audition
import Report

/// `pinna audition IN… -o page.html`.
struct AuditionPageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Make a page that plays excerpts in several ways (the default).",
    discussion: """
      Every excerpt is rendered in every combination of the sets, heads, rooms and endpoints that are listed, and all \
      are brought to one loudness by gain alone. The page switches between them without a gap, plays a blind tournament \
      that ends with the flags to use, and ABX tests. It needs no network.

      Without --at, up to three excerpts of each input are chosen: loud motion, dialogue, and a quiet stretch.
      """)

  @Argument(help: "Media files.") var inputs: [String]
  @Option(name: [.customShort("o"), .customLong("output")], help: "The HTML page.")
  var output: String
  @OptionGroup(title: "Ways") var ways: AuditionWays
  @Option(
    help: ArgumentHelp(
      "Where excerpts begin, with commas between them: 1:02,12.5s.", valueName: "times"))
  var at: String?
  @Option(help: "Length of an excerpt, 1s to 60s.") var length = "12s"
  @Option(help: "Heading of the page (default: the inputs' names).") var title: String?
  @Flag(help: "Put the media into a folder beside the page, which then stays small.")
  var folder = false
  @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace files that exist.")
  var overwrite = false
  @Flag(help: "Print what the page plays as JSON.") var json = false
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "No progress and no summary.")
  var quiet = false
  @OptionGroup(title: "Input") var input: InputArguments

  mutating func run() async throws {
    let request = try request()
    try request.check()
    let place = try AuditionOutput(
      page: output, hasFolder: folder, inputs: inputs + ways.files, overwrite: overwrite)
    let isQuiet = quiet
    let work = Task {
      try await AuditionMaker(RenderCommand.environment).make(request) { step in
        if !isQuiet { Terminal.error("pinna: \(PlainText.line(step))\n") }
      }
    }
    let watch = InterruptWatch { work.cancel() }
    let outcome = await work.result
    let made: AuditionMaker.Made
    do { made = try outcome.get() } catch let error as MediaError where error.kind == .interrupted {
      Terminal.complain(error.message)
      throw ExitStatus(code: watch.exitCode)
    }
    let report = try place.write(made)
    if json { Terminal.output(try ReportJSON.pretty(report)) }
    if !quiet, !json { Terminal.output(AuditionTable.text(report, page: output)) }
  }

  private func request() throws -> AuditionRequest {
    var request = AuditionRequest(inputs: inputs, ways: try ways.ways())
    request.decoding = try input.options()
    request.starts = try (at?.split(separator: ",", omittingEmptySubsequences: false) ?? []).map {
      try TimeSpec(String($0), option: "--at")
    }
    let length = try TimeSpec(self.length, option: "--length")
    request.seconds = Double(length.samples(at: AuditionMaker.rate)) / Double(AuditionMaker.rate)
    request.title = title
    request.inputFlags = input.flags
    return request
  }
}
