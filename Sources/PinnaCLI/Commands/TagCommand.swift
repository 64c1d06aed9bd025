import ArgumentParser
import AudioCore
import Essentials
import Inspection
import Loudness
import Platform
import Rendering
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
  @Option(help: "Lower gains so that no peak passes --max-peak: off (default), positive or always.")
  var clipping = Given(LoudnessTagger.Clipping.off)
  @Option(parsing: .unconditional, help: "Ceiling of peaks in dB with --clipping (default -1).")
  var maxPeak: Given<Double>?
  @Flag(name: [.customShort("p"), .customLong("preserve-times")], help: "Keep the files' times.")
  var preserveTimes = false
  @Flag(
    help: "Write a file of several names (hard links), and leave the other names to the old one.")
  var breakLinks = false
  @Flag(help: "Write a file though other tags of it get lost; each is named.") var loseTags = false
  @Flag(
    name: [.customShort("L"), .customLong("lowercase")], help: "Lower-case names in MP3 and MP4.")
  var lowercase = false
  @Option(name: [.customShort("j")], help: "Files measured at once (default: the number of cores).")
  var jobs: Int?
  @Flag(name: [.customShort("q"), .customLong("quiet")], help: "Only errors.") var quiet = false

  mutating func run() async throws {
    let tagger = try tagger()
    var run = MeasureRunArguments()
    run.jobs = jobs
    let runner = TagRunner(tagger: tagger, limit: try run.limit())
    let files = TagCommand.distinct(try paths.flatMap(TagCommand.files))
    let work = Task { await runner.run(files) }
    let watch = InterruptWatch { work.cancel() }
    let (results, code) = await work.value
    if !quiet { show(results) }
    let status = code == MeasureRunner.stopped ? watch.exitCode : code
    if status != 0 { throw ExitStatus(code: status) }
  }

  /// The file at `path`, or the files of the folder there that have a place for tags; others are named.
  private static func files(_ path: String) throws -> [String] {
    guard let found = try FolderInputs.files(in: path) else { return [path] }
    return found.filter { file in
      do { _ = try StoredLoudness(path: file) } catch let error as MediaError
        where error.kind == .unsupportedFeature
      {
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

  private func show(_ results: [LoudnessTagger.Result]) {
    guard !results.isEmpty else { return }
    let titles =
      ["I LUFS", "gain dB", "peak"] + (album ? ["album dB", "peak"] : []) + ["", "file"]
    let rows = results.map { result in
      let tags = result.tags
      let own = [
        Figures.fixed(result.integrated, 2), Figures.fixed(tags.trackGain, 2),
        Figures.fixed(tags.trackPeak, 6),
      ]
      let all = [Figures.fixed(tags.albumGain, 2), Figures.fixed(tags.albumPeak, 6)]
      return own + (album ? all : []) + [result.state.rawValue, result.path]
    }
    Terminal.output(PlainText.table([titles] + rows, right: 0..<(album ? 5 : 3)))
    for result in results {
      for note in result.notes { Terminal.error(PlainText.lines(["\(result.path): \(note)"])) }
    }
  }
}

/// Measures files several at once, and writes their tags, one album after another.
struct TagRunner: Sendable {
  let tagger: LoudnessTagger
  /// Files measured at once.
  let limit: Int

  /// A file with what was measured of it; `nil` of one that is left alone.
  private typealias Measured = (path: String, levels: LoudnessTagger.Measured?)
  private typealias Outcome = Result<LoudnessTagger.Result, MediaError>

  /// Tags all files. One that can't be measured leaves its album without tags; one that can't be written leaves the others theirs.
  /// - Returns: what became of them, in the order of `files`, and the exit code of the first failure.
  func run(_ files: [String]) async -> ([LoudnessTagger.Result], Int32) {
    let groups = groups(files)
    var outcomes = [[Outcome]?](repeating: nil, count: groups.count)
    await withTaskGroup(of: (Int, [Outcome]).self) { tasks in
      var waiting = groups.indices[...]
      var running = 0
      while true {
        // An album measures its files at once by itself.
        while running < (tagger.isAlbum ? 1 : limit), !Task.isCancelled,
          let index = waiting.popFirst()
        {
          running += 1
          tasks.addTask { (index, await tag(groups[index])) }
        }
        guard let (index, outcome) = await tasks.next() else { break }
        outcomes[index] = outcome
        running -= 1
      }
    }
    let all = outcomes.compactMap(\.self).flatMap(\.self)
    let codes = all.map { outcome -> Int32 in
      guard case .failure(let failure) = outcome else { return 0 }
      return failure.exitCode
    }
    let isStopped = outcomes.contains { $0 == nil } || codes.contains(MeasureRunner.stopped)
    return (
      all.compactMap { try? $0.get() },
      isStopped ? MeasureRunner.stopped : codes.first { $0 != 0 } ?? 0
    )
  }

  /// Runs `body` for one file, and names its failure.
  private func outcome(_ body: () throws -> LoudnessTagger.Result) -> Outcome {
    do { return .success(try body()) } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      Terminal.complain(failure.message)
      return .failure(failure)
    }
  }

  /// Files that get their tags together: those of a folder where albums are wanted, else some at once.
  private func groups(_ files: [String]) -> [[String]] {
    guard tagger.isAlbum else { return files.map { [$0] } }
    var order: [[UInt64]] = []
    var folders: [[UInt64]: [String]] = [:]
    for file in files {
      let folder = FilePlace.identity(PathParts.folder(of: file)) ?? []
      if folders[folder] == nil { order.append(folder) }
      folders[folder, default: []].append(file)
    }
    return order.compactMap { folders[$0] }
  }

  private func tag(_ files: [String]) async -> [Outcome] {
    if tagger.removes {
      return files.map { file in outcome { try tagger.write(.none, into: file) } }
    }
    let measured: [Measured]
    do { measured = try await measure(files) } catch { return [outcome { throw error }] }
    let all = measured.compactMap(\.levels?.statistics)
    let album = tagger.isAlbum && !all.isEmpty ? LoudnessStatistics.combined(all) : nil
    return measured.map { file in
      guard let levels = file.levels else {
        return .success(LoudnessTagger.Result(path: file.path, state: .skipped))
      }
      return outcome {
        try tagger.write(
          tagger.tags(levels.statistics, album: album), into: file.path,
          integrated: levels.statistics.measurement.integrated, doubts: levels.doubts)
      }
    }
  }

  /// Measures files. Of an album, all are measured unless all have their tags.
  private func measure(_ files: [String]) async throws -> [Measured] {
    let skipped = try files.map { try tagger.skips($0) }
    let isDone = skipped.allSatisfy(\.self)
    return try await withThrowingTaskGroup(of: (Int, LoudnessTagger.Measured?).self) { group in
      var found = [LoudnessTagger.Measured?](repeating: nil, count: files.count)
      var waiting = files.indices[...]
      var running = 0
      while true {
        while running < limit, let index = waiting.popFirst() {
          running += 1
          let isLeft = tagger.isAlbum ? isDone : skipped[index]
          group.addTask(executorPreference: JobExecutor()) {
            (index, isLeft ? nil : try tagger.measure(files[index]))
          }
        }
        guard let (index, statistics) = try await group.next() else { break }
        found[index] = statistics
        running -= 1
      }
      return Array(zip(files, found))
    }
  }
}
