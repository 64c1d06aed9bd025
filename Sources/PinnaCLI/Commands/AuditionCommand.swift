// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Platform
import Report

/// `pinna audition`.
struct AuditionCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audition",
    abstract: "Make a page to listen by: switch, choose blindly, ABX; or read what it saved.",
    usage: """
      pinna audition IN… -o page.html [options]
      pinna audition results FILE…
      """,
    subcommands: [AuditionPageCommand.self, AuditionResultsCommand.self],
    defaultSubcommand: AuditionPageCommand.self)
}

/// `pinna audition IN… -o page.html`.
struct AuditionPageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Make a page that plays excerpts in several ways (the default).",
    discussion: """
      Every excerpt is rendered in every combination of the sets, heads, rooms and endpoints that are listed, and all \
      are brought to one loudness by gain alone. The page switches between them without a gap, plays a blind tournament \
      that ends with the flags to use, and ABX tests. It needs no network.

      Without --at, up to three excerpts of each input are chosen: loud motion, dialogue, and a quiet stretch. pinna \
      audition results FILE… reads answers that the page saved.
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

/// The places of a listening page and its media.
struct AuditionOutput {
  /// Bytes of media that one page can hold: browsers read a page as a whole.
  private static let largestPage = 256 << 20

  private let page: String
  private let parent: String
  private let folder: String?
  private let overwrite: Bool

  /// A page at `page`, with a folder beside it where one is wanted.
  /// - Throws: ``MediaError`` when it would replace one of `inputs` or, without `overwrite`, any file.
  init(page: String, hasFolder: Bool, inputs: [String], overwrite: Bool) throws {
    self.page = page
    self.overwrite = overwrite
    let stem = page.lowercased().hasSuffix(".html") ? String(page.dropLast(5)) : page
    folder = hasFolder ? stem + "-media" : nil
    guard page != "-" else {
      throw MediaError(.usage, "-o -: a listening page needs a file name, such as page.html")
    }
    try PlotPlace.check(page, inputs, overwrite, option: "-o")
    parent = PathParts.folder(of: page)
    guard let folder else { return }
    try OutputPlace(folder, overwrite: overwrite, as: "-o \(page): \(folder)").checkFree()
    try AuditionOutput.checkFolder(folder, page)
  }

  /// Refuses a folder that holds anything but the media of a page.
  private static func checkFolder(_ folder: String, _ page: String) throws {
    var facts = stat()
    guard lstat(folder, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR else {
      throw MediaError(
        .outputUnwritable, "-o \(page): \(folder) is no folder; give the page another name")
    }
    let start = Array(AuditionPage.Medium.scriptStart.utf8)
    for name in FolderNames.of(path: folder) {
      guard let file = try? LocalFile(path: folder + "/" + name), name.hasSuffix(".js"),
        file.bytes(at: 0, count: start.count) == start
      else {
        throw MediaError(
          .outputUnwritable,
          "-o \(page): \(folder)/\(name) is no medium of a page, and isn't replaced; give the page another name"
        )
      }
    }
  }

  /// Writes the media, then the page, so that no page lacks its media. The folder appears as a whole.
  /// - Returns: the report as the page holds it.
  /// - Throws: ``MediaError``.
  func write(_ made: AuditionMaker.Made) throws -> AuditionReport {
    var report = made.report
    guard let folder else {
      let size = made.media.reduce(0) { $0 + $1.bytes.count } / 3 * 4
      guard size <= AuditionOutput.largestPage else {
        throw MediaError(
          .outputLimit, about: page,
          "\(size >> 20) MiB of media are too much for one page; add --folder, or take fewer excerpts"
        )
      }
      try TextFile.write(
        try AuditionPage(report, media: made.media).html(), to: page, overwrite: overwrite)
      return report
    }
    report.folder = PathParts.of(folder).last
    let (fresh, old) = (try ScratchFolder(in: parent), try ScratchFolder(in: parent))
    for medium in made.media {
      try TextFile.write(medium.script(of: report.id), to: "\(fresh.path)/\(medium.key).js")
    }
    // Rendering took a while, in which somebody could have put files of their own there.
    try AuditionOutput.checkFolder(folder, page)
    // The old media go when `old` does, which must not be before the new ones are in place.
    defer { withExtendedLifetime(old) {} }
    guard chmod(fresh.path, 0o755) == 0 else { throw OutputFailure.error(errno, folder) }
    try FolderReplacement.put(fresh.path, at: folder, orMovingOldTo: old.path)
    try TextFile.write(try AuditionPage(report).html(), to: page, overwrite: overwrite)
    return report
  }
}

/// `pinna audition results`.
struct AuditionResultsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "results",
    abstract: "Show what listeners' answers say: which variant to use, and what was heard.",
    discussion: """
      Takes the JSON files that a listening page saved, of one listener or of several. Nothing is believed but the \
      answers: ranking and probabilities are computed anew.
      """)

  @Argument(help: "Files that the page saved.") var files: [String]
  @Flag(help: "Print JSON.") var json = false

  /// Largest file in bytes; a page saves some ten thousand.
  private static let largest: Int64 = 4 << 20

  func run() throws {
    let results = try files.map { path in
      let file = try LocalFile(path: path)
      guard file.size <= AuditionResultsCommand.largest else {
        throw MediaError(
          .inputUnreadable, about: path,
          "is too large for what a listening page saves; give its JSON file")
      }
      return try AuditionResult.parse(
        Data(file.bytes(at: 0, count: Int(file.size))), name: path)
    }
    let summary = try AuditionSummary(results)
    Terminal.output(json ? try ReportJSON.pretty(summary) : AuditionTable.text(summary))
  }
}

/// Listening pages and their results as text for the terminal.
enum AuditionTable {
  /// Content of a page, in a few lines.
  static func text(_ report: AuditionReport, page: String) -> String {
    let ways = report.ways.map { way in
      (
        "way",
        way.label + "  (\(way.played ?? report.command(way)))"
      )
    }
    let excerpts = report.excerpts.map { excerpt in
      (
        "excerpt",
        "\(excerpt.input) from \(Figures.fixed(excerpt.startSeconds, 1)) s, "
          + "\(excerpt.reason), \(Figures.fixed(excerpt.target, 1)) LUFS, ways within "
          + "\(Figures.fixed(excerpt.spreadLU, 3)) LU"
      )
    }
    let notes = report.notes.map { ("note", $0) }
    return lines(ways + excerpts + notes + [("page", page)])
  }

  /// Summary of listeners' results.
  static func text(_ summary: AuditionSummary) -> String {
    var rows: [(String, String)] = [("page", summary.title)]
    if summary.tournaments > 0 {
      for (place, way) in summary.ways.enumerated() {
        rows.append(("\(place + 1).", standing(way, of: summary.tournaments)))
      }
      if let best = summary.ways.first {
        rows.append(("use", "pinna render … \(best.flags)"))
      }
    }
    if let final = summary.final {
      rows.append(
        (
          "final",
          "\(final.winner) won \(final.won) of \(final.comparisons) against "
            + "\(final.runnerUp); where nobody hears a difference, \(share(final.guessing)) of such "
            + "matches end as clearly"
        ))
    }
    for test in summary.abx {
      let verdict =
        test.trials < test.planned
        ? "stopped before its \(test.planned) trials, so it shows nothing"
        : test.isHeard ? "a difference was heard" : "no difference was shown"
      rows.append(
        (
          "abx",
          "\(test.first) and \(test.second): \(test.right) of "
            + "\(test.trials) right, by guessing in \(share(test.guessing)): \(verdict)"
        ))
    }
    if summary.stopped > 0 {
      rows.append(("stopped", "\(summary.stopped) of the tournaments, which count for nothing"))
    }
    if summary.tournaments == 0, summary.abx.isEmpty {
      rows.append(("results", "no test was played to its end"))
    }
    return lines(rows)
  }

  private static func standing(_ way: AuditionSummary.Way, of tournaments: Int) -> String {
    var parts = ["preferred \(way.preferred) of \(way.comparisons)"]
    if tournaments > 1 {
      parts.insert("won \(way.tournamentsWon) of \(tournaments) tournaments", at: 0)
    }
    parts.append("outside of the head \(way.outside)")
    if way.places > 0 { parts.append("places right \(way.placesRight) of \(way.places)") }
    return way.label + ": " + parts.joined(separator: ", ")
  }

  private static func share(_ part: Double) -> String {
    part < 0.0001 ? "less than 0.01 %" : "\(Figures.fixed(part * 100, 2)) %"
  }

  private static func lines(_ rows: [(String, String)]) -> String {
    PlainText.lines(rows.map { Figures.padded($0.0, 10) + $0.1 })
  }
}
