// SPDX-License-Identifier: Apache-2.0
import AudioCore
import MediaIn
import PlayQueue
import Report

/// An opened queue as the sound of a request: its items, placed on one timeline.
final class QueueSound: OpenedSound {
  private let input: QueueInput
  private let request: RenderRequest
  private let environment: RenderEnvironment
  private let taps: TapLedger
  private let log: DiagnosticLog
  private let tracks: QueueTracks
  private let entries: [QueueEntry]
  private var compiled: QueueCompiler.Compiled?
  /// Search for dialogue; `nil` where none was asked for.
  private var dialogue: QueueDialogue?
  private var isRendered = false
  /// Items that came from the cache, by index; `nil` without a cache.
  private var reused: Set<Int>?
  /// The cache and its knowledge of the run before; `nil` without a cache.
  private let memory: QueueMemory?
  private var history: QueueHistory?
  /// For each mix what was solved for items with a loudness of their own, by index.
  private var levels: [[Int: ItemLevel]] = []
  /// The loudness in LUFS at which items of the first mix are delivered, by index.
  private var reached: [Int: Double] = [:]

  /// Looks at every file that `input` names.
  /// - Throws: ``MediaError`` naming the first item that can't be used.
  init(
    _ input: QueueInput, request: RenderRequest, environment: RenderEnvironment,
    taps: TapLedger, log: DiagnosticLog
  ) throws {
    self.input = input
    self.request = request
    self.environment = environment
    self.taps = taps
    self.log = log
    guard input.clip.alignment == .audio else {
      throw MediaError(
        .usage, about: input.name,
        "\(setting: .alignment) presentation: the items of a queue follow each other without their films' "
          + "clocks; leave it out")
    }
    tracks = QueueTracks(
      input.clip, playback: PlaybackLayout(request.outputs), log: log,
      isCancelled: input.isCancelled)
    entries = try QueueEntry.all(of: input, tracks)
    memory = try request.policy.segments.map {
      try QueueMemory($0, input.clip, isPortable: request.policy.isPortable)
    }
  }

  func inputs() throws -> [RenderReport.Input] { known.map(\.report) }

  /// The tracks in the order in which the items name them first.
  private var known: [QueueTrack] { tracks.known.values.sorted { $0.number < $1.number } }

  private var mixes: [QueueMix] { compiled?.mixes ?? [] }

  private var parts: [QueuePart] { compiled?.parts ?? [] }

  var seconds: Double {
    guard isRendered, let mix = mixes.first else { return 0 }
    return Double(mix.window.count) / Double(mix.format.sampleRate)
  }

  let dialnorm: Double? = nil

  func delivery(_ index: Int) -> DeliverySource {
    let codecs = Set(known.map(\.report.codec))
    let languages = Set(known.map(\.report.language))
    let part = parts.indices.contains(index) ? parts[index] : nil
    return DeliverySource(
      tags: QueueTags(input: input, entries: entries).tags(of: part?.items),
      fate: SourceTags.Fate(),
      language: languages.count == 1 ? (languages.first ?? nil) ?? "" : "",
      title: nil, foreignChunks: foreignChunks(of: part?.items),
      codec: codecs.count == 1 ? codecs.first ?? "" : "",
      timeReference: part?.items == nil ? part?.range.lowerBound ?? 0 : 0,
      rate: mixes.first?.format.sampleRate ?? 48_000)
  }

  /// Chunks of WAV in the files of `items`, or of all of them, that no output has.
  private func foreignChunks(of items: ItemSpan?) -> [String] {
    var seen: Set<String> = []
    var found: [String] = []
    for (index, entry) in entries.enumerated() {
      guard case .sound(_, let track, _) = entry,
        items.map({ $0.first...$0.last ~= index + 1 }) ?? true
      else { continue }
      found += track.foreignChunks.filter { seen.insert($0).inserted }
    }
    return found
  }

  var queue: QueueReport? {
    guard let mix = mixes.first else { return nil }
    var report = QueueReporter(
      input: input, entries: entries, mix: mix, levels: levels.first ?? [:], reached: reached,
      reused: reused
    ).report()
    report.former = history?.report
    return report
  }

  func compile() throws -> PlanCompiler.Compiled {
    let compiled = try QueueCompiler(
      request: request, environment: environment, input: input, entries: entries, tracks: known,
      taps: taps, log: log
    ).compile()
    self.compiled = compiled
    if let memory {
      history = try QueueHistory(
        memory.policy, request, compiled, input, taps: taps, run: memory.run,
        digests: memory.digests(entries))
    }
    return compiled.plan
  }

  func makeBranch(
    _ index: Int, _ compiled: PlanCompiler.Compiled, target: OutputTarget?, memory: Int
  ) throws -> Branch {
    let mix = mixes[parts[index].mix]
    let latency = mix.renderings.first?.latency ?? 0
    return try Branch(
      plan: compiled.plan.branches[index], input: Programme(mix.format), renderer: nil,
      before: Branch.Upstream(latency: latency, tail: mix.tail), target: target, memory: memory)
  }

