// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

/// Trimming, filling gaps, ranges and joining keep every object's state at every sample, however the
/// decoded sound is cut into blocks.
@Suite struct MovingObjectsTests {
  private static let frames = 2400
  private static let seeds: [UInt64] = [1, 2, 3]
  /// Sizes by which a block follows the one after a jump, which confirms it; 0 leaves all in one.
  private static let severalBlocks = StageVerifier.blockSizes.filter { $0 > 0 }

  /// The samples that a stretch of a script must deliver.
  private func stretch(_ script: ObjectScript, _ range: Range<Int>) -> [ObservedSample] {
    range.map { ObservedSample(value: Float($0 + 1), states: script.states(at: $0)) }
  }

  private func silence(_ count: Int, _ states: [ObjectState]) -> [ObservedSample] {
    Array(repeating: ObservedSample(value: 0, states: states), count: count)
  }

  private func trimmed(
    _ script: ObjectScript, size: Int, from start: Int = 0, length: Int = 0,
    jumps: [Int: Int64] = [:]
  ) throws -> TrimmedSource {
    var facts = Trimmed.facts()
    facts.edits = [GaplessFacts.Edit(duration: Int64(length), mediaTime: Int64(start))]
    facts.movieTimescale = Int64(script.rate)
    facts.mediaTimescale = Int64(script.rate)
    return try TrimmedSource(
      source: MovingObjectsSource(script, size: size, jumps: jumps), facts: facts,
      log: DiagnosticLog())
  }

  private func expect(
    _ source: any ProgrammeSource, gives expected: [ObservedSample], _ comment: Comment
  ) throws {
    let observer = try ObjectObserver.drain(source)
    #expect(observer.samples == expected, comment)
    #expect(observer.followed == expected.map(\.states), comment)
  }

  /// The samples of a script without and with a jump of the clock before sample `place`.
  private func decoded(_ script: ObjectScript, _ jump: Int, at place: Int) -> [ObservedSample] {
    stretch(script, 0..<place) + silence(max(0, jump), script.statesCarried(to: place))
      + stretch(script, (place + max(0, -jump))..<script.frames)
  }

  @Test("trimming keeps the states of moving objects", arguments: seeds, StageVerifier.blockSizes)
  func trimming(seed: UInt64, size: Int) throws {
    for (start, length) in [(0, 0), (480, 0), (481, 1000), (1, 2398), (700, 64), (64, 1)] {
      let end = length == 0 ? MovingObjectsTests.frames : start + length
      let script = ObjectScript(
        frames: MovingObjectsTests.frames, edges: [start, end], seed: seed)
      try expect(
        trimmed(script, size: size, from: start, length: length),
        gives: stretch(script, start..<end), "\(start)+\(length)")
    }
  }

  /// Gaps and overlaps keep the states, also with start-up samples that end before, in and behind them.
  @Test(
    "gaps and overlaps keep the states of moving objects", arguments: seeds, severalBlocks)
  func gapsAndOverlaps(seed: UInt64, size: Int) throws {
    for jump in [300, -300] {
      for start in [0, 899, 900, 1000, 1200, 1300] {
        let script = ObjectScript(
          frames: MovingObjectsTests.frames, edges: [900, 900 + max(0, -jump), start], seed: seed)
        let source = try trimmed(script, size: size, from: start, jumps: [900: Int64(jump)])
        let all = decoded(script, jump, at: 900)
        try expect(source, gives: Array(all.dropFirst(start)), "jump \(jump), start \(start)")
        #expect(source.summary.gaps.count == 1)
      }
    }
  }

  @Test("a range keeps the states of moving objects", arguments: seeds, StageVerifier.blockSizes)
  func ranges(seed: UInt64, size: Int) throws {
    for (start, end, lead) in [
      (0, nil, 0), (480, 1000, 0), (1, 2399, 0), (479, 481, 0), (0, nil, 100), (50, 700, 100),
      (150, 700, 100), (100, nil, -70), (0, 90, 100),
    ] as [(Int, Int?, Int)] {
      let script = ObjectScript(
        frames: MovingObjectsTests.frames,
        edges: [start - lead, (end ?? MovingObjectsTests.frames) - lead], seed: seed)
      let all =
        silence(max(0, lead), script.starts)
        + stretch(script, max(0, -lead)..<MovingObjectsTests.frames)
      let range = RangeSource(
        source: try trimmed(script, size: size), start: Int64(start), end: end.map(Int64.init),
        lead: Int64(lead))
      try expect(
        range, gives: Array(all.prefix(end ?? .max).dropFirst(start)), "\(start), \(lead)")
    }
  }

  /// Trimmed sections, gaps inside and between them, and a range over all.
  @Test(
    "joined sections keep the states of moving objects", arguments: seeds, severalBlocks)
  func joins(seed: UInt64, size: Int) throws {
    let scripts = [(480, 1500), (0, 700), (7, 900)].enumerated().map { number, cut in
      ObjectScript(
        frames: 1600, edges: [cut.0, cut.0 + cut.1, 600], seed: 10 * seed + UInt64(number))
    }
    let sections = ListedSections([
      .silence(MediaTime(ticks: 33, rate: 48_000)),
      .sound(try trimmed(scripts[0], size: size, from: 480, length: 1000)),
      .sound(try trimmed(scripts[1], size: size, length: 700, jumps: [600: 50])),
      .silence(MediaTime(ticks: 1, rate: 1000)), .silence(MediaTime(ticks: 2, rate: 48_000)),
      .sound(try trimmed(scripts[2], size: size, from: 7, length: 900)),
    ])
    let second = Array(decoded(scripts[1], 50, at: 600).prefix(700))
    // The silence counts among the 700 samples of the section, so it ends at sample 650 of the script.
    let behind = scripts[1].statesCarried(to: 650)
    let all =
      silence(33, scripts[0].starts) + stretch(scripts[0], 480..<1480) + second
      + silence(48 + 2, behind) + stretch(scripts[2], 7..<907)
    let joined = try JoinedSource(scripts[0].programme, sections: sections)
    let whole = try ObjectObserver.drain(joined)
    #expect(whole.samples == all && whole.followed == all.map(\.states))
    #expect(joined.summary.valid == Int64(1000 + 700 + 900))
    #expect(sections.opened == Array(0..<6) && sections.ended == [1, 2, 5])
  }

  @Test(
    "a range of joined sections keeps the states of moving objects", arguments: seeds,
    StageVerifier.blockSizes)
  func aRangeOfAJoin(seed: UInt64, size: Int) throws {
    let scripts = (0..<2).map {
      ObjectScript(frames: 900, edges: [450], seed: 10 * seed + UInt64($0))
    }
    let all =
      stretch(scripts[0], 0..<900) + silence(40, scripts[0].statesCarried(to: 900))
      + stretch(scripts[1], 0..<900)
    for (start, end) in [(450, 1000), (899, 901), (900, 940), (910, 1200), (941, 1840)] {
      let sections = ListedSections([
        .sound(try trimmed(scripts[0], size: size)), .silence(MediaTime(ticks: 40, rate: 48_000)),
        .sound(try trimmed(scripts[1], size: size)),
      ])
      let range = RangeSource(
        source: try JoinedSource(scripts[0].programme, sections: sections), start: Int64(start),
        end: Int64(end))
      try expect(range, gives: Array(all[start..<end]), "\(start)..<\(end)")
    }
  }
}
