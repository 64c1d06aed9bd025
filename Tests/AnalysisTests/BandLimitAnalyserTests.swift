// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import Analysis

@Suite struct BandLimitAnalyserTests {
  private let mono = AudioFormat(sampleRate: 48_000, layout: .mono)
  /// About 11 s at 48 kHz.
  private static let long = 1 << 19

  private func found(_ plane: [Float], rate: Int = 48_000) throws -> BandLimitFindings {
    let format = AudioFormat(sampleRate: rate, layout: .mono)
    return try AnalysisSupport.findings(BandLimitAnalyser(format), [plane], size: 65_536)
  }

  /// Noise through a low-pass whose level falls by 90 dB within 200 Hz.
  private func cut(_ cutoff: Double, seed: UInt64, _ shape: (Double) -> Double = { _ in 1 })
    -> [Float]
  {
    AnalysisSupport.noise(rate: 48_000, count: BandLimitAnalyserTests.long, seed: seed) { hertz in
      let fall = min(90, max(0, (hertz - cutoff) / 200 * 90))
      return shape(hertz) * pow(10, -fall / 20)
    }
  }

  /// Like a voice: even up to 500 Hz, then falling by 12 dB per octave, and by 30 above 4 kHz.
  private func voice(_ hertz: Double) -> Double {
    let high = hertz > 4000 ? pow(4000 / hertz, 3) : 1
    return high * (hertz > 500 ? pow(500 / hertz, 2) : 1)
  }

  @Test(
    "a steep low-pass at 3.4…21.5 kHz is found with certainty within 100 Hz",
    arguments: [3.4, 11, 15, 16, 16.5, 19, 20, 21.5])
  func findsTheEdgeOfASteepLowPass(
    kilohertz: Double
  ) throws {
    let found = try found(cut(1000 * kilohertz, seed: 1))
    #expect(found.edge == .steep && found.doubt == .certain)
    #expect(abs((found.highestHz ?? 0) - 1000 * kilohertz) <= 100, "\(found.highestHz ?? 0) Hz")
    #expect((found.dropDB ?? 0) > 80)
    #expect(found.sentence.hasPrefix("content ends at "))
  }

  @Test("an edge above dither of 16 bits is found within 200 Hz")
  func ditherAboveTheEdgeHidesNothing() throws {
    for (kilohertz, gain) in [(15.0, 1.0), (16, 0.01), (19, 0.1)] {
      let plane = cut(1000 * kilohertz, seed: 2).map { $0 * Float(gain) }
      let found = try found(Signals.dithered(plane, seed: 3))
      #expect(found.edge == .steep, "\(found.sentence)")
      #expect(abs((found.highestHz ?? 0) - 1000 * kilohertz) <= 200, "\(found.highestHz ?? 0) Hz")
    }
  }

  @Test("an edge at 16 kHz of pink and duller noise is found within 200 Hz")
  func anEdgeInMusicThatFallsIsFound() throws {
    let pink = try found(cut(16_000, seed: 4) { 1 / max(20, $0).squareRoot() })
    #expect(pink.edge == .steep && abs((pink.highestHz ?? 0) - 16_000) <= 200)
    let dull = try found(
      Signals.dithered(cut(16_000, seed: 5) { 1 / max(20, $0) }, seed: 6))
    #expect(dull.edge == .steep && abs((dull.highestHz ?? 0) - 16_000) <= 200, "\(dull.sentence)")
  }

  @Test("a step of 18 dB at 16 kHz is a likely steep edge")
  func aSmallStepIsOnlyLikely() throws {
    let plane = AnalysisSupport.noise(rate: 48_000, count: BandLimitAnalyserTests.long, seed: 7) {
      $0 < 16_000 ? 1 : 0.126
    }
    let found = try found(plane)
    #expect(found.edge == .steep && found.doubt == .likely)
  }

  @Test("a hole at 15…17 kHz is no edge")
  func aHoleIsNoEdge() throws {
    let plane = AnalysisSupport.noise(rate: 48_000, count: BandLimitAnalyserTests.long, seed: 8) {
      (15_000..<17_000).contains($0) ? 1e-4 : 1
    }
    #expect(try found(plane).edge == .none)
  }

