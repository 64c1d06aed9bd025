// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue
import Report
import Signal

/// Pass 1 of a queue: renders item after item, adds them up, and sends the sums through the branches.
struct QueuePass {
  let request: RenderRequest
  let input: QueueInput
  let entries: [QueueEntry]
  let mixes: [QueueMix]
  /// Part for each branch.
  let parts: [QueuePart]
  let branches: [Branch]
  let maker: RendererMaker
  /// Makes the taps of single items.
  let taps: TapLedger
  /// The taps of the sum of each mix.
  let tapped: [TappedMix]
  let reader: QueueReader
  /// Cache of rendered items; `nil` for none.
  let segments: ItemSegments?
  /// Search for dialogue; `nil` where none was asked for.
  let dialogue: QueueDialogue?
  let progress: RunProgress
  let log: DiagnosticLog

  /// The facts about the items afterwards, by index.
  struct Outcome {
    /// For each mix what was solved for the items that have a loudness of their own.
    var levels: [[Int: ItemLevel]]
    /// The items that came from the cache for all outputs.
    var reused: Set<Int> = []
  }

  /// Sends everything through.
  /// - Throws: ``MediaError`` naming the item that fails, or when the outputs grow too large.
  func run() throws -> Outcome {
    let sums = mixes.map { OverlapSum(channels: $0.format.channels, window: $0.window) }
    let limit = OutputLimit(request)
    var outcome = Outcome(levels: mixes.map { _ in [:] })
    for (index, entry) in entries.enumerated() {
      if case .sound(let key, let track, let range) = entry {
        let sound = Sound(key: key, track: track, range: range)
        try input.naming(index) { try render(index, sound, sums, limit, &outcome) }
      }
      try pass(sums, limit, behind: index)
    }
    for number in mixes.indices {
      try sums[number].pass(upTo: mixes[number].window.upperBound) { samples, _ in
        try send(samples, number)
        try check(limit, sums)
      }
      try tapped[number].finish { try split($0, at: $1, number) }
    }
    for (index, branch) in branches.enumerated() {
      try branch.finish()
      let mix = parts[index].mix
      note(max(sums[mix].cutPeak, tapped[mix].cutPeak), index)
      guard parts[index].range.lowerBound == 0 else { continue }
      log.about(.output(index)).noteHead(
        max(sums[mix].headPeak, tapped[mix].headPeak), of: "queue")
    }
    return outcome
  }

  /// Renders one item for every mix that it is heard in, as far as the cache doesn't hold it.
  private func render(
    _ index: Int, _ sound: Sound, _ sums: [OverlapSum], _ limit: OutputLimit,
    _ outcome: inout Outcome
  ) throws {
    let heard = mixes.indices.filter { mixes[$0].isHeard(index) }
    guard !heard.isEmpty, !sound.range.isEmpty else { return }
    let ways = try heard.map { try way(index, $0, sums[$0]) }
    let missing = try ways.filter { way in
      try !replay(way, index, sound) {
        try pass(sums, way, behind: index)
        try check(limit, sums)
      }
    }
    if missing.isEmpty { outcome.reused.insert(index) }
    // The cache has an item's samples, and none of its file, in which dialogue is looked for.
    if !missing.isEmpty || dialogue != nil {
      let told = log.degradations.count
      try decode(index, sound, missing) {
        for way in missing { try pass(sums, way, behind: index) }
        try check(limit, sums)
      }
      // Remarks that were reported while an item was rendered aren't in the cache, so such an item isn't either.
      let isKept = log.degradations.count == told
      for way in missing { try way.finish(isKept: isKept) }
    }
    try release(index, ways, sums, limit, &outcome)
  }

  /// The samples that an item is made of.
  private struct Sound {
    let key: QueueTrack.Key
    let track: QueueTrack
    let range: Range<Int64>
  }

  /// Decodes an item, and renders it for `ways`; `pass` is called after each piece.
  private func decode(
    _ index: Int, _ sound: Sound, _ ways: [ItemWay], _ pass: () throws -> Void
  ) throws {
    let opened = taps.count
    let chains = try ways.map { way in
      let (mix, rendering) = try mixed(way.number, index)
      return try ItemChain(
        rendering, way.placed, taps: makeTaps(index, sound, mix, rendering),
        renderer: maker.make(rendering.plan, for: rendering.programme), rate: mix.format.sampleRate,
        sink: way)
    }
    let source = try reader.item(sound.key, sound.range)
    let feed = progress.feed(source, threads: request.policy.threads)
    defer { feed.stop() }
    let cutter = BlockCutter(size: request.policy.blockSize, programme: source.programme)
    let search = try dialogue.map { _ in
      try SourceDialogue(source.programme, isMetered: false)
    }
    func process(_ block: ProgrammeBlock) throws {
      try search?.add(block)
      for chain in chains { try chain.process(block) }
    }
    for chain in chains { try chain.begin() }
    while let piece = try feed.next() {
      try cutter.push(piece, process)
      try pass()
    }
    feed.stop()
    try cutter.flush(process)
    for chain in chains { try chain.finish() }
    if let search { dialogue?.take(try search.finish(), item: index) }
    taps.close(downTo: opened, .finished)
  }

