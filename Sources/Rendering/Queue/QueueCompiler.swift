// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Loudness
import PlayQueue
import Report
import Signal
import Spatial

/// Compiles a request for a queue into a plan, once its files have been looked at.
struct QueueCompiler {
  /// A plan, how the items become programmes, and which part of them each output gets.
  struct Compiled {
    let plan: PlanCompiler.Compiled
    let mixes: [QueueMix]
    let parts: [QueuePart]
  }

  /// The properties shared by outputs that are parts of one programme.
  private struct Sharing: Hashable {
    let rendition: Rendition
    let container: Container
  }

  let request: RenderRequest
  let environment: RenderEnvironment
  let input: QueueInput
  let entries: [QueueEntry]
  let tracks: [QueueTrack]
  /// Takes the taps of each output.
  let taps: TapLedger
  let log: DiagnosticLog

  /// The plan.
  /// - Throws: ``MediaError`` when an output can't be made of these items.
  func compile() throws -> Compiled {
    let maker = RendererMaker(environment)
    var known: [Sharing: (number: Int, first: Int, choice: RendererChooser.Choice)] = [:]
    var (branches, mixes, parts): ([RenderPlan.Branch], [QueueMix], [QueuePart]) = ([], [], [])
    var (companions, choices): ([Companions], [RendererChooser.Choice]) = ([], [])
    for (index, output) in request.outputs.enumerated() {
      guard case .render(let asked, let container) = output.work else { continue }
      try HeadRules.checkQueue(asked)
      let log = log.about(.output(index))
      let rendition = try CodecRules.settled(
        asked, container, rate: QueueEntry.rate(asked: nil, input, entries), log)
      let sharing = Sharing(rendition: rendition, container: container)
      if known[sharing] == nil {
        let loader = TapLoader(launcher: environment.programs, log: log)
        // Taps that belong to an item come first, as if its file held them.
        let own =
          try QueueTaps(input: input, environment: environment, log: log).load()
          + loader.load(rendition.taps)
        try TapRules.checkQueue(own)
        taps.add(own, output: index)
        let (mix, choice) = try self.mix(rendition, container, maker, index)
        known[sharing] = (mixes.count, index, choice)
        mixes.append(mix)
      }
      guard let (number, first, choice) = known[sharing] else { continue }
      if first != index { taps.share(index, with: first) }
      if let items = output.items { taps.hold(index, (items.first - 1)..<items.last) }
      let part = try self.part(output, number, mixes[number])
      parts.append(part)
      companions.append(try self.companions(of: output, mixes[number], part, log))
      choices.append(choice)
      branches.append(
        RenderPlan.Branch(
          output, rendition, container, choice,
          taps: taps.heard(index).map { taps.taps(index)[$0].listed },
          level: try level(rendition, log)))
    }
    let plan = RenderPlan(sources: tracks.map(source), branches: branches)
    return Compiled(
      plan: PlanCompiler.Compiled(
        plan: plan, companions: companions, choices: choices, maker: maker),
      mixes: mixes, parts: parts)
  }

  private func mix(
    _ rendition: Rendition, _ container: Container, _ maker: RendererMaker, _ output: Int
  ) throws -> (QueueMix, RendererChooser.Choice) {
    let log = log.about(.output(output))
    let kinds = try QueueKinds(
      entries, rendition: settled(rendition, log), container: container, input: input, maker: maker,
      taps: taps, output: output, log: log)
    try CodecRules.check(kinds.layout, container)
    let mix = try self.mix(kinds, rendition, output)
    if let iamf = container.coding.iamf {
      _ = try IAMFContents(
        Programme(mix.format), iamf, isBinaural: kinds.choice.plan.virtualization == .binaural)
    }
    return (mix, kinds.choice)
  }

  /// The part of `mix`, which has this number, that `output` gets.
  private func part(_ output: OutputRequest, _ number: Int, _ mix: QueueMix) throws -> QueuePart {
    guard let items = output.items else {
      return QueuePart(mix: number, range: mix.window, items: nil)
    }
    let placed = mix.placement.items
    guard items.last <= placed.count else {
      throw MediaError(
        .usage, about: input.name, "has \(placed.count) items, so there is no item \(items.last)")
    }
    let end = items.last == placed.count ? mix.window.upperBound : placed[items.last - 1].end
    let range = (placed[items.first - 1].start..<end).clamped(to: mix.window)
    guard !range.isEmpty else {
      throw MediaError(
        .usage, about: input.name,
        "item \(items.first): nothing of it lies between \(setting: .rangeStart) and \(setting: .rangeEnd)"
      )
    }
    return QueuePart(mix: number, range: range, items: items)
  }

