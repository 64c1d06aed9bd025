// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import PlayQueue
import Report

/// How one kind of track becomes the channels of an output's programme.
struct ItemRendering {
  /// How its channels are made.
  let plan: RendererPlan
  /// Programme of the tracks.
  let programme: Programme
  /// Format that comes out, at the rate of the tracks.
  let format: AudioFormat
  /// Samples of the tracks that the renderer's response begins before the sound.
  let latency: Int
  /// Samples of the tracks that the response of taps and renderer outlasts the sound.
  private(set) var tail: Int
  /// SHA-256 of the HRTF set; `nil` without one.
  let hrtf: String?
  /// The taps before the renderer.
  private(set) var taps: [PlannedTap] = []
  /// How the delay of each of these taps is known, and how long it is.
  private(set) var tapDelays: [String] = []
  /// Whether equal sound gives equal samples in every run.
  private(set) var isDeterministic = true

  /// How the sound is made, before any tap is added.
  init(
    plan: RendererPlan, programme: Programme, format: AudioFormat, latency: Int, tail: Int,
    hrtf: String?
  ) {
    self.plan = plan
    self.programme = programme
    self.format = format
    self.latency = latency
    self.tail = tail
    self.hrtf = hrtf
  }

  /// Adds the taps of output number `output` that item number `index` of `input` passes.
  /// - Throws: what they throw; ``MediaError`` of kind `unsupportedFeature` where they get no channels.
  mutating func add(_ taps: TapLedger, output: Int, _ input: QueueInput, _ index: Int) throws {
    let own = taps.taps(output).filter { $0.plan.point == .item && $0.isFor(index) }
    guard let first = own.first else { return }
    guard let format = programme.bedFormat else {
      throw MediaError(
        .unsupportedFeature,
        "\(first.plan.title) works on channels of loudspeakers, but the track holds \(programme.contents); put it at "
          + "programme or post")
    }
    let context = TapContext.queue(input, .item, format, output)
    let proofs = try own.map { try taps.proof($0, context) }
    tapDelays = zip(own, proofs).map { "\($0.latency) \($1.used)" }
    self.taps = own.map(\.plan)
    let all = TapProof(proofs)
    tail += all.tail
    isDeterministic = all.isDeterministic
  }
}

/// The way of one item to the sum: taps, silence around it, renderer, rate conversion.
///
/// The silence makes room for what filters put before the item, and puts the item's first sample on the grid
/// that its rate conversion shares with its neighbours.
final class ItemChain {
  private let rendering: ItemRendering
  private let placed: PlacedItem
  private let sink: any ItemSink
  private let taps: StepChain
  private let renderer: Compensated<ProgrammeBlock>?
  private let converter: Compensated<AudioBuffer>?
  private let margins: Margins
  private let rendered: AudioBuffer
  private let converted: AudioBuffer
  /// Sample of the programme at which the next output lies.
  private(set) var position: Int64

  /// The silence around an item.
  struct Margins {
    /// Samples of silence before the item, at the track's rate.
    let lead: Int
    /// Samples of silence after the renderer's tail, at the track's rate.
    let trail: Int
    /// Sample of the programme at which the silence begins.
    let start: Int64
    /// Samples of the programme that are given after the item's end, at most: the filters' response.
    let tail: Int64

    /// The silence around the item at `placed` in a programme of `rate` Hz.
    init(_ rendering: ItemRendering, _ placed: PlacedItem, rate: Int) {
      let own = Int64(rendering.format.sampleRate)
      guard own != Int64(rate) else {
        lead = rendering.latency
        trail = 0
        start = placed.start - Int64(lead)
        tail = Int64(rendering.tail)
        return
      }
      // Whole steps of input samples are whole numbers of output samples.
      let step = MediaTime.leastCommonMultiple(own, Int64(rate)) / Int64(rate)
      let reach = Resampler.reach(from: Int(own), to: rate)
      let zeros = placed.conversion.zeros
      let needed = max(0, Int64(rendering.latency + reach) - zeros)
      let steps = (needed + step - 1) / step
      lead = Int(zeros + steps * step)
      trail = reach
      start =
        placed.conversion.gridStart - MediaTime.rescale(steps * step, by: Int64(rate), over: own)
      // Rounded up, and one more: the grid and the item's end lie up to half a sample off their exact places.
      tail = (Int64(rendering.tail + trail) * Int64(rate) + own - 1) / own + 1
    }
  }

  /// The way of the item at `placed` through `taps` into `sink` at `rate` Hz; `renderer` is what `rendering` plans.
  /// - Throws: ``MediaError`` when a step can't take what it gets.
  init(
    _ rendering: ItemRendering, _ placed: PlacedItem, taps: [Compensated<AudioBuffer>],
    renderer: (any Renderer)?, rate: Int, sink: any ItemSink
  ) throws {
    self.rendering = rendering
    self.placed = placed
    self.sink = sink
    self.taps = StepChain(taps)
    self.renderer = try renderer.map {
      try Compensated(
        $0, name: "the renderer", input: rendering.programme, keeps: FilterEnds(tail: true))
    }
    let format = rendering.format
    let target = AudioFormat(sampleRate: rate, layout: format.layout)
    converter =
      format.sampleRate == rate
      ? nil
      : try Compensated(
        Resampler(to: target), name: "resampler", input: format, length: .produced)
    margins = Margins(rendering, placed, rate: rate)
    position = margins.start
    rendered = AudioBuffer(channels: format.channels)
    converted = AudioBuffer(channels: format.channels)
  }

