import Report

/// What analyses found, as lines of a render's summary.
enum AnalysisSummary {
  static func lines(_ found: RenderReport.Analysis) -> [String] {
    let lines: [String?] = [
      found.levels.map(levels), found.phase.map(phase), found.silence.map(silence),
      found.bandLimit.map { "\($0.sentence) (\($0.doubt))" },
      found.spectrogram.map { "spectrogram in \($0)" },
    ]
    return lines.compactMap { $0 }
  }

  private static func levels(_ channels: [RenderReport.Analysis.Channel]) -> String {
    let list = channels.map { channel in
      "\(channel.name) \(figure(channel.peak, 1)) / \(figure(channel.rms, 1))"
    }.joined(separator: ", ")
    let runs = channels.reduce(0) { $0 + $1.clippedRuns }
    return "peak / RMS in dBFS: \(list)" + (runs > 0 ? "; \(runs) clipped runs" : "")
  }

  private static func phase(_ phase: RenderReport.Analysis.Phase) -> String {
    "\(phase.channels.joined(separator: " and ")) correlate by \(figure(phase.mean, 2)) on average, "
      + "\(figure(phase.lowest, 2)) at least; mono loses \(figure(phase.monoLossDB, 1)) dB"
  }

  private static func silence(_ silence: RenderReport.Analysis.Silence) -> String {
    let limits =
      "\(figure(silence.leastSeconds, 1)) s below \(figure(silence.thresholdDBFS, 0)) dBFS"
    return silence.count == 0
      ? "no silence of \(limits)"
      : "\(silence.count) silent part\(silence.count == 1 ? "" : "s") of at least \(limits), \(silence.samples) samples together"
  }

  private static func figure(_ value: Double?, _ places: Int) -> String {
    value.map { Figures.fixed($0, places) } ?? "none"
  }
}
