// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Verify

/// The comparators on blocks of samples, without files.
@Suite struct ComparatorTests {
  private final class PlaneSource: AudioSource {
    let format: AudioFormat
    private let planes: [[Float]]
    private let block: Int
    private var place = 0

    init(_ planes: [[Float]], block: Int, rate: Int = 48_000) {
      self.planes = planes
      self.block = block
      format = AudioFormat(
        sampleRate: rate, layout: ChannelLayout.conventional(channels: planes.count) ?? .mono)
    }

    func read(into buffer: AudioBuffer) throws -> Bool {
      let count = min(block, planes[0].count - place)
      let start = buffer.grow(by: count)
      for (channel, plane) in planes.enumerated() {
        for index in 0..<count { buffer.channel(channel)[start + index] = plane[place + index] }
      }
      place += count
      return place < planes[0].count
    }
  }

  private func alignment(_ old: [[Float]], _ new: [[Float]], rate: Int = 8000) throws
    -> Verify.Alignment
  {
    let source = PlaneSource(old, block: 5000, rate: rate)
    let excerpt = AlignmentExcerpt(format: source.format)
    try BlockPairer(reference: source, test: PlaneSource(new, block: 7001, rate: rate)).run {
      excerpt.add($0, $1, count: $2)
    }
    excerpt.finish()
    return AlignmentSearch(excerpt).find()
  }

  private func noise(_ channels: Int, _ count: Int) -> [[Float]] {
    (0..<channels).map { channel in
      var noise = SeededNoise(seed: UInt64(5 + channel))
      return noise.samples(count, peak: 0.5)
    }
  }

  @Test("a lag between two files is found", arguments: [0, 1, -1, 480, -733, 7999, -7999])
  func lagsAreFound(lag: Int) throws {
    let long = noise(2, 60_000)
    let old = long.map { Array($0[10_000..<50_000]) }
    let new = long.map { Array($0[10_000 - lag..<50_000 - lag]) }
    #expect(try alignment(old, new) == Verify.Alignment(lag: Int64(lag), sources: [0, 1]))
  }

  /// A lag counts only where it halves what is unexplained: an echo that is louder than the sound itself, but
  /// not by much, doesn't move it.
  @Test("an echo of 40 samples is a lag at three times the sound's level, but not at 1.25 times")
  func anEchoIsNoLag() throws {
    let long = noise(1, 40_100)[0]
    var other = SeededNoise(seed: 99)
    let rest = other.samples(40_000, peak: 0.5)
    func mixed(_ direct: Float, _ echo: Float) -> [Float] {
      (0..<40_000).map { direct * long[$0 + 100] + echo * long[$0 + 60] + 0.28 * rest[$0] }
    }
    let old = [Array(long[100...].prefix(40_000))]
    #expect(try alignment(old, [mixed(0.6, 0.75)]) == .none(channels: 1))
    #expect(try alignment(old, [mixed(0.3, 0.9)]).lag == 40)
  }

  @Test("three orders of six channels are found")
  func channelOrdersAreFound() throws {
    let old = noise(6, 40_000)
    for order in [[1, 0, 2, 3, 4, 5], [0, 2, 1, 3, 4, 5], [5, 4, 3, 2, 1, 0]] {
      var new = old
      for (channel, source) in order.enumerated() { new[source] = old[channel] }
      #expect(try alignment(old, new).sources == order)
    }
  }

  @Test("like channels stay in place, and so does a silent channel beside sound")
  func likeChannelsStayInPlace() throws {
    let plane = noise(1, 40_000)[0]
    #expect(try alignment([plane, plane], [plane, plane]) == .none(channels: 2))
    let silence = [Float](repeating: 0, count: 40_000)
    #expect(try alignment([silence, plane], [silence, plane]) == .none(channels: 2))
  }