  /// The rendition with a layout, where the items' own channels are wanted: one programme has one layout.
  private func settled(_ rendition: Rendition, _ log: DiagnosticLog) throws -> Rendition {
    guard case .channels(let asked) = rendition.endpoint, asked == nil else { return rendition }
    var rendition = rendition
    if let name = input.queue.layout {
      guard let layout = ChannelLayout(name: name) else {
        throw MediaError(
          .usage, about: input.name,
          "layout \(name): there is no such layout; give one such as stereo or 5.1")
      }
      rendition.endpoint = .channels(layout)
      return rendition
    }
    let layouts = entries.compactMap { $0.programme?.bedFormat?.layout }
    guard let widest = layouts.max(by: { $0.count < $1.count }) else {
      if entries.allSatisfy({ $0.programme == nil }) { rendition.endpoint = .channels(.stereo) }
      return rendition
    }
    let limit = rendition.largestLayout.flatMap { $0.count < widest.count ? $0 : nil }
    let largest = limit ?? widest
    rendition.endpoint = .channels(largest)
    if layouts.contains(where: { $0 != largest }) {
      log.decide(
        .layout, largest.name,
        why: (limit == nil ? "it is the largest of the items'" : "items have more channels")
          + "; \(setting: .outputLayout) chooses another")
    }
    return rendition
  }

  private func rate(_ rendition: Rendition, _ log: DiagnosticLog) throws -> Int {
    let rate = try QueueEntry.rate(asked: rendition.sampleRate, input, entries)
    let rates = Set(entries.compactMap { $0.programme?.sampleRate })
    if rendition.sampleRate == nil, input.queue.rate == nil, rates.count > 1 {
      log.decide(
        .rate, "\(rate) Hz",
        why: "most samples of the items have it; \(setting: .sampleRate) chooses another")
    }
    return rate
  }

  private func mix(
    _ kinds: QueueKinds, _ rendition: Rendition, _ output: Int
  ) throws -> QueueMix {
    let log = log.about(.output(output))
    let rate = try self.rate(rendition, log)
    let placement: Placement
    do {
      placement = try Placement(
        input.queue, lengths: entries.map { $0.length(at: rate) }, rate: rate)
    } catch {
      throw input.error(error)
    }
    let format = AudioFormat(sampleRate: rate, layout: kinds.layout)
    let sum = TapProof(
      try [TapPoint.programme, .post].flatMap { point in
        try taps.proofs(output, TapContext.queue(input, point, format, output))
      })
    let tail = rendition.tail == .keep ? keptTail(kinds, rate) + sum.tail : 0
    let window = try self.window(placement, tail, log)
    return QueueMix(
      format: format, output: output, placement: placement,
      renderings: kinds.renderings, kinds: kinds.numbers, taps: sum, window: window, tail: tail,
      reach: QueueMix.reach(placement, kinds.renderings, kinds.numbers))
  }

  /// The tail of the last item's filters, in samples of the programme.
  private func keptTail(_ kinds: QueueKinds, _ rate: Int) -> Int {
    guard let last = kinds.numbers.last, let number = last else { return 0 }
    let rendering = kinds.renderings[number]
    return Int(
      MediaTime.rescale(
        Int64(rendering.tail), by: Int64(rate), over: Int64(rendering.format.sampleRate)))
  }

  /// The part of the programme that the clip asks for.
  private func window(
    _ placement: Placement, _ tail: Int, _ log: DiagnosticLog
  ) throws -> Range<Int64> {
    let asked = try input.clip.range.samples(at: placement.rate)
    guard asked.lowerBound < placement.frames else {
      throw MediaError(
        .usage,
        "the range from \(setting: .rangeStart) to \(setting: .rangeEnd) lies beyond the end of \(input.name)"
      )
    }
    guard asked.upperBound < placement.frames else {
      if asked.upperBound != .max, asked.upperBound > placement.frames {
        log.degrade(
          .rangeShort,
          "the range asks for \(asked.count) samples but the queue ends after "
            + "\(placement.frames - asked.lowerBound) of them")
      }
      return asked.lowerBound..<(placement.frames + Int64(tail))
    }
    return asked
  }

