// SPDX-License-Identifier: Apache-2.0
import AudioCore
import PlayQueue
import TestSupport
import Testing

@testable import Rendering

/// How far the way of one item reaches over its borders, and which items a part of the programme is made of.
@Suite struct ItemChainTests {
  /// A renderer that is late and goes on ringing.
  private final class Echo: Renderer {
    let latency = 37
    let tail = 61
    private var isFirst = true

    func prepare(_ programme: Programme) throws -> AudioFormat {
      try programme.bedFormat(for: "an echo")
    }

    func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
      if isFirst { output.appendSilence(latency) }
      isFirst = false
      output.append(block.audio)
    }

    func finish(into output: AudioBuffer) throws {
      let start = output.grow(by: tail)
      for index in 0..<tail { output.channel(0)[start + index] = 0.5 }
    }
  }

  /// Keeps what an item adds to the programme.
  private final class Record: ItemSink {
    let samples = AudioBuffer(channels: 1)
    private(set) var start: Int64?

    func add(_ samples: AudioBuffer, at start: Int64, of item: PlacedItem) throws {
      self.start = self.start ?? start
      self.samples.append(samples)
    }

    /// The sample of the programme with the last sound.
    var last: Int64 {
      let index = samples.channel(0).lastIndex { $0 != 0 } ?? 0
      return (start ?? 0) + Int64(index)
    }
  }

  /// Two items of one rate that follow each other, at a place between two samples.
  private struct Pair {
    let own: Int
    let rate: Int
    let placement: Placement
    let rendering: ItemRendering
    /// Record of each item; none for the silence at the beginning.
    let records: [Record?]
    /// Samples behind what each chain gave.
    let ends: [Int64]

    init(own: Int, rate: Int) throws {
      (self.own, self.rate) = (own, rate)
      let silence = MediaTime(ticks: 1, rate: 700)
      let frames = own / 100 + 1
      placement = try Placement(
        PlayQueue([
          QueueItem(.silence(.clock(silence))), QueueCase.item("a.wav"), QueueCase.item("b.wav"),
        ]),
        lengths: [silence] + [0, 5].map { MediaTime(ticks: Int64(frames + $0), rate: Int64(own)) },
        rate: rate)
      let format = AudioFormat(sampleRate: own, layout: .mono)
      let echo = Echo()
      let rendering = ItemRendering(
        plan: .passThrough(nil), programme: Programme(format), format: format,
        latency: echo.latency, tail: echo.tail, hrtf: nil)
      var (records, ends): ([Record?], [Int64]) = ([nil], [0])
      for (number, placed) in placement.items.enumerated().dropFirst() {
        let record = Record()
        let chain = try ItemChain(
          rendering, placed, taps: [], renderer: Echo(), rate: rate, sink: record)
        try chain.begin()
        try chain.process(Pair.noise(frames + (number - 1) * 5, rendering.programme, number))
        try chain.finish()
        records.append(record)
        ends.append(chain.position)
      }
      self.rendering = rendering
      self.records = records
      self.ends = ends
    }

    private static func noise(
      _ frames: Int, _ programme: Programme, _ seed: Int
    ) -> ProgrammeBlock {
      var noise = SeededNoise(seed: UInt64(seed))
      let block = ProgrammeBlock(programme)
      block.appendSilence(frames)
      for (index, sample) in noise.samples(frames, peak: 0.25).enumerated() {
        block.audio.channel(0)[index] = sample
      }
      return block
    }

    func mix(_ window: Range<Int64>) -> QueueMix {
      QueueMix(
        format: AudioFormat(sampleRate: rate, layout: .mono), output: 0, placement: placement,
        renderings: [rendering], kinds: [nil, 0, 0], taps: TapProof(), window: window, tail: 0,
        reach: [])
    }

    /// The samples of `window`, made of those items that are heard there; of all with `isWhole`.
    func samples(_ window: Range<Int64>, isWhole: Bool = false) -> [Float] {
      let mix = mix(window)
      let sum = OverlapSum(channels: 1, window: window)
      for (index, record) in records.enumerated() {
        guard let record, let start = record.start, isWhole || mix.isHeard(index) else { continue }
        sum.add(record.samples, at: start, of: placement.items[index])
      }
      var samples: [Float] = []
      sum.pass(upTo: window.upperBound) { block, _ in samples += Array(block.channel(0)) }
      return samples
    }
  }

  private static let rates = [
    8000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000, 384_000,
  ]

  @Test(
    "at all pairs of rates a range is made of all items that reach into it, and an item's reach is that of its filters",
    arguments: rates)
  func rangesAreMadeOfWhatReachesIntoThem(rate: Int) throws {
    for own in ItemChainTests.rates {
      let pair = try Pair(own: own, rate: rate)
      let longest = (pair.ends.max() ?? 0) + 300
      let whole = pair.samples(0..<longest, isWhole: true)
      for (index, placed) in pair.placement.items.enumerated() {
        guard let record = pair.records[index] else { continue }
        let margins = ItemChain.Margins(pair.rendering, placed, rate: rate)
        #expect(record.start == margins.start, "\(own) Hz, item \(index + 1)")
        // Both ends of the reach are rounded.
        let spare = placed.end + margins.tail - pair.ends[index]
        #expect((0...(own == rate ? 0 : 2)).contains(spare), "\(own) Hz: \(spare) samples more")
        let borders = [placed.start, placed.end, placed.end + margins.tail, record.last]
        for border in Set(borders.flatMap { [$0 - 1, $0, $0 + 1] }) {
          for window in [border..<(border + 50), (border - 50)..<border] {
            let window = window.clamped(to: 0..<longest)
            let slice = whole[Int(window.lowerBound)..<Int(window.upperBound)]
            #expect(
              pair.samples(window) == Array(slice), "\(own) Hz, item \(index + 1): \(window)")
          }
        }
      }
    }
  }
}