  @Test(
    "the hash of samples is that of their bytes for blocks of any size",
    arguments: [1, 7, 480, 100_000])
  func hashesDontDependOnBlocks(block: Int) throws {
    let planes = noise(3, 20_000)
    var samples = SampleComparator(format: PlaneSource(planes, block: 1).format)
    let pairer = BlockPairer(
      reference: PlaneSource(planes, block: block), test: PlaneSource(planes, block: 333))
    try pairer.run(
      onReference: { samples.addReference($0) }, onTest: { samples.addTest($0) }
    ) { samples.addPair($0, $1, count: $2) }
    #expect(samples.areIdentical && samples.areCommonSamplesIdentical)
    var bytes: [UInt8] = []
    for index in 0..<20_000 {
      for plane in planes { withUnsafeBytes(of: plane[index]) { bytes += Array($0) } }
    }
    #expect(samples.testDigest == Digest.sha256(bytes))
  }

  @Test("spectra of a sine and of a tenth of it have 0 and -20 dB within 0.05 dB")
  func spectraHaveTheScaleOfTheirSignal() throws {
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let analyzer = SpectralAnalyzer(format: format)
    let buffer = AudioBuffer(channels: 1)
    buffer.grow(by: 9600)
    for index in 0..<9600 { buffer.channel(0)[index] = Float(sin(Double(index) * 0.37)) }
    let quiet = AudioBuffer(channels: 1)
    quiet.grow(by: 9600)
    for index in 0..<9600 { quiet.channel(0)[index] = 0.1 * buffer.channel(0)[index] }
    var levels: [(Double, Double)] = []
    analyzer.add(buffer, quiet, count: 9600) { frame in
      let power = { (part: (re: UnsafeMutablePointer<Float>, im: UnsafeMutablePointer<Float>)) in
        (0..<frame.bins).reduce(0.0) {
          $0 + Double(part.re[$1] * part.re[$1] + part.im[$1] * part.im[$1])
        }
      }
      levels.append((power(frame.reference(0)), power(frame.test(0))))
    }
    #expect(levels.count > 5)
    for (old, new) in levels {
      #expect(abs(10 * log10(old)) < 0.05)
      #expect(abs(10 * log10(new) + 20) < 0.05)
    }
  }

