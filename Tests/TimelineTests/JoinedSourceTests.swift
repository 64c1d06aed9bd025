// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaIn

/// Sections that are held in memory, and a record of the calls they get.
final class ListedSections: JoinedSections {
  private let sections: [JoinedSection]
  private(set) var opened: [Int] = []
  private(set) var positions: [Int64] = []
  private(set) var ended: [Int] = []

  init(_ sections: [JoinedSection]) { self.sections = sections }

  var count: Int { sections.count }

  func open(_ index: Int, at position: Int64) throws -> JoinedSection {
    opened.append(index)
    positions.append(position)
    return sections[index]
  }

  func makeConverter(from section: AudioFormat, to joined: AudioFormat) throws -> any AudioStage {
    let doubler = Doubler()
    _ = try doubler.prepare(section)
    return doubler
  }

  func didRead(_ index: Int) {}

  func didEnd(_ index: Int) { ended.append(index) }
}

/// Doubles the sample rate by repeating every sample; it delivers the last pair only at the end.
private final class Doubler: AudioStage {
  let latency = 0
  private var held: Float?

  func prepare(_ format: AudioFormat) throws -> AudioFormat {
    AudioFormat(sampleRate: 2 * format.sampleRate, layout: format.layout)
  }

  func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    for value in Array(input.channel(0)) {
      try finish(into: output)
      held = value
    }
  }

  func finish(into output: AudioBuffer) throws {
    guard let held else { return }
    let place = output.grow(by: 2)
    output.channel(0)[place] = held
    output.channel(0)[place + 1] = held
  }
}

@Suite struct JoinedSourceTests {
  private func section(_ sizes: [Int], rate: Int = 48_000) throws -> TrimmedSource {
    try TrimmedSource(
      source: ScriptedSource(Trimmed.blocks(sizes), rate: rate), facts: Trimmed.facts(),
      priming: .samples(10), log: DiagnosticLog())
  }

  private let mono = Programme(AudioFormat(sampleRate: 48_000, layout: .mono))

  private func silence(_ count: Int64) -> JoinedSection {
    .silence(MediaTime(ticks: count, rate: 48_000))
  }

  @Test("two sections follow each other without a seam, and their figures are added")
  func sectionsFollowEachOtherWithoutASeam() throws {
    let sound = ListedSections([.sound(try section([100, 50])), .sound(try section([20, 20]))])
    let whole = try JoinedSource(mono, sections: sound)
    #expect(try Trimmed.drain(whole) == Trimmed.ramp(11, 150) + Trimmed.ramp(11, 40))
    #expect(sound.positions == [0, 140])
    let summary = whole.summary
    #expect(summary.decoded == 190 && summary.startTrim == 20 && summary.valid == 170)
  }

  @Test("a section is opened only after the ones before it have been read")
  func sectionsAreOpenedWhenTheirTurnComes() throws {
    let sections = ListedSections([
      silence(5), .sound(try section([100])), silence(70_000), .sound(try section([100])),
    ])
    let joined = try JoinedSource(mono, sections: sections)
    #expect(sections.opened == [0, 1])
    let block = ProgrammeBlock(mono)
    while block.frames < 95 { _ = try joined.read(into: block) }
    #expect(sections.opened == [0, 1])
    while try joined.read(into: block) {}
    #expect(sections.opened == [0, 1, 2, 3] && sections.ended == [1, 3])
    #expect(sections.positions == [0, 5, 95, 70_095])
    #expect(block.frames == 5 + 90 + 70_000 + 90)
  }

  /// Seven samples are all start-up: that section fails, as it would alone.
  @Test("an error of the second section is an error of the whole")
  func aSectionsErrorEndsTheJoin() throws {
    let sections = ListedSections([.sound(try section([100])), .sound(try section([7]))])
    let joined = try JoinedSource(mono, sections: sections)
    #expect(throws: MediaError.self) { try Trimmed.drain(joined) }
  }

  @Test("sections of silence at the end are played")
  func silenceAtTheEndIsPlayed() throws {
    let sections = ListedSections([.sound(try section([100])), silence(3), silence(0), silence(4)])
    let joined = try JoinedSource(mono, sections: sections)
    #expect(
      try Trimmed.drain(joined) == Trimmed.ramp(11, 100) + Array(repeating: 0, count: 7))
  }

  @Test("a section at half the rate is converted in its place between the others")
  func anotherRateIsConverted() throws {
    let sections = ListedSections([
      .sound(try section([30])), .sound(try section([20, 5], rate: 24_000)),
      .sound(try section([12])),
    ])
    let joined = try JoinedSource(mono, sections: sections)
    let twice = Trimmed.ramp(11, 25).flatMap { [$0, $0] }
    #expect(
      try Trimmed.drain(joined) == Trimmed.ramp(11, 30) + twice + Trimmed.ramp(11, 12))
    #expect(joined.summary.valid == 20 + 30 + 2 && joined.summary.decoded == 30 + 50 + 12)
  }

  /// Figures of a section are in samples of the programme, counted from the programme's beginning.
  @Test("figures of a section at half the rate are in samples of the programme")
  func figuresOfASectionAreInSamplesOfTheProgramme() throws {
    let slow = try TrimmedSource(
      source: ScriptedSource(
        [(20, 0), (10, 60), (10, 70)].map { TimedBlock(frames: $0.0, position: $0.1) },
        rate: 24_000),
      facts: Trimmed.facts(), priming: .samples(10), log: DiagnosticLog())
    let sections = ListedSections([.sound(try section([30])), .sound(slow)])
    let joined = try JoinedSource(mono, sections: sections)
    #expect(try Trimmed.drain(joined).count == 20 + 2 * 70)
    #expect(joined.summary.startTrim == 10 + 2 * 10)
    #expect(joined.summary.decoded == 30 + 2 * 80 && joined.summary.valid == 160)
    #expect(
      joined.summary.gaps == [TimelineGap(kind: .gap, position: 20 + 2 * 10, samples: 2 * 40)])
  }

  @Test("a section with objects at another rate is refused as unsupported")
  func objectsAtAnotherRateAreRefused() throws {
    let first = ObjectScript(frames: 100, edges: [], seed: 1)
    let second = ObjectScript(frames: 100, edges: [], seed: 2, rate: 24_000)
    let sections = ListedSections(
      try [first, second].map {
        .sound(
          try TrimmedSource(
            source: MovingObjectsSource($0, size: 10), facts: Trimmed.facts(), priming: .keep,
            log: DiagnosticLog()))
      })
    let joined = try JoinedSource(first.programme, sections: sections)
    let error = #expect(throws: MediaError.self) {
      let block = ProgrammeBlock(first.programme)
      while try joined.read(into: block) {}
    }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("2 objects") == true)
  }

  @Test("sections of silence alone are refused as having no audio")
  func withoutSoundThereIsNothingToJoin() {
    let error = #expect(throws: MediaError.self) {
      try JoinedSource(mono, sections: ListedSections([silence(5)]))
    }
    #expect(error?.kind == .noAudio)
  }
}
