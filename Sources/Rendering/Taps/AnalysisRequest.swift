// SPDX-License-Identifier: Apache-2.0
import Analysis
import AudioCore
import LibAV
import MediaOut
import Platform
import Report

/// A request for analyses of the samples that are written.
public struct AnalysisRequest: Sendable, Hashable, Codable {
  /// One kind of look at the sound.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A picture of levels over time and frequency; a PNG file.
    case spectrogram
    /// Peak, RMS and crest of each channel for each 100 ms; the file is CSV.
    case levels
    /// Correlation of left and right and the loss of a mono downmix for each 100 ms; the file is CSV.
    case phase
    /// Runs of silence; the file holds what sounds between them as chapters (.cue, .json, .txt) or the runs (.csv).
    case silence
    /// End of the content in frequency.
    case bandlimit
  }

  /// A kind, with the file that it goes to besides the report.
  public struct Part: Sendable, Hashable, Codable {
    /// Kind of analysis.
    public var kind: Kind
    /// The file; `nil` for none. A spectrogram needs one, a band limit has none.
    public var path: String?

    /// A part.
    public init(_ kind: Kind, path: String? = nil) {
      self.kind = kind
      self.path = path
    }
  }

  /// The parts, each kind once.
  public var parts: [Part]

  /// These parts.
  public init(_ parts: [Part]) { self.parts = parts }

  /// The files that are written.
  var files: [String] { parts.compactMap(\.path) }

  /// Kinds of the analyses, in words.
  var text: String { parts.map(\.kind.rawValue).joined(separator: ", ") }

  /// Makes sure that each kind stands once and has a file of its own kind.
  /// - Throws: ``MediaError`` of kind `usage`.
  func check() throws {
    guard !parts.isEmpty, Set(parts.map(\.kind)).count == parts.count else {
      throw MediaError(.usage, "\(setting: .analysis): give each kind once")
    }
    guard !files.hasTwinNames else {
      throw MediaError(.usage, "\(setting: .analysis): give each kind a file of its own")
    }
    for part in parts { try part.check() }
  }
}

extension AnalysisRequest.Part {
  /// Possible endings of its files' names; empty where it has none.
  private var suffixes: [String] {
    switch kind {
    case .spectrogram: return [".png"]
    case .levels, .phase: return [".csv"]
    case .silence: return [".cue", ".json", ".txt", ".csv"]
    case .bandlimit: return []
    }
  }

  fileprivate func check() throws {
    guard let path else {
      guard kind != .spectrogram else {
        throw MediaError(
          .usage, "\(setting: .analysis) spectrogram: give its file, such as spectrogram=FILE.png")
      }
      return
    }
    guard suffixes.contains(where: { path.lowercased().hasSuffix($0) }) else {
      let allowed = suffixes.joined(separator: ", ")
      throw MediaError(
        .usage,
        suffixes.isEmpty
          ? "\(setting: .analysis) \(kind.rawValue): it has no file; leave =\(path) out"
          : "\(setting: .analysis) \(kind.rawValue)=\(path): give a name that ends in \(allowed)")
    }
  }
}

extension OutputRequest {
  /// The files that analyses of this output write.
  package var analysisFiles: [String] {
    (rendition?.taps ?? []).flatMap { tap -> [String] in
      if case .analysis(let request) = tap.work { return request.files }
      return []
    }
  }
}

/// Looks at the samples that are written, as an ``AnalysisRequest`` says.
final class AnalysisObserver: AudioObserver {
  private let request: AnalysisRequest
  private let name: String
  private let open: (String) throws -> DescriptorSink
  private var tables: [DescriptorSink] = []
  private var levels: LevelAnalyser?
  private var phase: PhaseAnalyser?
  private var silence: SilenceAnalyser?
  private var band: BandLimitAnalyser?
  private var spectrogram: SpectrogramAnalyser?
  /// Findings; complete after ``finish()``.
  private(set) var findings = RenderReport.Analysis()
  /// Facts that can't be found out about this sound, as sentences.
  private(set) var remarks: [String] = []

  /// The tap that looks as `request` says.
  /// - Throws: ``MediaError`` of kind `usage` where the request contradicts itself.
  static func load(_ request: AnalysisRequest, at point: TapPoint) throws -> LoadedTap {
    try request.check()
    let plan = PlannedTap(
      point: point, kind: "analyze", name: request.text, sha256: nil, settings: request.files)
    return LoadedTap(
      plan: plan,
      observing: { context, open in
        AnalysisObserver(
          request, name: context.title ?? PathParts.split(context.source).name, open: open)
      })
  }

  /// Looks at the output called `name`; `open` gives the files of the request.
  init(
    _ request: AnalysisRequest, name: String, open: @escaping (String) throws -> DescriptorSink
  ) {
    self.request = request
    self.name = name
    self.open = open
  }

  func prepare(_ format: AudioFormat) throws {
    for part in request.parts {
      switch part.kind {
      case .levels:
        let table = try table(part, LevelRow.csvHeader(format.layout))
        levels = LevelAnalyser(format) { try table?.write(line: $0.csv) }
      case .phase:
        let table = try table(part, PhaseRow.csvHeader)
        phase = PhaseAnalyser(format) { try table?.write(line: $0.csv) }
        if phase == nil {
          remarks.append(
            "\(format.layout.name) has no left and right whose phase could be compared")
        }
      case .silence: silence = SilenceAnalyser(format)
      case .bandlimit: band = BandLimitAnalyser(format)
      case .spectrogram: spectrogram = try SpectrogramAnalyser(format)
      }
    }
  }

