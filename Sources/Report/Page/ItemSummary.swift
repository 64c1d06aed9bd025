// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The row of one report in the overview table.
struct ItemSummary {
  /// How good or bad it is.
  enum Grade: String {
    case good, warning, bad

    /// Shows the grade to readers who can't tell the colours apart.
    var sign: String {
      switch self {
      case .good: return "✓"
      case .warning: return "!"
      case .bad: return "✗"
      }
    }
  }

  /// The figures of one of several outputs in the overview table.
  struct Output {
    /// The file's name.
    let name: String
    /// Integrated loudness before and after, LUFS.
    let loudness: (before: Double?, after: Double?)
    /// True peak before and after, dBTP.
    let truePeak: (before: Double?, after: Double?)
    /// Loudness of the dialogue before and after, LUFS; `nil` where it wasn't looked for.
    var dialogue: (before: Double?, after: Double?)?
    /// Gain, dB.
    let gainDB: Double?
    /// Largest gain reduction by the limiter, dB; `nil` where it had nothing to do.
    let limiterDB: Double?
    /// Degradations of this output alone.
    let remarks: Int
    /// Length, seconds.
    let duration: Double?
  }

  /// `render`, `comparison`, `goldens` or `validation`.
  let kind: String
  let grade: Grade
  /// A word or two, e.g. `degraded`.
  let status: String
  /// Problem, in a sentence.
  var problem: String?
  /// Token of what went wrong.
  var problemKind: String?
  /// Exit code of the command that wrote the report.
  var exit: Int32
  /// Integrated loudness before and after, LUFS; set only where the report has a single output.
  var loudness: (before: Double?, after: Double?) = (nil, nil)
  /// True peak before and after, dBTP; set only where the report has a single output.
  var truePeak: (before: Double?, after: Double?) = (nil, nil)
  /// Loudness of the dialogue of the single output before and after, LUFS; `nil` where it wasn't looked for.
  var dialogue: (before: Double?, after: Double?)?
  /// Gain of the single output, dB.
  var gainDB: Double?
  /// Largest gain reduction by its limiter, dB.
  var limiterDB: Double?
  /// Figures of each output, where there are several.
  var outputs: [Output] = []
  /// Degradations, failed layers, failed goldens or findings.
  var remarks = 0
  /// Classes of its degradations.
  var classes: [DegradationClass] = []
  /// Length of the programme, seconds.
  var duration: Double?
  /// Seconds of audio per elapsed second.
  var speed: Double?
  /// Elapsed seconds.
  var wallSeconds: Double?

  init(_ item: ReportItem) {
    switch item.content {
    case .render(let report): self.init(report)
    case .comparison(let report): self.init(report)
    case .golden(let report): self.init(report)
    case .validation(let report): self.init(report)
    case .measurement(let report): self.init(report)
    case .album(let report): self.init(report)
    }
  }

  private init(_ report: RenderReport) {
    kind = "render"
    exit = report.exit
    remarks = report.degradations.count
    let found = Set(report.degradations.map(\.code.degradationClass))
    classes = DegradationClass.allCases.filter(found.contains)
    if report.status == .error || report.error != nil || report.exit != 0 {
      grade = .bad
      status = "failed"
      problem = report.error?.message ?? "it ended with exit code \(report.exit)"
      problemKind = report.error?.kind ?? "exit-\(report.exit)"
    } else {
      grade = report.status == .silent || remarks > 0 ? .warning : .good
      switch report.status {
      case .silent: status = "silent"
      case .unchanged: status = remarks > 0 ? "degraded" : "unchanged"
      default: status = remarks > 0 ? "degraded" : "ok"
      }
    }
    let outputs = report.outputs.enumerated().map { index, output in
      let loudness = output.loudness
      return Output(
        name: PageText.fileName(output.path),
        loudness: (
          loudness?.input.integrated, loudness?.output.integrated ?? output.integrated
        ), truePeak: (loudness?.input.truePeak, loudness?.output.truePeak ?? output.truePeak),
        dialogue: loudness?.dialogue.map { (loudness?.inputDialogue, $0.dialogueLoudness) },
        gainDB: loudness?.gainDB ?? output.gainDB, limiterDB: loudness?.limiter?.maxReductionDB,
        remarks: report.degradations.count { $0.subject == .output(index) },
        duration: report.seconds(of: output))
    }
    if outputs.count == 1 {
      (loudness, truePeak) = (outputs[0].loudness, outputs[0].truePeak)
      (gainDB, limiterDB) = (outputs[0].gainDB, outputs[0].limiterDB)
      dialogue = outputs[0].dialogue
    } else {
      self.outputs = outputs
    }
    duration = ItemSummary.duration(of: report)
    // A run that failed stopped early, so its speed says nothing about a whole run.
    speed = report.exit == 0 ? report.performance?.realtimeFactor : nil
    wallSeconds = report.performance?.wallSeconds
  }