  /// The taps of the item at `index` for `mix`.
  private func makeTaps(
    _ index: Int, _ sound: Sound, _ mix: QueueMix, _ rendering: ItemRendering
  ) throws -> [Compensated<AudioBuffer>] {
    guard let format = rendering.programme.bedFormat else { return [] }
    var context = TapContext.queue(input, .item, format, mix.output)
    let item = input.queue.items[index]
    context.item = index
    context.title = item.title
    context.source = sound.key.path
    context.track = sound.track.report.stream
    context.language = sound.track.report.language
    context.expectedFrames = Int64(sound.range.count)
    // The response of an item goes on under the next one.
    return try taps.make(mix.output, context, keeps: FilterEnds(tail: true))
  }

  /// Hands on what the cache holds of an item; `false` where it has to be rendered.
  private func replay(
    _ way: ItemWay, _ index: Int, _ sound: Sound, _ pass: () throws -> Void
  ) throws -> Bool {
    guard let segments else { return false }
    let (mix, rendering) = try mixed(way.number, index)
    let margins = ItemChain.Margins(rendering, way.placed, rate: mix.format.sampleRate)
    let key = try segments.key(
      sound.track, sound.key, sound.range, rendering, margins, rate: mix.format.sampleRate)
    let found = segments.find(key)
    if let found, !segments.isVerified, try way.replay(found, pass) { return true }
    let isNew = found == nil || !segments.isVerified
    way.store(
      in: isNew
        ? segments.writer(key, mix.format, head: way.placed.start - margins.start) : nil,
      comparing: isNew ? nil : found)
    return false
  }

  private func mixed(_ number: Int, _ index: Int) throws -> (QueueMix, ItemRendering) {
    guard let rendering = mixes[number].rendering(index) else {
      throw MediaError(.internal, "silence has no renderer")
    }
    return (mixes[number], rendering)
  }

  private func way(_ index: Int, _ number: Int, _ sum: OverlapSum) throws -> ItemWay {
    let (mix, rendering) = try mixed(number, index)
    guard let first = parts.firstIndex(where: { $0.mix == number }) else {
      throw MediaError(.internal, "nothing is made of a mix")
    }
    let placed = mix.placement.items[index]
    let goal = ItemGoal(
      input.queue.items[index], placed, level: branches[first].plan.level,
      asked: request.outputs[first].rendition?.level, scope: input.queue.loudness)
    let hold = try goal.map { goal in
      (
        item: try ItemHold(
          format: mix.format, dualMono: branches[first].plan.isDualMono,
          memory: request.policy.spoolMemory / (2 * mixes.count)), goal: goal
      )
    }
    let margins = ItemChain.Margins(rendering, placed, rate: mix.format.sampleRate)
    return ItemWay(number, placed, from: margins.start, sum: sum, hold: hold)
  }

  /// Adds up what was held back.
  private func release(
    _ index: Int, _ ways: [ItemWay], _ sums: [OverlapSum], _ limit: OutputLimit,
    _ outcome: inout Outcome
  ) throws {
    for way in ways {
      guard let (item, goal) = way.hold else { continue }
      outcome.levels[way.number][index] = try item.release(
        way.placed, at: goal, dialogue: itemDialogue(index), to: sums[way.number],
        ranges: parts.filter { $0.mix == way.number }.map(\.range),
        tick: { try check(limit, sums) }
      ) { end in
        try pass(sums, way.number, upTo: end, behind: index)
      }
    }
  }

  /// The dialogue of the item at `index`, which has a loudness of its own; `nil` where none was looked for.
  private func itemDialogue(_ index: Int) -> ItemDialogue? {
    (dialogue?.found[index]).map {
      ItemDialogue(
        found: $0, levelling: input.queue.loudness == .item ? request.levelling : nil)
    }
  }

  /// Hands on what `way` has brought so far.
  private func pass(_ sums: [OverlapSum], _ way: ItemWay, behind index: Int) throws {
    guard way.hold == nil else { return }
    try pass(sums, way.number, upTo: way.position, behind: index)
  }

  /// Hands on what lies before sample `end` in output `number`, as far as no later item adds to it.
  private func pass(
    _ sums: [OverlapSum], _ number: Int, upTo end: Int64, behind index: Int
  ) throws {
    try sums[number].pass(upTo: min(end, reach(behind: index, number))) { samples, _ in
      try send(samples, number)
    }
  }