  func tapContext(_ point: TapPoint, _ format: AudioFormat, _ output: Int) -> TapContext {
    TapContext.queue(input, point, format, output)
  }

  func lookForDialogue(_ asked: Setting) throws -> any DialogueSearch {
    guard let mix = mixes.first else {
      throw MediaError(.internal, "nothing is made of a queue")
    }
    let search = try QueueDialogue(
      mix, isMetered: request.levelling != nil && !levelsItems,
      isDualMono: request.outputs.first?.rendition?.isDualMono == true)
    dialogue = search
    return search
  }

  var levelsItems: Bool { input.queue.loudness == .item }

  func part(_ index: Int) -> SourcePart {
    let part = parts[index]
    let mix = mixes[part.mix]
    return SourcePart(
      start: part.range.lowerBound - mix.window.lowerBound, count: Int64(part.range.count),
      rate: mix.format.sampleRate)
  }

  func render(
    into branches: [Branch], _ progress: RunProgress, seams: AlbumSeams?
  ) throws {
    guard let compiled else { return }
    seams?.pass()
    let reader = QueueReader(
      tracks, isConcealing: input.clip.decoding.damage != .fail, log: log)
    let segments = memory.map { ItemSegments($0.policy, $0.run, $0.digests) }
    let outcome = try QueuePass(
      request: request, input: input, entries: entries, mixes: mixes, parts: parts,
      branches: branches, maker: compiled.plan.maker, taps: taps,
      tapped: mixes.map { try TappedMix($0, input, taps) }, reader: reader,
      segments: segments, dialogue: dialogue, progress: progress, log: log
    ).run()
    isRendered = true
    levels = outcome.levels
    reused = segments == nil ? nil : outcome.reused
    segments?.close()
  }

  func spans(_ index: Int) -> [SpanMeters.Span] {
    let first = parts[index].range.lowerBound
    return heard(index).compactMap { heard in
      heard.steady.map {
        SpanMeters.Span(
          number: heard.item, range: $0.lowerBound - first..<$0.upperBound - first)
      }
    }
  }

  /// An item with a loudness of its own, as an output has it.
  private struct Heard {
    let item: Int
    let level: ItemLevel
    /// Its samples of the programme that are measured there; `nil` for too few.
    let steady: Range<Int64>?
    /// Whether all of it lies there.
    let isWhole: Bool
  }

  /// The items with a loudness of their own of which something lies in output number `index`, in their order.
  private func heard(_ index: Int) -> [Heard] {
    guard levels.indices.contains(parts[index].mix) else { return [] }
    let (range, mix) = (parts[index].range, mixes[parts[index].mix])
    return levels[parts[index].mix].sorted { $0.key < $1.key }.compactMap { item, level in
      let placed = mix.placement.items[item]
      guard placed.start < placed.end, range.overlaps(placed.start..<placed.end) else { return nil }
      return Heard(
        item: item, level: level, steady: placed.steady(in: range, at: mix.format.sampleRate),
        isWhole: placed.start >= range.lowerBound && placed.end <= range.upperBound)
    }
  }

  func judge(_ index: Int, _ output: RenderedOutput, _ log: DiagnosticLog) {
    var notes = ItemLevelNotes(input: input, entries: entries)
    for heard in heard(index) {
      let judged = ItemLevelNotes.Item(
        index: heard.item, level: heard.level,
        expected: heard.steady.flatMap { heard.level.expected[$0] },
        delivered: output.spanLoudness[heard.item], shift: shift(of: output))
      notes.items.append(judged)
      // A part of an item says nothing about the loudness of all of it.
      if parts[index].mix == 0, heard.isWhole, reached[heard.item] == nil {
        reached[heard.item] = judged.reached
      }
    }
    notes.note(log)
  }

  func continues(_ index: Int) -> Bool {
    guard index > 0 else { return false }
    let (before, own) = (parts[index - 1], parts[index])
    return before.mix == own.mix && before.range.upperBound == own.range.lowerBound
  }

  /// By how many LU the programme's own gain and limiter move all items; 0 where items are left at their targets.
  private func shift(of output: RenderedOutput) -> Double {
    if input.queue.loudness == .item { return input.queue.pinnedGain ?? 0 }
    guard let before = output.rendered.integrated, let after = output.track.output.integrated else {
      return 0
    }
    return after - before
  }

  func check(_ levels: [QueueRecord.Level]) throws { try history?.check(levels) }

  func remember(_ levels: [QueueRecord.Level]) { history?.save(levels) }
}

/// The tags of what a queue becomes.
struct QueueTags {
  let input: QueueInput
  let entries: [QueueEntry]