  @Test("white and pink noise reach half the rate without an edge")
  func whiteAndPinkNoiseReachTheEnd() throws {
    for (seed, shape) in [(9, { (_: Double) in 1.0 }), (10, { 1 / max(20, $0).squareRoot() })] {
      for rate in [44_100, 48_000, 8000, 96_000] {
        let plane = AnalysisSupport.noise(rate: rate, count: 1 << 18, seed: UInt64(seed), shape)
        let found = try found(plane, rate: rate)
        #expect(
          found.edge == .none && found.highestHz == Double(rate) / 2, "\(rate): \(found.sentence)")
      }
    }
  }

  @Test(
    "a falling voice has no edge, and a gentle one within 700 Hz of the place where it meets dither"
  )
  func aVoiceThatFallsOffIsNoCliff() throws {
    let plane = AnalysisSupport.noise(
      rate: 48_000, count: BandLimitAnalyserTests.long, seed: 11, voice)
    #expect(try found(plane).edge == .none)
    let dithered = try found(Signals.dithered(plane, seed: 12))
    #expect(dithered.edge == .gentle && dithered.doubt == .certain)
    // The frequency at which the level meets that of the dither plus 6 dB, by the shape itself.
    let floor = 1.0 / 32_768 / 32_768 / 4 / 24_000
    let total = (1..<24_000).reduce(0) { $0 + pow(voice(Double($1)), 2) }
    let wanted = (1..<24_000).last { 0.01 * pow(voice(Double($0)), 2) / total > 3 * floor } ?? 0
    #expect(
      abs((dithered.highestHz ?? 0) - Double(wanted)) < 700, "\(dithered.highestHz ?? 0), \(wanted)"
    )
  }

  /// Simple low-passes made by the bilinear transform end in a zero at half the rate.
  @Test(
    "a low-pass of order 1…6 is no steep edge, with and without dither", arguments: [1, 2, 4, 6])
  func aSimpleFilterIsNoCliff(order: Int) throws {
    let plane = AnalysisSupport.noise(rate: 48_000, count: BandLimitAnalyserTests.long, seed: 13) {
      let ratio = tan(.pi * min($0, 23_999) / 48_000) / tan(.pi * 4000 / 48_000)
      return 1 / (1 + pow(ratio, 2 * Double(order))).squareRoot()
    }
    #expect(try found(plane).edge != .steep)
    #expect(try found(Signals.dithered(plane, seed: 14)).edge != .steep)
  }

  @Test(
    "sound converted from a lower rate ends in a cliff",
    arguments: [(32_000, 3, 2), (44_100, 160, 147), (24_000, 2, 1)])
  func whatCameFromALowerRateIsACliff(
    rate: Int, up: Int, down: Int
  ) throws {
    var noise = SeededNoise(seed: 15)
    let input = noise.samples(8 * rate, peak: 0.3)
    let converter = RateConverter(up: up, down: down, largest: input.count)
    var plane = [Float](repeating: 0, count: converter.capacity(input.count))
    let made = converter.process(input, input.count, into: &plane)
    let found = try found(Array(plane[..<made]))
    #expect(found.edge == .steep && found.doubt == .certain)
    // The converter's own pass band ends at 0.44 of the lower rate.
    let range = 0.44 * Double(rate)...0.5 * Double(rate)
    #expect(found.highestHz.map(range.contains) == true, "\(found.highestHz ?? 0) Hz of \(rate)")
  }

  @Test("silence, DC, near silence and 1 s of noise are reported as too quiet or too short")
  func silenceDCAndNearSilenceTellNothing() throws {
    var noise = SeededNoise(seed: 16)
    let planes = [
      [Float](repeating: 0, count: 480_000), [Float](repeating: 0.5, count: 480_000),
      noise.samples(480_000, peak: 0.0001),
      Signals.dithered([Float](repeating: 0.25, count: 480_000), seed: 17), [],
      noise.samples(48_000),
    ]
    for plane in planes {
      let found = try found(plane)
      #expect(found.edge == .unknown && found.doubt == .unclear && found.highestHz == nil)
      #expect(found.sentence == "too quiet or too short to say")
    }
  }

  @Test(
    "a pure tone has an unknown edge, rounded or dithered",
    arguments: [100.0, 1000, 15_000, 15_003.7])
  func pureTonesTellNothing(hertz: Double) throws {
    let tone = AnalysisSupport.sine(hertz, rate: 48_000, count: 480_000, peak: 0.5)
    let coarse = tone.map { ($0 * 32_768).rounded() / 32_768 }
    for plane in [tone, coarse, Signals.dithered(tone, seed: 18)] {
      let found = try found(plane)
      #expect(found.edge == .unknown && found.doubt == .unclear, "\(found.sentence)")
    }
  }

  @Test("silence before and after sound changes no edge and adds at most four frames")
  func silentStretchesDontCount() throws {
    let noise = cut(16_000, seed: 19)
    let gap = Signals.dithered([Float](repeating: 0, count: 480_000), seed: 20)
    let alone = try found(noise)
    let both = try found(gap + noise + gap)
    #expect(both.edge == .steep && both.highestHz == alone.highestHz)
    #expect(both.frames <= alone.frames + 4)
  }

  @Test("the spectrum of white noise is its mean square within 0.05 dB")
  func theSpectrumOfWhiteNoiseIsItsMeanSquare() throws {
    var noise = SeededNoise(seed: 21)
    let analyser = BandLimitAnalyser(mono)
    let plane = noise.samples(480_000, peak: 0.5)
    _ = try AnalysisSupport.findings(analyser, [plane])
    let mean = analyser.spectrum[100..<4000].reduce(0, +) / 3900
    #expect(abs(10 * log10(mean / (0.25 / 3))) < 0.05)
  }

  @Test("the band limit is the same for blocks of any size")
  func findsTheSameForAnyBlocks() throws {
    let plane = Array(cut(16_000, seed: 22).prefix(150_001))
    let other = Array(plane.reversed())
    let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let different = try AnalysisSupport.firstDifference([plane, other]) {
      BandLimitAnalyser(stereo)
    }
    #expect(different == nil)
  }

  /// LAME's low-pass filters at these rates, as its own messages state them: transition bands in Hz.
  private static let coded = [
    ("128k", 16_300.0...17_100.0), ("192k", 18_300.0...19_300.0), ("320k", 19_700.0...20_700.0),
  ]

  @Test(
    "the low-pass of real MP3 is found", .tags(.system, .slow), .fullRunOnly,
    .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed"), arguments: coded)
  func realMP3IsFoundOut(rate: String, edge: ClosedRange<Double>) throws {
    let folder = try TemporaryFolder()
    for source in ["anoisesrc=d=10:c=pink:r=44100:a=0.5", BandLimitAnalyserTests.music] {
      let (file, plain) = (folder.file("coded.mp3"), folder.file("plain.f32"))
      try FixtureStore.ffmpeg(
        ["-f", "lavfi", "-i", source, "-ac", "2", "-c:a", "libmp3lame", "-b:a", rate, file])
      try FixtureStore.ffmpeg(["-i", file, "-f", "f32le", "-ac", "1", plain])
      let samples = Signals.floats(try Data(contentsOf: folder.url("plain.f32")))
      let found = try found(samples, rate: 44_100)
      #expect(found.edge == .steep && found.doubt == .certain, "\(found.sentence)")
      #expect(found.highestHz.map(edge.contains) == true, "\(found.highestHz ?? 0) Hz")
    }
  }

  /// Sawtooth chords with drums of noise.
  private static let music =
    "aevalsrc='0.15*(mod(t*220\\,1)-0.5)+0.1*(mod(t*277.2\\,1)-0.5)"
    + "+0.3*exp(-12*mod(t\\,0.5))*(random(0)-0.5)"
    + "+0.02*(random(1)-0.5)*exp(-40*mod(t\\,0.125))':d=10:s=44100"
}