  /// Sends the silence before the item through.
  func begin() throws {
    let block = ProgrammeBlock(rendering.programme)
    block.appendSilence(margins.lead)
    try render(block)
  }

  /// Takes the next samples of the item.
  func process(_ block: ProgrammeBlock) throws {
    guard !taps.isEmpty else { return try render(block) }
    try taps.process(block.audio) {
      try render(ProgrammeBlock(rendering.programme, audio: $0))
    }
  }

  private func render(_ block: ProgrammeBlock) throws {
    guard let renderer else { return try convert(block.audio) }
    rendered.removeAll()
    try renderer.process(block, into: rendered)
    try convert(rendered)
  }

  /// Drains the filters.
  func finish() throws {
    try taps.finish { try render(ProgrammeBlock(rendering.programme, audio: $0)) }
    if let renderer {
      rendered.removeAll()
      try renderer.finish(into: rendered)
      try convert(rendered)
    }
    guard let converter else { return }
    rendered.removeAll()
    rendered.appendSilence(margins.trail)
    try convert(rendered)
    converted.removeAll()
    try converter.finish(into: converted)
    try emit(converted)
  }

  private func convert(_ samples: AudioBuffer) throws {
    guard let converter else { return try emit(samples) }
    converted.removeAll()
    try converter.process(samples, into: converted)
    try emit(converted)
  }

  private func emit(_ samples: AudioBuffer) throws {
    guard samples.frames > 0 else { return }
    try sink.add(samples, at: position, of: placed)
    position += Int64(samples.frames)
  }
}

/// Finds rendered items in the cache, and stores new ones there.
final class ItemSegments {
  private let cache: SegmentCache
  private let digests: SourceDigests
  private let common: SegmentKey.Builder
  private var used: Set<SegmentKey> = []
  /// Whether items that are found are rendered as well and compared.
  let isVerified: Bool

  /// The cache that `policy` describes, for items of `run`, whose files `digests` knows; nothing is kept that isn't in
  /// its key.
  init(_ policy: SegmentPolicy, _ run: RunIdentity, _ digests: SourceDigests) {
    cache = SegmentCache(path: policy.folder, limit: policy.limit)
    self.digests = digests
    isVerified = policy.isVerified
    var key = SegmentKey.Builder()
    key.add("tools", text: run.tools)
    key.add("decoding", text: run.decoding)
    common = key
  }

  /// The key of an item's samples; `nil` for an item that isn't kept.
  /// - Throws: ``MediaError`` when the settings can't be put into words.
  func key(
    _ track: QueueTrack, _ key: QueueTrack.Key, _ range: Range<Int64>, _ rendering: ItemRendering,
    _ margins: ItemChain.Margins, rate: Int
  ) throws -> SegmentKey? {
    // The files of a playlist, and what lies on the network, aren't known by their bytes; what a tap makes in
    // another way each time isn't known at all. Why a file can't be read,
    // its decoder says.
    guard track.isOneFile, rendering.isDeterministic, let digest = try? digests.digest(of: key.path)
    else { return nil }
    var builder = common
    builder.add("source", text: digest)
    builder.add("track", integer: Int64(key.track ?? -1))
    builder.add("from", integer: range.lowerBound)
    builder.add("to", integer: range.upperBound)
    builder.add("programme", text: try ReportJSON.line(rendering.programme))
    builder.add("renderer", text: try ReportJSON.line(rendering.plan))
    builder.add("taps", text: try ReportJSON.line(rendering.taps))
    builder.add("delays of taps", text: rendering.tapDelays.joined(separator: "; "))
    builder.add("hrtf", text: rendering.hrtf ?? "")
    builder.add("layout", text: rendering.format.layout.name)
    builder.add("lead", integer: Int64(margins.lead))
    builder.add("trail", integer: Int64(margins.trail))
    builder.add("rate", integer: Int64(rate))
    used.insert(builder.key)
    return builder.key
  }

  /// The samples of `key`; `nil` where they aren't there.
  func find(_ key: SegmentKey?) -> SegmentReader? { key.flatMap(cache.open) }

  /// Writer for the samples of `key`, `head` of them before the item itself; `nil` where they aren't kept.
  func writer(_ key: SegmentKey?, _ format: AudioFormat, head: Int64) -> SegmentWriter? {
    key.flatMap {
      cache.writer($0, channels: format.channels, rate: format.sampleRate, head: max(0, head))
    }
  }

  /// Makes the cache as small as it has to be; what this run used goes last.
  func close() {
    digests.save()
    cache.trim(keeping: used)
  }
}
