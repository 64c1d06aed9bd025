// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import Rendering
import Report
import TestSupport
import Testing

/// The curves of a report are right and don't depend on the block size.
@Suite struct CurvesTests {
  private func curves(_ planes: [[Float]], rate: Int = 48_000) async throws -> RenderReport {
    var test = try RenderCase(WAVBytes.float32(planes, rate: rate))
    test.job.outputs[0].endpoint = .none
    return try await test.run()
  }

  private func tone(_ frequency: Double, _ amplitude: Double, seconds: Double, rate: Int)
    -> [Float]
  {
    (0..<Int(seconds * Double(rate))).map {
      Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate)))
    }
  }

  @Test("curves of a report are the same for blocks of any size") func areTheSameForAllBlockSizes()
    async throws
  {
    var planes = TestProgramme.planes(channels: 2, seconds: 6, level: 0.1)
    for index in 200_000..<200_040 { planes[1][index] *= 4 }
    var test = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    test.job.policy.overwrite = true
    var all: [RenderReport.Curves] = []
    for size in [nil, 1, 7, 480, 1 << 20] {
      test.job.blockSize = size
      all.append(try #require(try await test.run().curves))
    }
    #expect(all[0].gainReductionDB != nil && all[0].spectrum != nil)
    #expect(all[0].inputTruePeakSeconds != nil)
    for curves in all { #expect(curves == all[0]) }
  }

  @Test("the curve of peaks has a peak in its step", arguments: [44_100, 48_000, 96_000])
  func peaksAreWhereTheyAre(rate: Int) async throws {
    var noise = SeededNoise(seed: 3)
    var plane = noise.samples(rate * 8, peak: 0.05)
    for index in 0..<20 { plane[rate * 5 + rate / 20 + index] = index % 2 == 0 ? 0.9 : 0.85 }
    let report = try await curves([plane, plane.map { $0 * 0.5 }], rate: rate)
    let curves = try #require(report.curves)
    #expect(curves.inputTruePeakSeconds == 5.05)
    let limiter = try #require(report.loudness?.limiter)
    let steps = try #require(curves.gainReductionDB)
    #expect(steps.count == 80 && curves.inputMomentary.highest.count == 80)
    let deepest = try #require(steps.max())
    #expect((deepest - limiter.maxReductionDB).magnitude <= 0.005)
    #expect(steps.firstIndex(of: deepest) == 50)
    #expect(steps[..<49].allSatisfy { $0 == 0 }, "nothing before the look-ahead")
    let active = Double(steps.count { $0 > 0 }) / Double(steps.count)
    #expect(active >= limiter.activeFraction && active < limiter.activeFraction + 0.05)
  }

  @Test func loudnessBeforeIsThatOfTheFileLessTheGain() async throws {
    let planes = TestProgramme.planes(channels: 2, seconds: 12, level: 0.02)
    var test = try RenderCase(WAVBytes.float32(planes, rate: 48_000))
    test.job.loudness?.integrated = -30
    let report = try await test.run()
    let (loudness, curves) = (try #require(report.loudness), try #require(report.curves))
    #expect(loudness.limiter == nil && loudness.gainDB.magnitude > 1)
    let after = try #require(loudness.series)
    #expect(curves.intervalSeconds == 0.1 && curves.inputShortTerm.lowest == nil)
    for (old, new) in zip(curves.inputShortTerm.highest, after.shortTerm) {
      #expect((old == nil) == (new == nil))
      if let old, let new { #expect((new - old - loudness.gainDB).magnitude < 0.05) }
    }
  }

  @Test(arguments: [8_000, 44_100, 48_000, 192_000])
  func aToneIsInItsBandAtItsLevel(rate: Int) async throws {
    let plane = tone(1000, 0.5, seconds: 3, rate: rate)
    let report = try await curves([plane, plane], rate: rate)
    let (spectrum, gain) = (
      try #require(report.curves?.spectrum), try #require(report.loudness?.gainDB)
    )
    let band = try #require(spectrum.frequenciesHz.firstIndex(of: 1000))
    let level = try #require(spectrum.inputDB[band])
    #expect((level + 6.02).magnitude < 0.1)
    let after = try #require(spectrum.outputDB[band])
    #expect((after - level - gain).magnitude < 0.1)
    for (index, other) in spectrum.inputDB.enumerated() where abs(index - band) > 2 {
      #expect(other ?? -120 < -50, "\(spectrum.frequenciesHz[index])")
    }
    for (frequency, level) in zip(spectrum.frequenciesHz, spectrum.inputDB)
    where frequency > Double(rate) / 2 {
      #expect(level == nil)
    }
  }

  @Test func whiteNoiseRisesThreeDecibelsAnOctave() async throws {
    var noise = SeededNoise(seed: 9)
    let planes = (0..<3).map { _ in noise.samples(48_000 * 20, peak: 0.3) }
    let report = try await curves([planes[0], planes[1]])
    let spectrum = try #require(report.curves?.spectrum)
    let levels = zip(spectrum.frequenciesHz, spectrum.inputDB).compactMap { frequency, level in
      level.map { (log2(frequency / 1000), $0) }
    }.filter { (-3...4).contains($0.0) }
    // A third of an octave around 1 kHz has 231.6 Hz of 24 kHz; the whole has 0.3²/3, a full sine 1/2.
    let expected = 10 * log10(2 * 0.09 / 3 * 231.6 / 24_000)
    for (octaves, level) in levels {
      #expect((level - expected - 3.01 * octaves).magnitude < 1, "\(octaves)")
    }
  }

  @Test("a tone in all channels has its level, whichever channels and rates were measured before")
  func levelsDoNotDependOnEarlierSpectra() throws {
    let forms = [("mono", 48_000), ("stereo", 48_000), ("5.1", 96_000), ("5.1", 48_000)]
    for (name, rate) in forms + forms {
      let layout = try #require(ChannelLayout(name: name))
      let spectrum = LongTermSpectrum(format: AudioFormat(sampleRate: rate, layout: layout))
      let tone = tone(1000, 0.5, seconds: 2, rate: rate)
      spectrum.add(Signals.buffer(layout.speakers.map { _ in tone }))
      let band = try #require(LongTermSpectrum.frequencies.firstIndex { $0.rounded() == 1000 })
      let level = try #require(spectrum.levels[band])
      #expect((level + 6.02).magnitude < 0.05, "\(name), \(rate): \(level)")
    }
  }

  @Test func programmesThatAreTooShortHaveNoSpectrum() async throws {
    let report = try await curves([tone(1000, 0.5, seconds: 0.1, rate: 48_000)])
    let curves = try #require(report.curves)
    #expect(curves.spectrum == nil)
    #expect(curves.inputTruePeakSeconds != nil)
  }

  @Test func silenceHasNoPeaks() async throws {
    let report = try await curves([[Float](repeating: 0, count: 96_000)])
    let curves = try #require(report.curves)
    #expect(curves.inputTruePeakSeconds == nil && curves.gainReductionDB == nil)
    #expect(curves.spectrum?.inputDB.allSatisfy { $0 == nil } == true)
  }

  @Test func everySampleOfALongProgrammeIsInAStep() async throws {
    // 250 s at a low rate: 2500 readings need steps of two.
    var noise = SeededNoise(seed: 5)
    var plane = noise.samples(8000 * 250, peak: 0.05)
    for index in 0..<3200 { plane[8000 * 123 + index] *= 8 }
    let report = try await curves([plane], rate: 8000)
    let curves = try #require(report.curves)
    #expect(curves.intervalSeconds == 0.2 && curves.inputMomentary.highest.count == 1250)
    let highest = try #require(curves.inputMomentary.highest.compactMap { $0 }.max())
    let most = try #require(report.loudness?.input.momentaryMax)
    #expect((highest - most).magnitude < 0.1)
  }
}