  /// The tags of an output with `items`; `nil` is the whole programme.
  func tags(of items: ItemSpan?) -> MediaTags {
    let queue = input.queue.tags
    guard let items else {
      var tags = common
      let own = (title: tags["title"], track: tags["track"])
      tags.override(with: queue)
      // An album is called what its tracks have in common.
      tags["title"] = queue["title"] ?? queue["album"] ?? own.title
      tags["track"] = own.track
      return tags
    }
    let item = input.queue.items[items.first - 1]
    var own = file(items)
    own.override(with: queue)
    own.override(with: item.tags)
    if let title = item.title { own["title"] = title }
    let numbers = input.queue.items.indices.filter { !input.queue.items[$0].isPart }
    let place = numbers.firstIndex(of: items.first - 1).map { $0 + 1 }
    // The number among those of the queue is the total, too.
    own["tracktotal"] = nil
    own["track"] = item.tags["track"] ?? place.map { "\($0)" }
    if item.tags["track"] == nil, place != nil { own["tracktotal"] = "\(numbers.count)" }
    return own
  }

  /// Names that mean one item, though all have the same value.
  private static let ofItems: Set<String> = ["title", "track", "tracktotal", "isrc", "lyrics"]

  /// The tags that all files have with the same values.
  private var common: MediaTags {
    var files: [MediaTags] = []
    var areWhole = true
    for case .sound(_, let track, let range) in entries {
      files.append(track.tags)
      areWhole = areWhole && range == 0..<track.frames
    }
    guard let first = files.first else { return MediaTags() }
    // One file alone and whole keeps what it is called.
    let left = files.count == 1 && areWhole ? [] : QueueTags.ofItems
    let shared = first.grouped.filter { group in
      !left.contains(group.first.key)
        && files.allSatisfy { Set($0.values(group.first.key)) == Set(group.values) }
    }
    return MediaTags(shared.flatMap { group in group.values.map { (group.first.name, $0) } })
  }

  /// The tags of the file, where the items are one file as a whole.
  private func file(_ items: ItemSpan) -> MediaTags {
    guard items.first == items.last,
      case .sound(_, let track, let range) = entries[items.first - 1],
      range == 0..<track.frames
    else { return MediaTags() }
    return track.tags
  }
}

/// States where the items of a queue lie.
struct QueueReporter {
  let input: QueueInput
  let entries: [QueueEntry]
  let mix: QueueMix
  /// Solved levels of items with a loudness of their own, by index.
  let levels: [Int: ItemLevel]
  /// The loudness in LUFS at which they are delivered, by index.
  let reached: [Int: Double]
  /// Items that came from the cache, by index; `nil` without a cache.
  let reused: Set<Int>?

  private var whole: QueuePart { QueuePart(mix: 0, range: mix.window, items: nil) }

  /// The section of the report.
  func report() -> QueueReport {
    QueueReport(
      name: input.name, rate: mix.format.sampleRate, samples: mix.placement.frames,
      items: entries.indices.map(item),
      chapters: QueueChapters(input: input, entries: entries, mix: mix).markers(of: whole).map {
        QueueReport.Chapter(
          seconds: Double($0.time.ticks) / Double($0.time.rate), title: $0.title)
      })
  }

  private func item(_ index: Int) -> QueueReport.Item {
    let placed = mix.placement.items[index]
    let queued = input.queue.items[index]
    var item = QueueReport.Item(number: index + 1, start: placed.start, samples: placed.frames)
    item.title = queued.title
    item.line = input.lines[index]
    if let level = levels[index] {
      item.integrated = level.integrated
      item.loudnessGainDB = level.gain
      item.loudnessTarget = level.target
      item.anchor = level.dialogue?.isAnchor == true ? .dialogue : nil
      item.dialogue = level.dialogue?.figures
      item.outputDialogue = reached[index].flatMap { reached in
        level.dialogue?.distance.map { reached + $0 }
      }
      item.level = level.dialogue?.levelling
      item.outputIntegrated = reached[index]
      item.limiter = level.limiter.map {
        RenderReport.Loudness.Limiter(
          maxReductionDB: $0.maxReductionDB, activeFraction: $0.activeFraction,
          response: $0.response)
      }
    }
    item.gainDB = queued.gain == 0 ? nil : queued.gain
    let (rise, fall) = (placed.envelope.rise.frames, placed.envelope.fall.frames)
    item.crossfade = placed.crossfade > 0 ? placed.crossfade : nil
    item.fadeIn = rise > 0 && placed.crossfade == 0 ? rise : nil
    item.fadeOut = fall > 0 ? fall : nil
    guard case .sound(let key, let track, let range) = entries[index] else { return item }
    var source = QueueReport.Source(
      input: track.number, path: key.path, start: range.lowerBound, samples: Int64(range.count),
      trackSamples: track.frames,
      rate: track.programme.sampleRate, layout: track.report.layout)
    source.counted = track.isCounted ? true : nil
    source.reused = reused?.contains(index)
    item.source = source
    return item
  }
}
