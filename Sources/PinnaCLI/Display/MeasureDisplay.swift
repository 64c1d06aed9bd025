// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import Rendering
import Report
import Synchronization

/// Shows how far a run over several files is: one bar for all on a terminal, or one JSON object a
/// line for each file.
final class MeasureDisplay: Sendable {
  private struct State {
    /// Part of each file that is done, 0…1; never decreases.
    var parts: [Double]
    var ended = 0
    var lastShown = 0.0
    var hasBar = false
    var remaining = RemainingTime()
  }

  private let start = ProgressDisplay.now
  private let drawsBar: Bool
  /// One for each file; they write only in the style `ndjson`.
  private let lines: [ProgressDisplay]
  private let state: Mutex<State>

  /// A display for the files at `paths`; `auto` becomes a bar on a terminal and nothing elsewhere.
  init(style: ProgressDisplay.Style, paths: [String], isQuiet: Bool) {
    drawsBar = style == .auto && !isQuiet && Terminal.isInteractive
    let lineStyle: ProgressDisplay.Style = style == .ndjson ? .ndjson : .none
    lines = MeasureDisplay.jobs(paths).map {
      ProgressDisplay(style: lineStyle, job: $0, isQuiet: isQuiet)
    }
    state = Mutex(State(parts: [Double](repeating: 0, count: paths.count)))
  }

  /// Names the jobs. A file given twice is two jobs, so that the count of neither goes back.
  private static func jobs(_ paths: [String]) -> [String] {
    var seen: [PathName: Int] = [:]
    return paths.map(WebAddress.withoutCredentials).map { path in
      seen[PathName(path), default: 0] += 1
      let count = seen[PathName(path)] ?? 1
      return count == 1 ? path : "\(path) (\(count))"
    }
  }

  /// Shows how far the file with this index is.
  func show(_ progress: RenderProgress, of index: Int) {
    lines[index].show(progress)
    guard drawsBar, let total = progress.total, total > 0 else { return }
    let part = min(1, Double(progress.done) / Double(total))
    state.withLock { state in
      state.parts[index] = max(state.parts[index], part)
      draw(&state)
    }
  }

  /// Notes that the file with this index is measured.
  func finish(_ index: Int) {
    lines[index].finish()
    end(index, nil)
  }

  /// Marks the file with this index as failed, and prints the reason.
  func fail(_ index: Int, _ sentence: String) { end(index, sentence) }

  /// Clears the bar.
  func clear() { state.withLock { MeasureDisplay.wipe(&$0) } }

  private func end(_ index: Int, _ sentence: String?) {
    state.withLock { state in
      state.parts[index] = 1
      state.ended += 1
      if let sentence {
        MeasureDisplay.wipe(&state)
        Terminal.complain(sentence)
      }
      if drawsBar { draw(&state) }
    }
  }

  /// Draws the bar, at most ten times a second.
  private func draw(_ state: inout State) {
    let now = ProgressDisplay.now
    guard now - state.lastShown >= 0.1 else { return }
    state.lastShown = now
    state.hasBar = true
    let part = state.parts.reduce(0, +) / Double(max(1, state.parts.count))
    let left = state.remaining.text(part: part, elapsed: now - start)
    var text = "measuring " + ProgressDisplay.bar(part: part, left)
    if state.parts.count > 1 { text += ", \(state.ended) of \(state.parts.count) files" }
    Terminal.overdraw(text)
  }

  private static func wipe(_ state: inout State) {
    guard state.hasBar else { return }
    state.hasBar = false
    Terminal.overdraw()
  }
}

/// Loudness figures as a table or CSV.
enum MeasureTable {
  private static let titles = ["I LUFS", "M max", "S max", "LRA LU", "TP dBTP", "PLR"]

  /// A row of either form: the figures, and the name at its end.
  private struct Row {
    let name: String
    let levels: RenderReport.Levels
    let peakToLoudness: Double?
    let dialogue: DialogueLoudness?
    /// Names of the channels whose peaks `levels` has.
    let channels: [String]
  }

  private static func rows(_ reports: [MeasureReport], _ album: MeasureAlbumReport?) -> [Row] {
    let files = reports.map {
      Row(
        name: $0.input.path, levels: $0.levels, peakToLoudness: $0.peakToLoudness,
        dialogue: $0.dialogue, channels: $0.channels)
    }
    guard let album else { return files }
    return files + [
      Row(
        name: "album", levels: album.album, peakToLoudness: album.peakToLoudness,
        dialogue: album.dialogue,
        channels: album.album.channelTruePeaks.isEmpty ? [] : reports[0].channels)
    ]
  }

