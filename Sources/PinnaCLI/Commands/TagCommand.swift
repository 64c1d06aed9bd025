// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Platform
import Report
import Tagging

/// `pinna tag`.
struct TagCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Give music files loudness tags (ReplayGain, R128); the sound stays as it is.")

  @Argument(help: "Music files, and folders of them.") var paths: [String]
  @Flag(help: "Files of one folder are an album, and get its gain and peak, too.") var album = false
  @Flag(
    name: [.customShort("n"), .customLong("dry-run")], help: "Measure and show; write nothing.")
  var dryRun = false
  @Flag(
    name: [.customShort("S"), .customLong("skip-existing")], help: "Leave files that have the tags."
  )
  var skipExisting = false
  @Flag(help: "Remove the loudness tags.") var remove = false
  @Option(
    name: [.customShort("l"), .customLong("loudness")], parsing: .unconditional,
    help: "Loudness that the gains lead to, in LUFS (default -18).")
  var loudness: Given<Double>?
  @Option(help: "Peaks in the tags: sample (default) or true.")
  var peaks = Given(LoudnessTagger.Peaks.sample)
  @Flag(help: "Measure mono as two equal channels (+3 LU), as render --preset podcast does.")
  var dualMono = false
  @Option(help: "Lower gains so that no peak passes --max-peak: off (default), positive or always.")
  var clipping = Given(LoudnessTagger.Clipping.off)
  @Option(parsing: .unconditional, help: "Ceiling of peaks in dB with --clipping (default -1).")
  var maxPeak: Given<Double>?
  @Flag(name: [.customShort("p"), .customLong("preserve-times")], help: "Keep the files' times.")
  var preserveTimes = false
  @Flag(
    help: "Tag a file of several names (hard links); its other names keep the old file.")
  var breakLinks = false
  @Flag(help: "Write a file even if other tags of it get lost; each is named.") var loseTags = false
  @Flag(
    name: [.customShort("L"), .customLong("lowercase")], help: "Lower-case names in MP3 and MP4.")
  var lowercase = false
  @Option(name: [.customShort("j")], help: "Files measured at once (default: the number of cores).")
  var jobs: Int?
  @Flag(help: "Print JSON, one object for one file, an array for several.") var json = false
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only errors.") var quiet = false

  mutating func run() async throws {
    let tagger = try tagger()
    var run = MeasureRunArguments()
    run.jobs = jobs
    let runner = TagRunner(tagger, limit: try run.limit()) { Terminal.complain($0.message) }
    let files = TagCommand.distinct(try paths.flatMap(TagCommand.files))
    let work = Task { await runner.run(files) }
    let watch = InterruptWatch { work.cancel() }
    let (reports, code) = await work.value
    if json {
      let isSingle = reports.count == 1 && paths == files
      Terminal.output(try isSingle ? ReportJSON.pretty(reports[0]) : ReportJSON.pretty(reports))
    } else if !quiet {
      show(reports.filter { $0.state != .failed })
    }
    let status = code == MeasureRunner.stopped ? watch.exitCode : code
    if status != 0 { throw ExitStatus(code: status) }
  }

  /// The file at `path`, or the files of the folder there that have a place for tags, without films; others are named.
  private static func files(_ path: String) throws -> [String] {
    guard let found = try FolderInputs.files(in: path) else { return [path] }
    return found.filter { file in
      do {
        guard try StoredLoudness(path: file).isFilm else { return true }
        throw MediaError(
          .unsupportedFeature, about: file, "is a film; name it on the command line to tag it")
      } catch let error as MediaError where error.kind == .unsupportedFeature {
        Terminal.error(PlainText.lines(["left alone: \(error.message)"]))
        return false
      } catch {}
      return true
    }
  }

  /// Each file once, however often and by whatever name it is given.
  private static func distinct(_ files: [String]) -> [String] {
    var seen: Set<[UInt64]> = []
    return files.filter { FilePlace.identity($0).map { seen.insert($0).inserted } ?? true }
  }

  private func tagger() throws -> LoudnessTagger {
    guard !remove || !(dryRun || skipExisting || album) else {
      throw MediaError(.usage, "--remove: goes with no option that makes tags; leave that out")
    }
    guard maxPeak == nil || clipping.isTyped else {
      throw MediaError(.usage, "--max-peak: is a bound of --clipping; add --clipping positive")
    }
    var tagger = LoudnessTagger()
    tagger.isAlbum = album
    tagger.isDualMono = dualMono
    tagger.isDryRun = dryRun
    tagger.skipsTagged = skipExisting
    tagger.removes = remove
    if let loudness { tagger.reference = try TagCommand.number(loudness, "--loudness", -40...0) }
    if let maxPeak { tagger.ceiling = try TagCommand.number(maxPeak, "--max-peak", -20...0) }
    tagger.peaks = try peaks.value(of: "--peaks")
    tagger.clipping = try clipping.value(of: "--clipping")
    tagger.options = TagReplacement.Options(
      keepsTimes: preserveTimes, breaksHardLinks: breakLinks, losesTags: loseTags,
      lowercase: lowercase)
    return tagger
  }

  private static func number(
    _ given: Given<Double>, _ name: String, _ range: ClosedRange<Double>
  ) throws -> Double {
    guard let value = Double(given.text), range.contains(value) else {
      throw MediaError(
        .usage,
        "\(name) \(given.text): give a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
      )
    }
    return value
  }

  private func show(_ reports: [TagReport]) {
    guard !reports.isEmpty else { return }
    let titles =
      ["I LUFS", "gain dB", "peak"] + (album ? ["album dB", "peak"] : []) + ["", "file"]
    let rows = reports.map { report in
      let own = [
        Figures.fixed(report.integrated, 2), Figures.fixed(report.trackGainDB, 2),
        Figures.fixed(report.trackPeak, 6),
      ]
      let all = [Figures.fixed(report.albumGainDB, 2), Figures.fixed(report.albumPeak, 6)]
      return own + (album ? all : []) + [report.state.rawValue, report.path]
    }
    Terminal.output(PlainText.table([titles] + rows, right: 0..<(album ? 5 : 3)))
    for report in reports {
      for note in report.notes { Terminal.error(PlainText.lines(["\(report.path): \(note)"])) }
    }
  }
}
