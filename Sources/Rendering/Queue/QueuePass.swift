import AudioCore
import Report
import Signal

/// Pass 1 of a queue: renders item after item, adds them up, and sends the sums through the branches.
struct QueuePass {
  let request: RenderRequest
  let input: QueueInput
  let entries: [QueueEntry]
  let mixes: [QueueMix]
  /// What each branch gets.
  let parts: [QueuePart]
  let branches: [Branch]
  let maker: RendererMaker
  let reader: QueueReader
  let progress: RunProgress
  let log: DiagnosticLog

  /// Sends everything through.
  /// - Returns: what was solved for the items that have a loudness of their own, in the first output; by index.
  /// - Throws: ``MediaError`` naming the item that fails, or when the outputs grow too large.
  func run() throws -> [Int: ItemHold.Level] {
    let sums = mixes.map { OverlapSum(channels: $0.format.channels, window: $0.window) }
    let limit = OutputLimit(request)
    var levels: [Int: ItemHold.Level] = [:]
    for (index, entry) in entries.enumerated() {
      if case .sound(let key, _, let range) = entry {
        levels[index] = try input.naming(index) { try render(index, key, range, sums, limit) }
      }
      try pass(sums, limit, behind: index)
    }
    for number in mixes.indices {
      try sums[number].pass(upTo: mixes[number].window.upperBound) { try send($0, at: $1, number) }
    }
    for (index, branch) in branches.enumerated() {
      try branch.finish()
      note(sums[parts[index].mix], index)
    }
    return levels
  }

  /// One item on its way to one output.
  private struct Way {
    let number: Int
    let chain: ItemChain
    /// What holds it back until its loudness is known, and the target; `nil` where it has none of its own.
    let hold: (ItemHold, target: Double)?
  }

  /// Renders one item for every output that it is heard in.
  private func render(
    _ index: Int, _ key: QueueTrack.Key, _ range: Range<Int64>, _ sums: [OverlapSum],
    _ limit: OutputLimit
  ) throws -> ItemHold.Level? {
    let heard = mixes.indices.filter { mixes[$0].isHeard(index) }
    guard !heard.isEmpty, !range.isEmpty else { return nil }
    let ways = try heard.map { try way(index, $0, sums[$0]) }
    let source = try reader.item(key, range)
    let feed: any BlockFeed = request.policy.threads > 1 ? ReadAhead(source) : DirectFeed(source)
    defer { feed.stop() }
    let cutter = BlockCutter(size: request.policy.blockSize, programme: source.programme)
    for way in ways { try way.chain.begin() }
    while let piece = try feed.next() {
      try cutter.push(piece) { block in for way in ways { try way.chain.process(block) } }
      for way in ways where way.hold == nil {
        try pass(sums, way.number, upTo: way.chain.position, behind: index)
      }
      try check(limit, sums)
    }
    feed.stop()
    try cutter.flush { block in for way in ways { try way.chain.process(block) } }
    for way in ways { try way.chain.finish() }
    return try release(index, ways, sums)
  }

  private func way(_ index: Int, _ number: Int, _ sum: OverlapSum) throws -> Way {
    let mix = mixes[number]
    guard let rendering = mix.rendering(index) else {
      throw MediaError(.internal, "silence has no renderer")
    }
    guard let first = parts.firstIndex(where: { $0.mix == number }) else {
      throw MediaError(.internal, "nothing is made of a mix")
    }
    let level = branches[first].plan.level?.integrated
    let scope = input.queue.loudness
    let target = input.queue.items[index].loudness ?? (scope == .programme ? nil : level)
    let hold = try target.map { target in
      (
        try ItemHold(
          format: mix.format, dualMono: branches[first].plan.isDualMono,
          memory: request.policy.spoolMemory / (2 * mixes.count)), target: target
      )
    }
    let chain = try ItemChain(
      rendering, mix.placement.items[index], renderer: maker.make(rendering.plan),
      rate: mix.format.sampleRate, sink: hold?.0 ?? sum)
    return Way(number: number, chain: chain, hold: hold)
  }

  /// Adds up what was held back; the level in the first output, where there is one.
  private func release(
    _ index: Int, _ ways: [Way], _ sums: [OverlapSum]
  ) throws -> ItemHold.Level? {
    var first: ItemHold.Level?
    for way in ways {
      guard let (hold, target) = way.hold else { continue }
      let placed = mixes[way.number].placement.items[index]
      let level = try hold.release(placed, at: target, to: sums[way.number]) { end in
        try pass(sums, way.number, upTo: end, behind: index)
      }
      if way.number == 0 { first = level }
    }
    return first
  }

  /// Hands on what lies before sample `end` in output `number`, as far as no later item adds to it.
  private func pass(
    _ sums: [OverlapSum], _ number: Int, upTo end: Int64, behind index: Int
  ) throws {
    try sums[number].pass(upTo: min(end, reach(behind: index, number))) {
      try send($0, at: $1, number)
    }
  }

  /// Hands on what no later item adds to.
  private func pass(_ sums: [OverlapSum], _ limit: OutputLimit, behind index: Int) throws {
    for number in mixes.indices {
      try pass(sums, number, upTo: mixes[number].placement.items[index].end, behind: index)
    }
    try check(limit, sums)
  }

  /// The first sample of the programme of output `number` that items behind the one at `index` add to.
  private func reach(behind index: Int, _ number: Int) -> Int64 {
    index + 1 < mixes[number].reach.count ? mixes[number].reach[index + 1] : .max
  }

  /// Sends `samples`, the first at sample `start` of mix `number`, to the branches that get parts of them.
  private func send(_ samples: AudioBuffer, at start: Int64, _ number: Int) throws {
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
    try limit.check(
      branches.map { branch in
        (
          branch.spool.frames,
          branch.tracks * branch.plan.container.coding.encoding.bytes
        )
      })
    guard let sum = sums.first, let mix = mixes.first else { return }
    try progress.show(
      RenderProgress(
        pass: .render, done: sum.position - mix.window.lowerBound, total: Int64(mix.window.count),
        sampleRate: mix.format.sampleRate))
  }

  private func note(_ sum: OverlapSum, _ index: Int) {
    let part = parts[index]
    let isLast = part.range.upperBound >= mixes[part.mix].placement.frames
    guard sum.cutPeak > 0, isLast else { return }
    log.about(.output(index)).decide(
      .tail, "trimmed",
      why: "the output is as long as the queue; what was cut peaks at "
        + "\(Decibels.text(Decibels.level(Double(sum.cutPeak)))) dBFS before the gain, \(setting: .tail) "
        + "keep keeps it")
  }
}