  /// A table for people, with a last row for the album; the true peak of each channel has a column named for the channel.
  static func text(_ reports: [MeasureReport], _ album: MeasureAlbumReport? = nil) -> String {
    let channels = channels(of: reports)
    let peakTitles = channels.enumerated().map { $0 == 0 ? "TP " + $1 : $1 }
    let hasDialogue = reports.contains { $0.dialogue != nil }
    let titles = titles + (hasDialogue ? DialogueText.titles : [])
    let rows = rows(reports, album).map { row in
      let levels = row.levels
      let figures = [
        Figures.fixed(levels.integrated, 2), Figures.fixed(levels.momentaryMax, 2),
        Figures.fixed(levels.shortTermMax, 2), Figures.fixed(levels.range, 1),
        Figures.fixed(levels.truePeak, 2), Figures.fixed(row.peakToLoudness, 2),
      ]
      let peaks = peaks(of: row, channels).map { $0.map { Figures.fixed($0, 1) } ?? "" }
      return figures + (hasDialogue ? DialogueText.figures(row.dialogue) : []) + peaks + [row.name]
    }
    return PlainText.table(
      [titles + peakTitles + ["file"]] + rows, right: 0..<(titles.count + channels.count))
  }

  /// CSV after RFC 4180: a header, one column per figure, an empty field where there is none; the last line is that of
  /// the album.
  static func csv(_ reports: [MeasureReport], _ album: MeasureAlbumReport? = nil) -> String {
    let channels = channels(of: reports)
    let names = [
      "path", "integrated", "momentary_max", "short_term_max", "range", "true_peak",
      "peak_to_loudness", "sample_peak",
    ]
    let hasDialogue = reports.contains { $0.dialogue != nil }
    let header =
      names + (hasDialogue ? DialogueText.columns : [])
      + channels.map { "true_peak_" + $0.lowercased() }
    let rows = rows(reports, album).map { row in
      let levels = row.levels
      let figures = [
        levels.integrated, levels.momentaryMax, levels.shortTermMax, levels.range, levels.truePeak,
        row.peakToLoudness, levels.samplePeak,
      ]
      func field(_ figure: Double?) -> String { figure.map { Figures.fixed($0, 2) } ?? "" }
      return [escaped(row.name)] + figures.map(field)
        + (hasDialogue ? DialogueText.fields(row.dialogue) : [])
        + peaks(of: row, channels).map { field($0 ?? nil) }
    }
    return ([header] + rows).map { $0.joined(separator: ",") + "\r\n" }.joined()
  }

  /// Every channel that any of the files has, in the order of first occurrence.
  private static func channels(of reports: [MeasureReport]) -> [String] {
    var seen: Set<String> = []
    return reports.flatMap(\.channels).filter { seen.insert($0).inserted }
  }

  /// The true peaks of these channels; the outer `nil` means that the file doesn't have the
  /// channel.
  private static func peaks(of row: Row, _ channels: [String]) -> [Double??] {
    let own = Dictionary(
      zip(row.channels, row.levels.channelTruePeaks), uniquingKeysWith: { first, _ in first })
    return channels.map { own[$0] }
  }

  /// Compares scalars, not characters: a quote with an accent on it, or CR LF, is a single
  /// character.
  private static func escaped(_ text: String) -> String {
    let special = text.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
    guard special else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}

/// Figures of dialogue as text.
enum DialogueText {
  /// Titles of ``figures(_:)`` in the table.
  static let titles = ["DL LUFS", "LDR LU", "speech"]
  /// Names of ``fields(_:)`` in CSV.
  static let columns = [
    "dialogue_loudness", "dialogue_ldr", "dialogue_share", "dialogue_range", "dialogue_seconds",
    "dialogue_certain_seconds", "dialogue_source", "dialogue_verdict", "dialogue_confidence",
  ]

  /// Figures in the table.
  static func figures(_ dialogue: DialogueLoudness?) -> [String] {
    guard let dialogue else { return titles.map { _ in "" } }
    return [
      Figures.fixed(dialogue.dialogueLoudness, 2), Figures.fixed(dialogue.ldr, 2),
      Figures.fixed(dialogue.share * 100, 0) + " %",
    ]
  }

  /// Fields of CSV; those without a value are empty.
  static func fields(_ dialogue: DialogueLoudness?) -> [String] {
    guard let dialogue else { return columns.map { _ in "" } }
    let figures = [
      dialogue.dialogueLoudness, dialogue.ldr, dialogue.share, dialogue.dialogueRange,
      dialogue.speechSeconds, dialogue.certainSeconds,
    ]
    return figures.map { $0.map { Figures.fixed($0, 2) } ?? "" }
      + ["\(dialogue.source)", "\(dialogue.verdict)", "\(dialogue.confidence)"]
  }
}
