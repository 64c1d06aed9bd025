import Report

/// The short account of a render for people.
enum Summary {
  static func text(_ report: RenderReport, isVerbose: Bool) -> String {
    var lines: [(String, String)] = []
    if let input = report.input {
      lines.append(
        ("input", "\(input.path): \(input.codec) \(input.layout), \(input.rate) Hz"))
    }
    // What is copied isn't trimmed.
    if let timeline = report.timeline, report.loudness != nil || report.outputs.isEmpty {
      lines.append(("trimmed", trimmed(timeline)))
    }
    if let render = report.render { lines.append(("endpoint", endpoint(render))) }
    if let loudness = report.loudness { lines += levels(loudness) }
    for output in report.outputs {
      let proof = output.verified ? ", read back and verified" : ""
      let copied = report.loudness == nil ? ", copied" : ""
      lines.append(("output", "\(output.path): \(output.samples) samples\(copied)\(proof)"))
    }
    if report.status == .silent { lines.append(("status", "silent: level left alone")) }
    lines += degradations(report)
    if isVerbose {
      for entry in report.decisions {
        lines.append(("decision", "\(entry.code.rawValue): \(entry.chose), \(entry.why)"))
      }
    }
    if let cost = report.performance {
      lines.append(
        (
          "speed",
          "\(Figures.fixed(cost.realtimeFactor, 0))× real time, "
            + "\(Figures.fixed(cost.cpuSeconds, 2)) CPU s, "
            + "\(Figures.fixed(cost.peakRSSMiB, 0)) MiB"
        ))
    }
    return lines.map { Figures.padded($0.0, 10) + PlainText.line($0.1) + "\n" }.joined()
  }

  /// One line a kind; the report lists them all.
  private static func degradations(_ report: RenderReport) -> [(String, String)] {
    var seen: [String: Int] = [:]
    for entry in report.degradations { seen[entry.code.rawValue, default: 0] += 1 }
    var told: Set<String> = []
    return report.degradations.filter { told.insert($0.code.rawValue).inserted }.map { entry in
      let others = (seen[entry.code.rawValue] ?? 1) - 1
      let more = others > 0 ? " and \(others) more, see --report" : ""
      return ("degraded", "\(entry.message) (\(entry.code.rawValue)\(more))")
    }
  }

  private static func trimmed(_ timeline: RenderReport.Timeline) -> String {
    let start = "\(timeline.priming.samples) start-up samples (\(timeline.priming.source))"
    let known = timeline.paddingSource != "unknown"
    let end = known ? "\(timeline.padding) at the end" : "end padding isn't signalled, all kept"
    return start + ", " + end
  }

  private static func endpoint(_ render: RenderReport.Render) -> String {
    let form = "\(render.layout), \(render.rate) Hz"
    guard let hrtf = render.hrtf else {
      if let mix = render.downmix {
        let isOwn = mix.method != RenderReport.Render.Downmix.standard
        return "\(render.endpoint), downmixed to \(form)"
          + (isOwn ? ", \(mix.method) with the programme's gains" : "")
      }
      return render.endpoint + (render.virtualized ? ", already virtualised" : ", as it is")
    }
    guard let span = render.speakerSpan else {
      return "\(render.endpoint), binaural with \(hrtf.id), \(form)"
    }
    return "\(render.endpoint) \(Figures.fixed(span, 0))° apart, with \(hrtf.id), \(form)"
  }

  private static func levels(_ loudness: RenderReport.Loudness) -> [(String, String)] {
    let before = "\(Figures.fixed(loudness.input.integrated, 2)) LUFS"
    let after = "\(Figures.fixed(loudness.output.integrated, 2)) LUFS"
    var gain = "gain \(Figures.fixed(loudness.gainDB, 2)) dB"
    if let outcome = loudness.outcome, outcome != "reached" { gain += " (\(outcome))" }
    if let limiter = loudness.limiter {
      gain +=
        ", limiter up to \(Figures.fixed(limiter.maxReductionDB, 1)) dB "
        + "for \(Figures.fixed(limiter.activeFraction * 100, 2)) % of the time"
    }
    let peaks =
      "\(Figures.fixed(loudness.input.truePeak, 2)) → "
      + "\(Figures.fixed(loudness.output.truePeak, 2)) dBTP"
    var lines = [("loudness", "\(before) → \(after), \(gain)"), ("true peak", peaks)]
    if let album = loudness.album {
      lines.append(
        (
          "album",
          "one gain for \(album.tracks) files, \(Figures.fixed(album.integrated, 2)) LUFS and "
            + "\(Figures.fixed(album.truePeak, 2)) dBTP together"
        ))
    }
    if let dialnorm = loudness.dialnormGainDB, let difference = loudness.differenceDB {
      lines.append(
        (
          "dialnorm",
          "asks for \(Figures.fixed(dialnorm, 2)) dB, the measurement for "
            + "\(Figures.fixed(abs(difference), 2)) dB \(difference < 0 ? "less" : "more")"
        ))
    }
    return lines
  }
}