  /// Hands on what no later item adds to.
  private func pass(_ sums: [OverlapSum], _ limit: OutputLimit, behind index: Int) throws {
    for number in mixes.indices {
      try pass(sums, number, upTo: mixes[number].placement.items[index].end, behind: index)
    }
    try check(limit, sums)
  }

  /// The first sample of the programme of output `number` that items after the one at `index` add to.
  private func reach(behind index: Int, _ number: Int) -> Int64 {
    index + 1 < mixes[number].reach.count ? mixes[number].reach[index + 1] : .max
  }

  /// Sends `samples` of mix `number` through its taps to the branches.
  private func send(_ samples: AudioBuffer, _ number: Int) throws {
    try dialogue?.add(samples, of: number)
    try tapped[number].process(samples) { try split($0, at: $1, number) }
  }

  /// Sends `samples`, the first at sample `start` of mix `number`, to the branches that get parts of them.
  private func split(_ samples: AudioBuffer, at start: Int64, _ number: Int) throws {
    let all = start..<(start + Int64(samples.frames))
    for (part, branch) in zip(parts, branches) where part.mix == number {
      let range = part.range.clamped(to: all)
      guard !range.isEmpty else { continue }
      let programme = Programme(branch.format)
      guard range != all else {
        try branch.process(ProgrammeBlock(programme, audio: samples))
        continue
      }
      let piece = AudioBuffer(channels: samples.channels, capacity: range.count)
      piece.append(
        samples, range: Int(range.lowerBound - start)..<Int(range.upperBound - start))
      try branch.process(ProgrammeBlock(programme, audio: piece))
    }
  }

  private func check(_ limit: OutputLimit, _ sums: [OverlapSum]) throws {
    try limit.check(branches)
    guard let sum = sums.first, let mix = mixes.first else { return }
    try progress.show(
      RenderProgress(
        pass: .render, done: sum.position - mix.window.lowerBound, total: Int64(mix.window.count),
        sampleRate: mix.format.sampleRate))
  }

  private func note(_ cutPeak: Float, _ index: Int) {
    let part = parts[index]
    let isLast = part.range.upperBound >= mixes[part.mix].placement.frames
    if isLast { log.about(.output(index)).noteTail(cutPeak, of: "queue") }
  }
}

/// The taps that the sum of all items passes, before it is cut into the parts that outputs get: a cut between tracks
/// leaves no mark in what a tap makes.
final class TappedMix {
  private let taps: [Compensated<AudioBuffer>]
  private let chain: StepChain
  private let beginsProgramme: Bool
  /// Sample of the programme after the last one that was handed on.
  private var position: Int64

  /// The taps of `mix`, made by `ledger`, for a queue from `input`.
  /// - Throws: what they throw.
  init(_ mix: QueueMix, _ input: QueueInput, _ ledger: TapLedger) throws {
    taps = try [TapPoint.programme, .post].flatMap { point in
      var context = TapContext.queue(input, point, mix.format, mix.output)
      context.expectedFrames = Int64(mix.window.count)
      // The kept part of the tail is silence at the end of the sum already.
      return try ledger.make(mix.output, context, keeps: FilterEnds())
    }
    chain = StepChain(taps)
    beginsProgramme = mix.window.lowerBound == 0
    position = mix.window.lowerBound
  }

  /// Largest magnitude of what the taps put before the start; 0 where that lies in mid-programme.
  var headPeak: Float { beginsProgramme ? taps.map(\.headPeak).max() ?? 0 : 0 }

  /// Largest magnitude of the taps' response after the end.
  var cutPeak: Float { taps.map(\.cutPeak).max() ?? 0 }

  /// Sends the next samples through; `consume` gets what is ready and the number of its first sample.
  func process(_ samples: AudioBuffer, _ consume: (AudioBuffer, Int64) throws -> Void) throws {
    try chain.process(samples) { try pass($0, consume) }
  }

  /// Drains the taps.
  func finish(_ consume: (AudioBuffer, Int64) throws -> Void) throws {
    try chain.finish { try pass($0, consume) }
  }

  private func pass(
    _ samples: AudioBuffer, _ consume: (AudioBuffer, Int64) throws -> Void
  ) throws {
    guard samples.frames > 0 else { return }
    try consume(samples, position)
    position += Int64(samples.frames)
  }
}

extension TapContext {
  /// Context for a tap of output number `output` at `point` of the queue `input`, where it gets sound of `format`.
  static func queue(
    _ input: QueueInput, _ point: TapPoint, _ format: AudioFormat, _ output: Int
  ) -> TapContext {
    var context = TapContext(point: point, format: format)
    context.output = output
    context.items = input.queue.items.count
    context.source = input.name
    return context
  }
}
