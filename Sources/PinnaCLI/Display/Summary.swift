// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Report

/// A short report of a render for the terminal.
enum Summary {
  /// The lines about `report`, whose outputs were asked for with these `names`.
  static func lines(
    _ report: RenderReport, names: [String] = [], isVerbose: Bool
  ) -> [LabelledLine] {
    var lines: [LabelledLine] = []
    func add(_ pairs: [(String, String)]) {
      lines += pairs.map { LabelledLine(label: $0.0, text: $0.1) }
    }
    if let queue = report.queue {
      add(QueueSummary.lines(queue, isDetailed: report.outputs.isEmpty))
    } else if let input = report.input {
      add([("input", "\(input.path): \(input.codec) \(input.layout), \(input.rate) Hz")])
    }
    // A copy isn't trimmed.
    let isCopied = !report.outputs.isEmpty && report.outputs.allSatisfy { $0.loudness == nil }
    if let timeline = report.timeline, !isCopied, report.queue == nil {
      add([("trimmed", trimmed(timeline))])
    }
    add(changes(report))
    let isPlanned = report.outputs.isEmpty
    lines += isPlanned ? PlannedOutputs(report: report, names: names).lines : outputs(report)
    if report.status == .silent { add([("status", "silent: level left alone")]) }
    lines += degradations(report).map {
      LabelledLine(label: $0.0, text: $0.1, tone: .degraded)
    }
    add(leftOut(report))
    if isVerbose { add(decisions(report)) }
    if let cost = report.performance, !isPlanned { add(speed(cost, isVerbose: isVerbose)) }
    if !report.degradations.isEmpty {
      add([("explain", Explanation.command(for: report.degradations.map(\.code.rawValue)))])
    }
    return lines
  }

  /// Changes of the sound that were asked for and that no other line names.
  private static func changes(_ report: RenderReport) -> [(String, String)] {
    report.decisions.compactMap { entry in
      let text = "\(entry.chose): \(entry.why)"
      switch entry.code {
      case .dialogEnhancement: return ("dialogue", text + moved(report.dialogueGain))
      case .levelling: return ("level", text)
      case .matrix: return ("downmix", text)
      default: return nil
      }
    }
  }

  /// The loudness that a change of dialogue moves.
  private static func moved(_ change: RenderReport.DialogueGain?) -> String {
    guard let change, let share = change.share else { return "" }
    let before = change.dialogueBefore.map { "; the dialogue had \(Figures.fixed($0, 2)) LUFS" }
    return "; \(Figures.fixed(share * 100, 0)) % of the sound energy is in it" + (before ?? "")
  }

  private static func decisions(_ report: RenderReport) -> [(String, String)] {
    report.decisions.map { entry in
      let file = report.name(of: entry.subject).map { "\($0): " } ?? ""
      return ("decision", "\(file)\(entry.code.rawValue): \(entry.chose), \(entry.why)")
    }
  }

  private static func speed(
    _ cost: RenderReport.Performance, isVerbose: Bool
  ) -> [(String, String)] {
    let stages = isVerbose ? cost.stages ?? [] : []
    let busy = stages.map { "\($0.stage) \(Figures.fixed($0.cpuSeconds, 2)) s" }
    let speed =
      "\(Figures.fixed(cost.realtimeFactor, 0))× real time, "
      + "\(Figures.fixed(cost.cpuSeconds, 2)) CPU s, \(Figures.fixed(cost.peakRSSMiB, 0)) MiB"
    return (busy.isEmpty ? [] : [("busy", busy.joined(separator: ", "))]) + [("speed", speed)]
  }

