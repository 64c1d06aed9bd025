// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Verify

/// Properties of files besides their samples; any difference counts.
@Suite struct StructureLayerTests {
  private let old: StructureFacts = {
    var facts = StructureFacts(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    (facts.container, facts.codec, facts.samples) = ("mp4", "flac", 96_000)
    facts.tags = ["title": "Walk"]
    facts.edits = ["track 1: 2000 from 0"]
    facts.boxes = ["ftyp", "moov"]
    facts.fragments = (0..<3).map {
      StructureFacts.Fragment(
        track: 1, sequence: $0 + 1, decodeTime: Int64($0) * 4096, samples: 4, duration: 4096)
    }
    return facts
  }()

  private func judge(
    _ tolerance: ComparisonTolerance, lag: Int64? = nil, _ change: (inout StructureFacts) -> Void
  ) -> LayerResult {
    var new = old
    change(&new)
    var comparator = StructureComparator(reference: old, test: new)
    comparator.lag = lag
    return comparator.judge(tolerance)
  }

  @Test("equal structures pass with every tolerance")
  func equalFilesPass() {
    for tolerance in ComparisonTolerance.all {
      #expect(judge(tolerance) { _ in }.status == .passed)
    }
  }

  @Test("another rate or layout fails with every tolerance and is named")
  func ratesAndLayoutsCountAlways() {
    for tolerance in ComparisonTolerance.all {
      let rate = judge(tolerance) { $0.format.sampleRate = 44_100 }
      #expect(rate.sentence == "TEST has a rate of 44100 Hz, REF of 48000 Hz")
      let layout = judge(tolerance) {
        $0.format.layout = ChannelLayout([.frontLeft, .frontCenter])
      }
      #expect(layout.sentence.contains("FR missing, FC added"), "\(layout.sentence)")
    }
  }

  @Test("samples of another rate or channel count can't be compared, those of another layout can")
  func otherRatesAndCountsCantBeCompared() {
    func comparable(_ change: (inout StructureFacts) -> Void) -> Bool {
      var new = old
      change(&new)
      return StructureComparator(reference: old, test: new).areSamplesComparable
    }
    #expect(comparable { $0.format.layout = ChannelLayout([.frontLeft, .frontCenter]) })
    #expect(!comparable { $0.format.layout = .mono })
    #expect(!comparable { $0.format.sampleRate = 44_100 })
  }

  @Test(
    "another length is reported with its place at the beginning, at the end or nowhere, by the lag",
    arguments: [
      (-1, nil, "TEST lacks 1 sample (0.021 ms) in length"),
      (-480, 0, "TEST lacks 480 samples (10.000 ms) at the end"),
      (480, 0, "TEST has 480 samples (10.000 ms) more at the end"),
      (-480, -480, "TEST lacks 480 samples (10.000 ms) at the beginning"),
      (480, 480, "TEST has 480 samples (10.000 ms) more at the beginning"),
      (480, 7, "TEST has 480 samples (10.000 ms) more in length"),
    ] as [(Int64, Int64?, String)])
  func lengthsAreToldWithTheirPlace(more: Int64, lag: Int64?, words: String) {
    #expect(judge(.lossy, lag: lag) { $0.samples += more }.sentence == words)
  }

  @Test("streams other than sound count only with --all")
  func whatIsntSoundCountsOnlyWhenEverythingDoes() {
    let changes: [(String, (inout StructureFacts) -> Void)] = [
      ("the codec of TEST is alac instead of flac", { $0.codec = "alac" }),
      ("edit list", { $0.edits = [] }),
      ("the box tree of TEST has free where REF has nothing", { $0.boxes.append("free") }),
      ("the tag title of TEST says nothing instead of \"Walk\"", { $0.tags = [:] }),
      ("TEST has 2 track fragments, REF 3", { $0.fragments.removeLast() }),
      (
        "the decode time (tfdt) of track fragment 2 is 1024 ticks (1 coded frame) late",
        { $0.fragments[1].decodeTime = 5120 }
      ),
    ]
    for (words, change) in changes {
      let strict = judge(.exact, change)
      #expect(strict.sentence.contains(words), "\(strict.sentence)")
      #expect(judge(.transparent, change).status == .passed, "\(words)")
    }
  }

  @Test("tags don't count where they are ignored, everything else does")
  func ignoredTagsDontCount() {
    var tolerance = ComparisonTolerance.exact
    tolerance.comparesTags = false
    #expect(judge(tolerance) { $0.tags = [:] }.status == .passed)
    #expect(judge(tolerance) { $0.boxes.append("free") }.status == .failed)
    #expect(judge(.exact) { $0.tags = [:] }.fault?.rank == .packing)
  }

  /// Ticks are told as coded frames only where they are whole ones.
  @Test(
    "a displaced fragment is reported in ticks, and in coded frames where they are whole",
    arguments: [
      (1536, "is 1536 ticks late"), (-2048, "is 2048 ticks (2 coded frames) early"),
      (-1024, "is 1024 ticks (1 coded frame) early"), (1, "is 1 ticks late"),
      (3072, "is 3072 ticks (3 coded frames) late"),
    ] as [(Int64, String)])
  func displacedFragmentsAreToldInFrames(ticks: Int64, words: String) {
    let result = judge(.exact) { $0.fragments[2].decodeTime = 8192 + ticks }
    #expect(result.sentence == "the decode time (tfdt) of track fragment 3 \(words)")
  }

  /// A fragment of one sample may be displaced, too.
  @Test("a fragment of one sample that is displaced by a tick is reported")
  func aFragmentOfOneSampleIsDisplaced() {
    let single = judge(.exact) {
      $0.fragments[2].decodeTime = 8193
      $0.fragments[2].samples = 1
    }
    #expect(single.sentence.contains("is 1 ticks late"), "\(single.sentence)")
  }

  /// A coded frame may be one tick long.
  @Test("a fragment displaced by 5 ticks is 5 coded frames late where a frame has one tick")
  func framesOfOneTickAreCounted() {
    var (reference, test) = (old, old)
    reference.fragments = old.fragments.map {
      var fragment = $0
      fragment.samples = 4096
      return fragment
    }
    test.fragments = reference.fragments
    test.fragments[2].decodeTime = 8197
    let result = StructureComparator(reference: reference, test: test).judge(.exact)
    #expect(
      result.sentence.hasSuffix("is 5 ticks (5 coded frames) late"), "\(result.sentence)")
  }

  /// Containers have clocks of their own: a start is only compared within one.
  @Test(
    "another start fails in one container, and in another container with the exact tolerance only")
  func startsAreComparedInTheSameContainer() {
    #expect(judge(.lossy) { $0.start = -48 }.sentence.contains("48 samples (1.000 ms) earlier"))
    let other = judge(.lossy) {
      $0.start = -48
      $0.container = "ogg"
    }
    #expect(other.status == .passed)
    let strict = judge(.exact) {
      $0.start = -48
      $0.container = "ogg"
    }
    #expect(strict.sentence.contains("earlier"))
  }

  @Test("only findings missing in the reference count") func onlyNewFindingsCount() {
    var before = old
    before.findings = ["a"]
    var after = before
    #expect(StructureComparator(reference: before, test: after).judge(.exact).status == .passed)
    after.findings.append("b")
    let result = StructureComparator(reference: before, test: after).judge(.lossy)
    #expect(result.sentence == "the boxes of TEST contradict each other: b")
    #expect(result.value("findings") == 2)
  }
}
