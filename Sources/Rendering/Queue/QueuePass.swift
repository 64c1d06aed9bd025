import AudioCore
import Report
import Signal

/// Pass 1 of a queue: renders item after item, adds them up, and sends the sums through the branches.
struct QueuePass {
  let request: RenderRequest
  let input: QueueInput
  let entries: [QueueEntry]
  /// One for each branch.
  let mixes: [QueueMix]
  let branches: [Branch]
  let maker: RendererMaker
  let reader: QueueReader
  let progress: RunProgress
  let log: DiagnosticLog

  /// Sends everything through.
  /// - Throws: ``MediaError`` naming the item that fails, or when the outputs grow too large.
  func run() throws {
    let sums = mixes.map { OverlapSum(channels: $0.format.channels, window: $0.window) }
    let limit = OutputLimit(request)
    for (index, entry) in entries.enumerated() {
      if case .sound(let key, _, let range) = entry {
        try input.naming(index) { try render(index, key, range, sums, limit) }
      }
      try pass(sums, limit, behind: index)
    }
    for (number, branch) in branches.enumerated() {
      try sums[number].pass(upTo: mixes[number].window.upperBound) { try send($0, to: branch) }
      try branch.finish()
      note(sums[number], number)
    }
  }

  /// Renders one item for every output that it is heard in.
  private func render(
    _ index: Int, _ key: QueueTrack.Key, _ range: Range<Int64>, _ sums: [OverlapSum],
    _ limit: OutputLimit
  ) throws {
    let heard = mixes.indices.filter { mixes[$0].isHeard(index) }
    guard !heard.isEmpty, !range.isEmpty else { return }
    let chains = try heard.map { try chain(index, mixes[$0], sums[$0]) }
    let source = try reader.item(key, range)
    let feed: any BlockFeed = request.policy.threads > 1 ? ReadAhead(source) : DirectFeed(source)
    defer { feed.stop() }
    let cutter = BlockCutter(size: request.policy.blockSize, programme: source.programme)
    for chain in chains { try chain.begin() }
    while let piece = try feed.next() {
      try cutter.push(piece) { block in for chain in chains { try chain.process(block) } }
      for (chain, number) in zip(chains, heard) {
        let end = min(chain.position, reach(behind: index, number))
        try sums[number].pass(upTo: end) { try send($0, to: branches[number]) }
      }
      try check(limit, sums)
    }
    feed.stop()
    try cutter.flush { block in for chain in chains { try chain.process(block) } }
    for chain in chains { try chain.finish() }
  }

  private func chain(_ index: Int, _ mix: QueueMix, _ sum: OverlapSum) throws -> ItemChain {
    guard let rendering = mix.rendering(index) else {
      throw MediaError(.internal, "silence has no renderer")
    }
    return try ItemChain(
      rendering, mix.placement.items[index], renderer: maker.make(rendering.plan),
      rate: mix.format.sampleRate, sum: sum)
  }

  /// Hands on what no later item adds to.
  private func pass(_ sums: [OverlapSum], _ limit: OutputLimit, behind index: Int) throws {
    for number in mixes.indices {
      let end = min(reach(behind: index, number), mixes[number].placement.items[index].end)
      try sums[number].pass(upTo: end) { try send($0, to: branches[number]) }
    }
    try check(limit, sums)
  }

  /// The first sample of the programme of output `number` that items behind the one at `index` add to.
  private func reach(behind index: Int, _ number: Int) -> Int64 {
    index + 1 < mixes[number].reach.count ? mixes[number].reach[index + 1] : .max
  }

  private func send(_ samples: AudioBuffer, to branch: Branch) throws {
    try branch.process(ProgrammeBlock(Programme(branch.format), audio: samples))
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

  private func note(_ sum: OverlapSum, _ number: Int) {
    let isWhole = mixes[number].window.upperBound >= mixes[number].placement.frames
    guard sum.cutPeak > 0, isWhole else { return }
    log.about(.output(number)).decide(
      .tail, "trimmed",
      why: "the output is as long as the queue; what was cut peaks at "
        + "\(Decibels.text(Decibels.level(Double(sum.cutPeak)))) dBFS before the gain, \(setting: .tail) "
        + "keep keeps it")
  }
}