  /// The outputs and what was done for each: for a single output the file comes last, for several
  /// each file comes first.
  private static func outputs(_ report: RenderReport) -> [LabelledLine] {
    let isSingle = report.outputs.count == 1
    let tracks = report.tracks
    return report.outputs.enumerated().flatMap { index, output -> [LabelledLine] in
      let proof = output.verified ? ", read back and verified" : ""
      let copied = output.loudness == nil ? ", copied" : ""
      let file = LabelledLine(
        label: "output", text: "\(output.path): \(output.samples) samples\(copied)\(proof)",
        tone: .done)
      let done: [(String, String)] =
        (output.render.map { [("endpoint", endpoint($0, of: report))] } ?? [])
        + (output.taps ?? []).map { ("tap", tap($0)) }
        + (output.analysis.map(AnalysisSummary.lines) ?? []).map { ("found", $0) }
        + (output.loudness.map { levels($0, report) } ?? [])
      let lines = done.map { LabelledLine(label: $0.0, text: $0.1) }
      if let tracks {
        let track = LabelledLine(label: "track", text: tracks[index])
        return [track] + lines + (index == tracks.count - 1 ? [file] : [])
      }
      return isSingle ? lines + [file] : [file] + lines
    }
  }

  /// Everything that stays behind, for each output once.
  private static func leftOut(_ report: RenderReport) -> [(String, String)] {
    var seen: PathSet = []
    let found = report.decisions.filter { $0.code == .leftOut }.map { entry in
      (report.name(of: entry.subject).map { $0 + ": " } ?? "") + entry.chose
    }.filter { seen.insert($0) }
    let rest = found.count - mostFiles
    return found.prefix(mostFiles).map { ("left out", $0) }
      + (rest > 0 ? [("", "and \(rest) more, see --report")] : [])
  }

  /// Files that are named for each kind of degradation; a queue may have thousands.
  private static let mostFiles = 5

  /// One line for each kind and file, as far as a reader wants them; the report has all degradations.
  private static func degradations(_ report: RenderReport) -> [(String, String)] {
    func key(_ entry: Diagnostic) -> String { "\(entry.code.rawValue) \(entry.subject)" }
    var seen: [String: Int] = [:]
    for entry in report.degradations { seen[key(entry), default: 0] += 1 }
    var told: Set<String> = []
    var files: [DegradationCode: Int] = [:]
    var lines: [(String, String)] = []
    for entry in report.degradations where told.insert(key(entry)).inserted {
      files[entry.code, default: 0] += 1
      guard files[entry.code] ?? 0 <= mostFiles else { continue }
      let others = (seen[key(entry)] ?? 1) - 1
      let more = others > 0 ? ", and \(others) more, see --report" : ""
      let file = report.name(of: entry.subject).map { $0 + ": " } ?? ""
      let kind = "\(entry.code.rawValue), \(entry.class.rawValue)"
      lines.append(("degraded", "\(file)\(entry.message) (\(kind)\(more))"))
    }
    let rest = files.filter { $0.value > mostFiles }.sorted { $0.key.rawValue < $1.key.rawValue }
    return lines
      + rest.map {
        ("", "and \($0.value - mostFiles) more files (\($0.key.rawValue)), see --report")
      }
  }

  private static func trimmed(_ timeline: RenderReport.Timeline) -> String {
    if timeline.priming.samples == 0, timeline.padding == 0, timeline.paddingSource != .unknown {
      return "nothing"
    }
    let start = "\(timeline.priming.samples) start-up samples, \(timeline.priming.source.words)"
    let known = timeline.paddingSource != .unknown
    let end = known ? "\(timeline.padding) at the end" : "the end isn't stated, so all is kept"
    return start + "; " + end
  }

  static func endpoint(_ render: RenderReport.Render, of report: RenderReport) -> String {
    let form = "\(render.layout), \(render.rate) Hz"
    let input = report.inputs.count == 1 ? report.input : nil
    guard let hrtf = render.hrtf else {
      switch render.downmix?.method {
      case nil: break
      case RenderReport.Render.Downmix.directSpeakers:
        return "\(render.endpoint), rendered to \(form) by ITU-R BS.2127"
      case RenderReport.Render.Downmix.standard:
        return "\(render.endpoint), downmixed to \(form)"
      case let method?:
        return "\(render.endpoint), downmixed to \(form), \(method) with the programme's gains"
      }
      if render.virtualized { return "\(render.endpoint), already virtualised" }
      guard let input else { return "\(render.endpoint), as it is" }
      // Objects and sound fields have no gains of a mix.
      if input.layout != render.layout, ChannelLayout(name: input.layout) == nil {
        return "\(render.endpoint), rendered to \(form) by ITU-R BS.2127"
      }
      return input.rate == render.rate
        ? "\(render.endpoint), as it is" : "\(render.endpoint), resampled to \(render.rate) Hz"
    }
    let set =
      hrtf.id + (hrtf.delayScale.map { " (delays × \(Figures.fixed($0, 2)))" } ?? "")
      + room(render.room, hrtf)
    guard let span = render.speakerSpan else {
      return "\(render.endpoint), binaural with \(set), \(form)"
    }
    return "\(render.endpoint) \(Figures.fixed(span, 0))° apart, with \(set), \(form)"
  }