  /// The table of a part with its head; `nil` where it has no file.
  private func table(_ part: AnalysisRequest.Part, _ head: String) throws -> DescriptorSink? {
    guard let path = part.path else { return nil }
    let sink = try open(path)
    try sink.write(line: head)
    tables.append(sink)
    return sink
  }

  func observe(_ block: AudioBuffer, at position: Int64) throws {
    try levels?.add(block)
    try phase?.add(block)
    try silence?.add(block)
    try band?.add(block)
    try spectrogram?.add(block)
  }

  func finish() throws {
    findings.levels = try levels?.finish().channels.map(RenderReport.Analysis.Channel.init)
    findings.phase = try (phase?.finish()).map(RenderReport.Analysis.Phase.init)
    if let found = try silence?.finish() {
      findings.silence = RenderReport.Analysis.Silence(found)
      try write(found)
    }
    findings.bandLimit = try (band?.finish()).map(RenderReport.Analysis.BandLimit.init)
    for part in request.parts where part.kind == .spectrogram {
      findings.spectrogram = part.path
      if let found = try spectrogram?.finish(), let path = part.path { try draw(found, path) }
    }
    for table in tables { try table.finish() }
  }

  private func draw(_ found: Spectrogram, _ path: String) throws {
    let picture = SpectrogramPicture(found, title: name).picture
    let sink = try open(path)
    try sink.write(
      PNGEncoder(width: picture.width, height: picture.height).encode(rgb: picture.pixels))
    try sink.finish()
  }

  /// Writes what sounds as chapters, or the runs of silence as a table.
  private func write(_ found: SilenceFindings) throws {
    guard let path = request.parts.first(where: { $0.kind == .silence })?.path else { return }
    let sink = try open(path)
    let rate = Int64(found.sampleRate)
    if path.lowercased().hasSuffix(".csv") {
      try sink.write(line: "start_s,end_s,first_sample,samples")
      for run in found.silences {
        let times = [run.first, run.end].map { TableText.time(Double($0) / Double(rate)) }
        try sink.write(line: "\(times[0]),\(times[1]),\(run.first),\(run.count)")
      }
    } else {
      let markers = found.soundingParts.enumerated().map { index, part in
        ProgrammeMarker(
          time: MediaTime(ticks: part.first, rate: rate), title: "Part \(index + 1)")
      }
      let log = DiagnosticLog()
      let text = try ChapterSheet(path: path).text(
        MarkerSheet(markers, length: MediaTime(ticks: found.samples, rate: rate), path: name), log)
      remarks += log.degradations.map(\.message)
      try sink.write(Array(text.utf8))
    }
    try sink.finish()
  }

  func close(_ end: TapEnd) {}
}

extension DescriptorSink {
  /// Writes `line` and its end.
  fileprivate func write(line: String) throws { try write(Array((line + "\n").utf8)) }
}

extension RenderReport.Analysis.Channel {
  /// Report on the levels of one channel.
  init(_ found: LevelFindings.Channel) {
    self.init(
      name: found.name, peak: found.level.peakDBFS, rms: found.level.rmsDBFS,
      crestDB: found.level.crestDB, dcOffset: found.dcOffset, clippedRuns: found.clippedRuns,
      longestRun: found.longestRunSamples, peaks: .init(found.peakCurve),
      levels: .init(found.rmsCurve))
  }
}

extension RenderReport.Analysis.Curve {
  init(_ found: StepCurve) {
    self.init(
      intervalSeconds: found.intervalSeconds,
      values: RenderReport.Curves.Curve(
        highest: found.highest, lowest: found.lowest == found.highest ? nil : found.lowest))
  }
}

extension RenderReport.Analysis.Phase {
  /// Report on the phase of a pair.
  init(_ found: PhaseFindings) {
    self.init(
      channels: found.names, mean: found.mean, lowest: found.lowest,
      lowestAtSeconds: found.lowestAtSeconds, shareBelowZero: found.shareBelowZero,
      monoLossDB: found.monoLossDB, histogram: found.histogram, correlation: .init(found.curve))
  }
}

extension RenderReport.Analysis.Silence {
  /// Most runs in a report; a file holds more.
  private static let mostRuns = 1000

  /// Report on silence.
  init(_ found: SilenceFindings) {
    self.init(
      thresholdDBFS: found.thresholdDBFS,
      leastSeconds: Double(found.leastSamples) / Double(found.sampleRate), count: found.count,
      samples: found.silentSamples,
      runs: found.silences.prefix(Self.mostRuns).map { .init(first: $0.first, samples: $0.count) })
  }
}

extension RenderReport.Analysis.BandLimit {
  /// Report on the end of the band.
  init(_ found: BandLimitFindings) {
    self.init(
      highestHz: found.highestHz, edge: found.edge.rawValue, dropDB: found.dropDB,
      doubt: found.doubt.rawValue, sentence: found.sentence)
  }
}
