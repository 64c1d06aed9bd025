// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite struct PhaseAnalyserTests {
  private let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  private func found(_ left: [Float], _ right: [Float], size: Int = 0) throws -> PhaseFindings {
    try AnalysisSupport.findings(#require(PhaseAnalyser(stereo)), [left, right], size: size)
  }

  @Test("identical channels have correlation 1 and no mono loss")
  func identicalChannelsLoseNothing() throws {
    var noise = SeededNoise(seed: 1)
    let plane = noise.samples(48_000)
    let found = try found(plane, plane)
    #expect(abs((found.mean ?? 0) - 1) < 1e-12)
    #expect(abs(found.monoLossDB ?? 1) < 1e-9)
    #expect(found.histogram.last == 10 && found.steps == 10 && found.shareBelowZero == 0)
  }

  @Test("opposite channels have correlation −1 and a mono loss of 200 dB")
  func oppositeChannelsLoseEverything() throws {
    var noise = SeededNoise(seed: 2)
    let plane = noise.samples(48_000)
    let found = try found(plane, plane.map { -$0 })
    #expect(abs((found.mean ?? 0) + 1) < 1e-12)
    #expect(found.monoLossDB == 200)
    #expect(found.histogram.first == 10 && found.shareBelowZero == 1)
    #expect(found.lowestAtSeconds != nil)
  }

  @Test("unrelated noises have correlation 0 within 0.01 and a mono loss of 3.01 dB")
  func unrelatedChannelsLoseThreeDecibels() throws {
    var noise = SeededNoise(seed: 3)
    let found = try found(noise.samples(480_000), noise.samples(480_000))
    #expect(abs(found.mean ?? 1) < 0.01)
    #expect(abs((found.monoLossDB ?? 0) - 3.0103) < 0.03)
  }

  @Test("a sine shifted by an angle has the angle's cosine as correlation and its mono loss")
  func aSineShiftedByAnAngleHasItsCosineAsCorrelation() throws {
    for degrees in [30.0, 60, 90, 120, 150] {
      let angle = degrees / 180 * .pi
      let left = AnalysisSupport.sine(1000, rate: 48_000, count: 9600, peak: 0.5)
      let right = AnalysisSupport.sine(1000, rate: 48_000, count: 9600, peak: 0.5, phase: angle)
      let found = try found(left, right)
      #expect(abs((found.mean ?? 2) - cos(angle)) < 1e-6)
      // |(1 + e^jφ)/2|² = (1 + cos φ)/2
      #expect(abs((found.monoLossDB ?? 0) + 10 * log10((1 + cos(angle)) / 2)) < 1e-5)
    }
  }

  @Test("a silent channel gives no correlation and a mono loss of 3.01 dB")
  func oneSilentChannelHasNoCorrelationButALoss() throws {
    let left = AnalysisSupport.sine(1000, rate: 48_000, count: 4800)
    let found = try found(left, Array(repeating: 0, count: 4800))
    #expect(found.steps == 0 && found.mean == nil && found.lowest == nil)
    #expect(abs((found.monoLossDB ?? 0) - 3.0103) < 1e-4)
  }

  @Test("dither alone gives no correlation")
  func ditherAloneIsSilence() throws {
    let silence = [Float](repeating: 0, count: 9600)
    let left = Signals.dithered(silence, seed: 1)
    let right = Signals.dithered(silence, seed: 2)
    #expect(try found(left, right).steps == 0)
  }

  /// A plain loop over each step.
  @Test("correlation and mono loss of each 0.1 s are those of a plain loop")
  func everyStepIsWhatAPlainLoopMakesOfIt() throws {
    final class Rows { var all: [PhaseRow] = [] }
    var noise = SeededNoise(seed: 4)
    let left = noise.samples(30_001)
    let right = zip(left, noise.samples(30_001)).map { 0.3 * $0 - 0.4 * $1 }
    let rows = Rows()
    let analyser = try #require(PhaseAnalyser(stereo) { rows.all.append($0) })
    _ = try AnalysisSupport.findings(analyser, [left, right], size: 999)
    #expect(rows.all.count == 7)
    for (index, row) in rows.all.enumerated() {
      let range = index * 4800..<min(30_001, (index + 1) * 4800)
      let (l, r) = (left[range].map(Double.init), right[range].map(Double.init))
      let product = zip(l, r).map { $0 * $1 }.reduce(0, +)
      let (ll, rr) = (l.map { $0 * $0 }.reduce(0, +), r.map { $0 * $0 }.reduce(0, +))
      let mono = zip(l, r).map { pow(($0 + $1) / 2, 2) }.reduce(0, +)
      #expect(abs((row.correlation ?? 2) - product / (ll * rr).squareRoot()) < 1e-12)
      #expect(abs((row.monoLossDB ?? 0) - 10 * log10((ll + rr) / 2 / mono)) < 1e-9)
    }
  }

  @Test("mean, lowest, histogram and share below zero are those of 20 sounding steps")
  func theStatisticsAreThoseOfTheSteps() throws {
    // 1 s identical, 0.5 s opposite, 0.5 s at 80 degrees, 1 s silence.
    let sine = AnalysisSupport.sine(1000, rate: 48_000, count: 48_000, peak: 0.5)
    let shifted = AnalysisSupport.sine(
      1000, rate: 48_000, count: 24_000, peak: 0.5, phase: .pi * 4 / 9)
    let rest = [Float](repeating: 0, count: 48_000)
    let left = sine + sine + rest
    let right = sine + sine[..<24_000].map { -$0 } + shifted + rest
    let found = try found(left, right)
    #expect(found.steps == 20)
    #expect(found.histogram[19] == 10 && found.histogram[0] == 5)
    #expect(found.histogram[11] == 5)
    #expect(abs((found.mean ?? 0) - (5 + 5 * cos(.pi * 4 / 9)) / 20) < 1e-6)
    #expect(abs((found.lowest ?? 0) + 1) < 1e-12)
    #expect(found.lowestAtSeconds.map { (1..<1.5).contains($0) } == true)
    #expect(found.shareBelowZero == 0.25)
    #expect(found.curve.highest.count == 30 && found.curve.highest[25] == nil)
  }

  @Test("phase rows are CSV lines with correlation and mono loss")
  func rowsAreLinesOfCSV() {
    #expect(PhaseRow.csvHeader == "time_s,correlation,mono_loss_db")
    #expect(
      PhaseRow(startSeconds: 1.2, correlation: -0.25, monoLossDB: 4.26).csv == "1.200,-0.250,4.26")
    #expect(PhaseRow(startSeconds: 0, correlation: nil, monoLossDB: nil).csv == "0.000,,")
  }

  @Test("mono has no phase analyser, and a downmix and 7.1.4 have the pair of channels 0 and 1")
  func layoutsWithoutAPairAreRefused() throws {
    #expect(PhaseAnalyser(AudioFormat(sampleRate: 48_000, layout: .mono)) == nil)
    let downmix = ChannelLayout([.downmixLeft, .downmixRight])
    #expect(PhaseAnalyser.pair(downmix).map { [$0.left, $0.right] } == [0, 1])
    let wide = try #require(ChannelLayout(name: "7.1.4"))
    #expect(PhaseAnalyser.pair(wide).map { [$0.left, $0.right] } == [0, 1])
  }

  @Test("correlation is the same for blocks of any size, also with NaN")
  func findsTheSameForAnyBlocks() throws {
    var noise = SeededNoise(seed: 6)
    var planes = [noise.samples(50_003), noise.samples(50_003)]
    planes[0][17] = .nan
    let different = try AnalysisSupport.firstDifference(planes) {
      try #require(PhaseAnalyser(stereo))
    }
    #expect(different == nil)
  }
}
