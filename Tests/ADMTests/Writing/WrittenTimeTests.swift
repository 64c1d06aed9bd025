// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import ADM

/// Times as decimal numbers of seconds, which every reader of ADM takes.
@Suite struct WrittenTimeTests {
  private static let rates = [
    8000, 11_025, 16_000, 22_050, 22_051, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400,
    192_000,
  ]

  @Test(
    "decimal times have the digits that they need",
    arguments: [
      (0, 48_000, "00:00:00.00000"), (24_000, 48_000, "00:00:00.50000"),
      (1, 48_000, "00:00:00.00002083"), (52_801, 48_000, "00:00:01.10002083"),
      (1, 8000, "00:00:00.000125"), (1, 192_000, "00:00:00.000005208"),
      (48_000 * 36_061, 48_000, "10:01:01.00000"), (1, 44_100, "00:00:00.00002267"),
    ] as [(Int64, Int, String)])
  func digits(sample: Int64, rate: Int, text: String) {
    #expect(BlockWriter(rate: rate, .decimal).time(sample) == text)
  }

  @Test("every sample up to a day comes back from its decimal time", arguments: rates)
  func samplesComeBack(rate: Int) throws {
    var noise = SeededNoise(seed: UInt64(rate))
    let blocks = BlockWriter(rate: rate, .decimal)
    let day = Int64(rate) * 86_400
    for round in 0..<4000 {
      let sample = round < 1000 ? Int64(round) : Int64.random(in: 0...day, using: &noise)
      let text = blocks.time(sample)
      let decimals = text.split(separator: ".").last.map(\.utf8.count) ?? 0
      #expect((5...9).contains(decimals), "\(text)")
      let time = try #require(ADMTime(Array(text.utf8)), "\(text)")
      #expect(time.firstSample(at: rate) == sample, "\(text)")
      #expect(time.lead(at: rate) <= 0.001, "\(text)")
      #expect(Int64((time.seconds * Double(rate)).rounded()) == sample, "\(text)")
    }
  }

  @Test("a block ends where the next one begins, and at its sample", arguments: rates)
  func blocksMeet(rate: Int) throws {
    var noise = SeededNoise(seed: UInt64(rate) + 1)
    let blocks = BlockWriter(rate: rate, .decimal)
    for _ in 0..<1000 {
      let start = Int64.random(in: 0..<Int64(rate) * 86_400, using: &noise)
      let end = start + Int64.random(in: 1...5000, using: &noise)
      let first = try #require(ADMTime(Array(blocks.time(start).utf8)))
      let length = try #require(ADMTime(Array(blocks.duration(start..<end).utf8)))
      let next = try #require(ADMTime(Array(blocks.time(end).utf8)))
      #expect(first.adding(length) == next, "\(start)..<\(end)")
    }
  }

  @Test("times between samples keep their first sample", arguments: rates)
  func timesBetweenSamplesKeepTheirSample(rate: Int) throws {
    var noise = SeededNoise(seed: UInt64(rate) + 2)
    for _ in 0..<2000 {
      var time = WrittenTime(sample: 0)
      time.count = Int64.random(in: 0..<Int64(rate) * 86_400 * WrittenTime.parts, using: &noise)
      let text = WrittenTime.text(nanoseconds: time.nanoseconds(rate: rate))
      let read = try #require(ADMTime(Array(text.utf8)), "\(text)")
      let first = (time.count + WrittenTime.parts - 1) / WrittenTime.parts
      #expect(read.firstSample(at: rate) == first, "\(time.count) \(text)")
    }
  }

  @Test("a programme with decimal times reads without findings")
  func programmesRead() throws {
    var maker = RandomObject(seed: 9)
    let programme = WrittenProgramme(
      name: "Random", sampleRate: 44_100, length: 60_000,
      elements: [.object(name: "Object", maker.blocks(60_000))])
    let (exact, read) = (
      try ReadBack(programme), try ReadBack(programme, times: .decimal)
    )
    #expect(read.findings.isEmpty, "\(read.findings.map(\.message))")
    let found = [exact, read].map { scene in
      scene.selection.items[0].channels[0].format.blocks.map { $0.start.firstSample(at: 44_100) }
    }
    #expect(found[0] == found[1] && found[0].count > 5)
  }
}