  /// Cues of white noise with a known difference between the ears.
  private func interaural(_ delay: Int, _ gain: Float) throws -> [String: Double] {
    let plane = noise(1, 96_100)[0]
    let left = Array(plane[50..<96_050])
    let right = plane[50 - delay..<96_050 - delay].map { gain * $0 }
    let analyzer = SpectralAnalyzer(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    var comparator = InterauralComparator()
    try BlockPairer(
      reference: PlaneSource([left, left], block: 4800),
      test: PlaneSource([left, right], block: 4800)
    ).run { analyzer.add($0, $1, count: $2) { comparator.add($0) } }
    comparator.finish()
    let figures = comparator.judge(.exact).figures
    return Dictionary(uniqueKeysWithValues: figures.map { ($0.name, $0.value ?? .nan) })
  }

  @Test(
    "half the level at one ear is an ILD of 6.02 dB, and 12 samples of delay are an ITD of 250 µs")
  func interauralCuesHaveTheirUnits() throws {
    let level = try interaural(0, 0.5)
    #expect(abs((level["ild"] ?? 0) - 6.02) < 0.05)
    #expect((level["itd"] ?? 99) < 1)
    let late = try interaural(12, 1)
    // 12 samples are 250 µs.
    #expect(abs((late["itd"] ?? 0) - 250) < 15, "\(late)")
    #expect((late["ild"] ?? 99) < 0.3)
  }

  /// A delay in a narrow band is known only up to a period, so that the shorter way round counts.
  @Test("a delay in a narrow band counts by the shorter way round its period")
  func delaysAreHeldAgainstThePeriod() throws {
    let rate = 48_000.0
    // Eleven tones about 1.15 kHz, in one band of hearing; a period lasts 41.7 samples.
    func tone(_ delay: Double) -> [Float] {
      (0..<96_000).map { index in
        Float(
          (0..<11).reduce(0) {
            $0 + 0.02 * sin(2 * .pi * (1145 + Double($1)) * (Double(index) - delay) / rate)
          })
      }
    }
    let left = tone(0)
    func itd(_ reference: Double, _ test: Double) throws -> Double {
      let analyzer = SpectralAnalyzer(
        format: AudioFormat(sampleRate: 48_000, layout: .stereo))
      var comparator = InterauralComparator()
      try BlockPairer(
        reference: PlaneSource([left, tone(reference)], block: 4800),
        test: PlaneSource([left, tone(test)], block: 4800)
      ).run { analyzer.add($0, $1, count: $2) { comparator.add($0) } }
      comparator.finish()
      return try #require(comparator.judge(.exact).figures.first { $0.name == "itd" }?.value)
    }
    let near = try itd(0, 8)
    #expect((near - 8 / rate * 1e6).magnitude < 20, "\(near)")
    // 16 samples late and 16 samples early are 32 samples apart, which is 667 µs, or about 10 by the shorter way round.
    let far = try itd(16, -16)
    #expect(far > 100 && far < 450, "\(far)")
  }

  @Test("a level beyond its limit fails with its amount in words, and one within passes")
  func levelsAreHeldAgainstTheirLimits() {
    let old = LevelFigures(
      integrated: -16, truePeak: -1, channelLoudness: [-18, -19], channelTruePeaks: [-1, -2])
    func judge(_ change: (inout LevelFigures) -> Void) -> LayerResult {
      var new = old
      change(&new)
      return LevelComparator(reference: old, test: new, layout: .stereo).judge(.transparent)
    }
    #expect(judge { _ in }.status == .passed)
    #expect(judge { $0.integrated = -15.9 }.fault?.sentence.contains("0.10 LU louder") == true)
    #expect(judge { $0.truePeak = -1.5 }.fault?.sentence.contains("0.50 dB lower in true") == true)
    #expect(judge { $0.channelLoudness[1] = nil }.fault?.sentence.hasPrefix("FR is silent") == true)
    #expect(judge { $0.channelTruePeaks[0] = -1.05 }.status == .passed)
  }

  @Test("a verdict says what happened to the sound before it names a tag")
  func verdictsNameTheSoundFirst() {
    let tag = ComparisonFault(.packing, "the tag title of TEST says nothing")
    let layers = [
      LayerResult(.structure, figures: [], rule: "", fault: tag),
      LayerResult(.samples, figures: [], rule: "", fault: ComparisonFault(.difference, "a")),
    ]
    let both = ComparisonVerdict(layers, tolerance: .exact)
    #expect(
      both.sentence == "different: a. Beside the sound, the tag title of TEST says nothing.")
    #expect(both.explainedBy == .samples && both.failed == .structure)
    let alone = ComparisonVerdict(Array(layers.prefix(1)), tolerance: .exact)
    #expect(alone.sentence == "different: the tag title of TEST says nothing.")
  }