  private func companions(
    of output: OutputRequest, _ mix: QueueMix, _ part: QueuePart, _ log: DiagnosticLog
  ) throws -> Companions {
    var clip = input.clip
    clip.range = Clip.Range()
    let rate = Int64(mix.format.sampleRate)
    let companions = try Companions(
      clip: clip, output: output, media: nil,
      audio: Companions.Place(start: 0, origin: 0, sourceRate: rate, rate: rate, length: nil),
      given: QueueChapters(input: input, entries: entries, mix: mix).markers(of: part), log: log)
    for track in tracks {
      LeftOut(files: OutputFiles(output), carriage: output.carriage, log: log).note(
        track.streams, of: nil, chapters: 0, carried: [], heard: nil)
    }
    return companions
  }

  /// The target with the queue's own gain; items that were levelled one by one keep their levels.
  private func level(_ rendition: Rendition, _ log: DiagnosticLog) throws -> LoudnessTarget? {
    guard var level = rendition.level else {
      guard input.queue.pinnedGain == nil else {
        throw MediaError(
          .usage, about: input.name,
          "gain: a pinned gain is judged by a loudness target; leave it out, or give \(setting: .loudness) in LUFS"
        )
      }
      if input.queue.loudness != .programme {
        log.decide(
          .queue, "loudness: \(input.queue.loudness.rawValue) is left out",
          why:
            "\(setting: .loudness) off leaves levels alone, but for items that have a loudness of their own"
        )
      }
      return nil
    }
    if let gain = input.queue.pinnedGain {
      guard level.anchor != .dialogue else {
        throw MediaError(
          .usage, about: input.name,
          "gain: a pinned gain is judged by the loudness of the whole; leave it out, or use \(setting: .anchor) programme"
        )
      }
      level.pin = LoudnessTarget.Pin(gain)
    } else if input.queue.loudness == .item {
      // The items' own dialogue was brought to it.
      level.anchor = nil
      level.pin = LoudnessTarget.Pin(0, isJudged: false)
    }
    return level
  }

  private func source(_ track: QueueTrack) -> RenderPlan.Source {
    RenderPlan.Source(
      track.report, named: track.report.path, track.programme, track.plan,
      start: track.plan.start, length: nil, expected: track.frames)
  }
}

/// The taps that a queue gives to single items, ready to be made.
struct QueueTaps {
  let input: QueueInput
  let environment: RenderEnvironment
  let log: DiagnosticLog

  /// The taps of all items, those of one item in its order; items that are treated alike share theirs.
  /// - Throws: ``MediaError`` naming the item whose tap can't be used.
  func load() throws -> [LoadedTap] {
    // The files of a queue keep to the bounds of its sound.
    let loader = TapLoader(
      launcher: environment.programs, log: log, bounds: input.clip.decoding.bounds)
    let joining = input.clip.joining
    // Taps hold paths.
    var items: [[PathName]: Set<Int>] = [:]
    var order: [[PathName]] = []
    for (index, item) in input.queue.items.enumerated() where !item.taps.isEmpty {
      let taps = item.taps.map(PathName.init)
      if items[taps] == nil { order.append(taps) }
      items[taps, default: []].insert(index)
    }
    return try order.flatMap { names in
      let numbers = items[names] ?? []
      return try input.naming(numbers.min() ?? 0) {
        let taps = try names.map { name in
          var tap = try QueueTaps.tap(name.text)
          tap.latency = joining.tapLatency
          return tap
        }.filter { !joining.leftOut.contains($0) }
        return try loader.load(taps, askedBy: "the queue").map { loaded in
          var loaded = loaded
          loaded.items = numbers
          return loaded
        }
      }
    }
  }

  /// The tap of an item that `text` describes.
  /// - Throws: ``MediaError`` of kind `usage`.
  static func tap(_ text: String) throws -> Tap {
    let tap = try TapText.parse(text, "tap:")
    guard tap.point == .item else {
      throw MediaError(
        .usage,
        "tap: \(text): an item passes taps at the point item only; \(setting: .taps) puts one after the sum"
      )
    }
    return tap
  }
}