  /// A room after the set; nothing for a measured one, which is the set.
  private static func room(
    _ room: RenderReport.Render.Room?, _ hrtf: RenderReport.Render.HRTF
  ) -> String {
    guard let room, room.id != hrtf.id else { return "" }
    return " in the room \(room.id)" + (room.tailSeconds == nil ? "" : " with its reverberation")
  }

  private static func tap(_ tap: RenderReport.Tap) -> String {
    let place = "\(tap.point):\(tap.kind) \(tap.name)"
    guard tap.point != .output else { return place + ", looks only" }
    func level(_ levels: RenderReport.Tap.Levels) -> String {
      levels.peak.map { Figures.fixed($0, 1) } ?? "silence"
    }
    let items = tap.items.map { items in
      let rest = items.count > 8 ? " and \(items.count - 8) more" : ""
      return " for item \(items.prefix(8).map(String.init).joined(separator: ", "))" + rest
    }
    let delay = tap.latency.used > 0 ? ", delay of \(tap.latency.used) samples removed" : ""
    return place + (items ?? "") + ", peak \(level(tap.before)) → \(level(tap.after)) dBFS" + delay
  }

  /// The gains of a queue whose items each have their own level; `nil` for any other.
  private static func gains(of queue: QueueReport?) -> String? {
    let items = queue?.items.filter { $0.loudnessTarget != nil } ?? []
    let gains = items.compactMap(\.loudnessGainDB)
    guard let least = gains.min(), let most = gains.max() else { return nil }
    let targets = Set(items.compactMap(\.loudnessTarget))
    let target = targets.count == 1 ? targets.first.map { "\(Figures.fixed($0, 2)) LUFS" } : nil
    var text = "each item at \(target ?? "its own level"), gain \(Figures.fixed(least, 2))"
    if most > least { text += " to \(Figures.fixed(most, 2))" }
    text += " dB"
    if let depth = items.compactMap({ $0.limiter?.maxReductionDB }).max(), depth >= 0.05 {
      text += ", limiter up to \(Figures.fixed(depth, 1)) dB"
    }
    return text
  }

  /// Loudness of the dialogue before and after, and how far to trust it.
  private static func words(
    _ loudness: RenderReport.Loudness, _ dialogue: DialogueLoudness
  ) -> String {
    guard dialogue.dialogueLoudness != nil else { return dialogue.summary }
    return "\(Figures.fixed(loudness.inputDialogue, 2)) → "
      + "\(Figures.fixed(dialogue.dialogueLoudness, 2)) LUFS, LDR \(Figures.fixed(dialogue.ldr, 2)) LU, "
      + "\(Figures.fixed(dialogue.share * 100, 0)) % of the time; \(dialogue.summary)"
  }

