import Analysis
import AudioCore
import LibAV
import MediaOut
import Platform
import Report

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
  /// What was found; complete behind ``finish()``.
  private(set) var findings = RenderReport.Analysis()
  /// What can't be told of this sound, as sentences.
  private(set) var remarks: [String] = []

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