  private init(_ report: ComparisonReport) {
    kind = "comparison"
    grade = report.alike ? .good : .bad
    status = report.alike ? "alike" : "different"
    problem = report.alike ? nil : report.verdict
    problemKind =
      report.alike ? nil : (report.explainedBy ?? report.failed)?.rawValue ?? "different"
    exit = report.alike ? 0 : 7
    remarks = report.layers.count { $0.status == .failed }
    duration = PageText.seconds(report.test.samples, rate: report.test.rate)
  }

  private init(_ report: GoldenReport) {
    let failed = report.failed
    kind = "goldens"
    grade = failed > 0 ? .bad : .good
    status = failed > 0 ? "failed" : "as recorded"
    problem =
      failed > 0 ? "\(failed) of \(report.entries.count) goldens aren't as recorded" : nil
    problemKind = failed > 0 ? "golden" : nil
    exit = failed > 0 ? 7 : 0
    remarks = failed
    wallSeconds = report.entries.reduce(0) { $0 + $1.seconds }
  }

  private init(_ report: ValidationReport) {
    kind = "validation"
    grade = report.findings.isEmpty ? .good : .bad
    status = report.findings.isEmpty ? "valid" : "invalid"
    problem = report.findings.first.map { "\($0.message) (\($0.code) in \($0.path))" }
    problemKind = report.findings.first?.code
    exit = report.findings.isEmpty ? 0 : 7
    remarks = report.findings.count
  }

  private init(_ report: MeasureReport) {
    kind = "measurement"
    grade = report.degradations.isEmpty ? .good : .warning
    status = report.degradations.isEmpty ? "measured" : "measured with remarks"
    exit = 0
    remarks = report.degradations.count
    loudness = (report.levels.integrated, nil)
    truePeak = (report.levels.truePeak, nil)
    dialogue = report.dialogue.map { ($0.dialogueLoudness, nil) }
    duration = PageText.seconds(report.samples, rate: report.input.rate)
  }

  private init(_ report: MeasureAlbumReport) {
    // Remarks are those of its files, which have items of their own.
    (kind, grade, status, exit, remarks) = ("measurement", .good, "measured", 0, 0)
    loudness = (report.album.integrated, nil)
    truePeak = (report.album.truePeak, nil)
    dialogue = report.dialogue.map { ($0.dialogueLoudness, nil) }
    duration = report.seconds
  }

  /// Length of what a render delivers, seconds.
  static func duration(of report: RenderReport) -> Double? {
    if let output = report.outputs.first { return report.seconds(of: output) }
    guard let timeline = report.timeline else { return nil }
    return PageText.seconds(timeline.samplesOut, rate: timeline.start.rate)
  }

  /// How many reports there are and ``statuses(_:)``: `3 reports: 1 failed, 2 ok`.
  static func headline(_ summaries: [ItemSummary]) -> String {
    let reports = PageText.count(summaries.count, "report")
    return summaries.isEmpty ? reports : reports + ": " + statuses(summaries)
  }

  /// How many reports have each status, the worst status first: `1 failed, 1 degraded, 1 ok`.
  static func statuses(_ summaries: [ItemSummary]) -> String {
    var words: [String] = []
    for grade in [Grade.bad, .warning, .good] {
      for summary in summaries where summary.grade == grade && !words.contains(summary.status) {
        words.append(summary.status)
      }
    }
    return words.map { word in "\(summaries.count { $0.status == word }) \(word)" }
      .joined(separator: ", ")
  }
}