  @Test("figures of a sound with a gain of 3 dB are 3 dB higher, and silence stays silence")
  func figuresWithAGain() {
    let figures = LevelFigures(
      integrated: -16, truePeak: nil, channelLoudness: [-18, nil], channelTruePeaks: [-1])
    #expect(
      figures.louder(by: 3)
        == LevelFigures(
          integrated: -13, truePeak: nil, channelLoudness: [-15, nil], channelTruePeaks: [2]))
  }

  /// Two channels at 100 Hz, of which the second of TEST holds the first of REF: each step has ten samples.
  @Test("the difference over time has a level for each 100 ms, over blocks of any length")
  func theDifferenceOverTime() {
    let format = AudioFormat(sampleRate: 100, layout: .stereo)
    func buffer(_ left: [Float], _ right: [Float]) -> AudioBuffer {
      let buffer = AudioBuffer(channels: 2)
      buffer.appendSilence(left.count)
      for index in left.indices {
        buffer.channel(0)[index] = left[index]
        buffer.channel(1)[index] = right[index]
      }
      return buffer
    }
    let zeros = [Float](repeating: 0, count: 25)
    // A tenth of full scale in one of two channels from sample 10 on: -20 - 3.01 dB.
    let off = zeros.indices.map { $0 < 10 ? Float(0) : 0.1 }
    for length in [25, 7] {
      var trace = DifferenceTrace(format: format, alignment: Alignment(lag: 0, sources: [1, 0]))
      for start in stride(from: 0, to: 25, by: length) {
        let range = start..<min(25, start + length)
        trace.add(
          buffer(Array(zeros[range]), Array(zeros[range])),
          buffer(Array(zeros[range]), Array(off[range])), count: range.count)
      }
      trace.finish()
      #expect(trace.levels.count == 3 && trace.levels[0] == nil)
      for level in trace.levels.dropFirst() {
        #expect(abs((level ?? 0) + 23.0103) < 0.001, "\(trace.levels)")
      }
    }
  }

  @Test("blocks that are matched have the gain, and the block itself stays as it is")
  func matchedBlocksAreCopies() {
    let blocks = MatchedBlocks(format: AudioFormat(sampleRate: 48_000, layout: .mono), gainDB: 20)
    let block = AudioBuffer(channels: 1)
    block.appendSilence(9000)
    for index in 0..<9000 { block.channel(0)[index] = 0.05 }
    let louder = blocks.louder(block, count: 8999)
    #expect(louder.frames == 8999 && louder.channel(0).allSatisfy { abs($0 - 0.5) < 1e-6 })
    #expect(block.channel(0)[0] == 0.05)
    #expect(blocks.louder(block, count: 3).frames == 3)
  }

  @Test(
    "a verdict quotes causes, then effects that none of them explains, and no plain differences")
  func verdictsQuoteTheBestExplanation() {
    let layers = [
      LayerResult(.structure, figures: [], rule: "", fault: nil),
      LayerResult(.samples, figures: [], rule: "", fault: ComparisonFault(.difference, "a")),
      LayerResult(.null, figures: [], rule: "", fault: ComparisonFault(.effect, "b")),
      LayerResult(.levels, figures: [], rule: "", fault: ComparisonFault(.cause, "c")),
      LayerResult(.spectrum, figures: [], rule: "", fault: ComparisonFault(.cause, "d")),
    ]
    let verdict = ComparisonVerdict(layers, tolerance: .exact)
    #expect(verdict.failed == .samples)
    #expect(verdict.explainedBy == .levels)
    #expect(verdict.sentence == "different: c; d; b.")
    var explaining = layers
    explaining[3].fault?.explains = [.null, .spectrum]
    #expect(ComparisonVerdict(explaining, tolerance: .exact).sentence == "different: c.")
    #expect(ComparisonVerdict(Array(layers.prefix(1)), tolerance: .lossy).failed == nil)
  }

  @Test("the tag, box, edit list, start, length or finding that differs is named")
  func structureNamesWhatDiffers() {
    var old = StructureFacts(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    old.samples = 48_000
    old.tags["title"] = "Walk"
    old.boxes = ["ftyp", "moov"]
    func sentence(_ tolerance: ComparisonTolerance, _ change: (inout StructureFacts) -> Void)
      -> String?
    {
      var new = old
      change(&new)
      return StructureComparator(reference: old, test: new).judge(tolerance).fault?.sentence
    }
    #expect(sentence(.exact) { _ in } == nil)
    #expect(sentence(.exact) { $0.tags["title"] = "Run" }?.contains("\"Run\"") == true)
    #expect(sentence(.lossy) { $0.tags["title"] = "Run" } == nil)
    #expect(sentence(.exact) { $0.boxes.append("free") }?.contains("free") == true)
    #expect(sentence(.exact) { $0.edits = ["track 1: …"] }?.contains("edit list") == true)
    #expect(sentence(.lossy) { $0.start = 48 }?.contains("48 samples (1.000 ms) later") == true)
    #expect(sentence(.lossy) { $0.samples -= 1 }?.contains("lacks 1 sample ") == true)
    #expect(sentence(.lossy) { $0.findings = ["sequence: moof[2]"] }?.contains("moof[2]") == true)
  }
}