  private static func levels(
    _ loudness: RenderReport.Loudness, _ report: RenderReport
  ) -> [(String, String)] {
    // Neither was measured, nor changed.
    if loudness.mode == .off, loudness.input.integrated == nil, loudness.input.truePeak == nil {
      return []
    }
    let before = "\(Figures.fixed(loudness.input.integrated, 2)) LUFS"
    let after = "\(Figures.fixed(loudness.output.integrated, 2)) LUFS"
    let isNone = Figures.fixed(loudness.gainDB, 2) == "0.00"
    var gain = isNone ? "no gain" : "gain \(Figures.fixed(loudness.gainDB, 2)) dB"
    if report.level?.window != nil { gain += " after levelling" }
    let items = gains(of: report.queue)
    if let outcome = loudness.outcome, outcome != .reached, items == nil { gain += " (\(outcome))" }
    if let limiter = loudness.limiter {
      let depth = Figures.fixed(limiter.maxReductionDB, 1)
      gain +=
        ", limiter \(depth == "0.0" ? "less than 0.1" : "up to \(depth)") dB "
        + "for \(Figures.fixed(limiter.activeFraction * 100, 2)) % of the time"
    }
    let peaks =
      "\(Figures.fixed(loudness.input.truePeak, 2)) → "
      + "\(Figures.fixed(loudness.output.truePeak, 2)) dBTP"
    let way = loudness.dualMono == true ? " as two loudspeakers play it (+3 LU)" : ""
    let whole = "\(before) → \(after)\(way), \(gain)"
    let isLeft = isNone && loudness.limiter == nil
    let change =
      items.map { isLeft ? "\($0); \(after) together" : "\($0); together \(whole)" } ?? whole
    var lines = [("loudness", change), ("true peak", peaks)]
    if let dialogue = loudness.dialogue { lines.append(("dialogue", words(loudness, dialogue))) }
    if let album = loudness.album {
      lines.append(
        (
          "album",
          "one gain for \(album.tracks.counted("file", "files")), \(Figures.fixed(album.integrated, 2)) LUFS and "
            + "\(Figures.fixed(album.truePeak, 2)) dBTP together"
        ))
    }
    if let stated = loudness.stated {
      lines.append(
        (
          "stated",
          "\(Figures.fixed(stated.integrated, 2)) LUFS for \(stated.layout), measured "
            + "\(Figures.fixed(stated.measured, 2)) LUFS"
            + (stated.comparable ? "" : ", which can't be compared")
        ))
    }
    if let dialnorm = loudness.dialnormGainDB, let difference = loudness.differenceDB {
      lines.append(
        (
          "dialnorm",
          "by the file's own figure the gain would be \(Figures.fixed(dialnorm, 2)) dB; what was measured asks for "
            + "\(Figures.fixed(dialnorm + difference, 2)) dB"
        ))
    }
    return lines
  }
}

/// Results of analyses, as lines of a render's summary.
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

/// The items of a queue for the terminal.
enum QueueSummary {
  /// Items that a dry run lists; the report has all.
  private static let mostItems = 50

  /// Lines for a queue: how many items there are; with `isDetailed` where each lies, and the chapters.
  static func lines(_ queue: QueueReport, isDetailed: Bool) -> [(String, String)] {
    let reused = queue.items.count { $0.source?.reused == true }
    let cached =
      queue.items.contains { $0.source?.reused != nil } ? ", \(reused) from the cache" : ""
    let total = clock(queue.samples, queue.rate)
    var lines = [
      ("queue", "\(queue.items.count) items, \(total), \(queue.rate) Hz\(cached)")
    ]
    if let former = queue.former { lines.append(("changed", changes(former, queue.rate))) }
    guard isDetailed else { return lines }
    lines += queue.items.prefix(mostItems).map { ("item", item($0, queue.rate)) }
    if queue.items.count > mostItems {
      lines.append(("", "and \(queue.items.count - mostItems) more, see --json"))
    }
    lines += queue.chapters.prefix(mostItems).map { chapter in
      let sample = Int64((chapter.seconds * Double(queue.rate)).rounded())
      return ("chapter", "\(clock(sample, queue.rate)) \(chapter.title)")
    }
    return lines
  }

  /// Changes since the run before.
  private static func changes(_ former: QueueReport.Former, _ rate: Int) -> String {
    guard let first = former.changes.first else { return "nothing since the run before" }
    return
      "from \(clock(first.from, rate)) (sample \(first.from)) on since the run before: \(first.why)"
  }

  private static func item(_ item: QueueReport.Item, _ rate: Int) -> String {
    var words = [
      "\(item.number)", clock(item.start, rate), "+" + clock(item.samples, rate),
      item.source?.path ?? "silence",
    ]
    if let rate = item.source?.rate { words.append("\(rate) Hz") }
    if let overlap = item.crossfade { words.append("crossfade \(clock(overlap, rate))") }
    if item.source?.counted == true { words.append("(length counted by decoding)") }
    return words.joined(separator: "  ")
  }

  /// hh:mm:ss.mmm.
  private static func clock(_ samples: Int64, _ rate: Int) -> String {
    MediaTime(ticks: samples, rate: Int64(rate)).description
  }
}
