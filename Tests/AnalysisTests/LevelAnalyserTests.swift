// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite struct LevelAnalyserTests {
  private let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// Collects rows, because closures can't capture variables that change.
  private final class Rows {
    var all: [LevelRow] = []
  }

  private func rows(_ format: AudioFormat, _ planes: [[Float]], size: Int = 0) throws -> [LevelRow]
  {
    let rows = Rows()
    let analyser = LevelAnalyser(format) { rows.all.append($0) }
    _ = try AnalysisSupport.findings(analyser, planes, size: size)
    return rows.all
  }

  @Test("a full-scale sine has a peak of 0, an RMS of −3.01 and a crest of 3.01 dB")
  func aFullScaleSineHasACrestOfThreeDecibels() throws {
    let sine = AnalysisSupport.sine(1000, rate: 48_000, count: 48_000)
    let found = try AnalysisSupport.findings(LevelAnalyser(stereo), [sine, sine.map { $0 / 10 }])
    let (left, right) = (found.channels[0].level, found.channels[1].level)
    #expect(abs((left.peakDBFS ?? 1) - 0) < 1e-6)
    #expect(abs((left.rmsDBFS ?? 1) + 3.0103) < 1e-4)
    #expect(abs((left.crestDB ?? 0) - 3.0103) < 1e-4)
    #expect(abs((right.rmsDBFS ?? 1) + 23.0103) < 1e-4)
    #expect(found.channels.map(\.name) == ["FL", "FR"])
    #expect(found.samples == 48_000)
  }

  @Test(
    "peak and RMS of each 0.1 s are those of a plain loop within 1e-9 dB",
    arguments: [48_000, 44_100, 11_025])
  func everyStepIsWhatAPlainLoopMakesOfIt(rate: Int)
    throws
  {
    var noise = SeededNoise(seed: 3)
    let count = rate + rate / 17
    let planes = [
      noise.samples(count, peak: 0.7), noise.samples(count, peak: 0.01).map { $0 + 0.2 },
    ]
    let format = AudioFormat(sampleRate: rate, layout: .stereo)
    let found = try rows(format, planes, size: 1000)
    let size = Int((Double(rate) / 10).rounded())
    #expect(found.count == (count + size - 1) / size)
    for (index, row) in found.enumerated() {
      #expect(abs(row.startSeconds - Double(index * size) / Double(rate)) < 1e-12)
      for (channel, plane) in planes.enumerated() {
        let step = plane[index * size..<min(count, (index + 1) * size)].map(Double.init)
        let peak = step.map(\.magnitude).max() ?? 0
        let power = step.map { $0 * $0 }.reduce(0, +) / Double(step.count)
        #expect(abs((row.channels[channel].peakDBFS ?? 0) - 20 * log10(peak)) < 1e-9)
        #expect(abs((row.channels[channel].rmsDBFS ?? 0) - 10 * log10(power)) < 1e-9)
      }
    }
  }

  @Test("DC offset and RMS of the whole are those of a plain loop")
  func theWholeIsWhatAPlainLoopMakesOfIt() throws {
    var noise = SeededNoise(seed: 4)
    let plane = noise.samples(100_003, peak: 0.5).map { $0 + 0.125 }
    let mono = AudioFormat(sampleRate: 48_000, layout: .mono)
    let found = try AnalysisSupport.findings(LevelAnalyser(mono), [plane], size: 777)
    let values = plane.map(Double.init)
    let mean = values.reduce(0, +) / Double(values.count)
    let power = values.map { $0 * $0 }.reduce(0, +) / Double(values.count)
    #expect(abs(found.channels[0].dcOffset - mean) < 1e-12)
    #expect(abs((found.channels[0].level.rmsDBFS ?? 0) - 10 * log10(power)) < 1e-9)
  }

  @Test("five runs of three or more clipped samples are counted across steps, the longest of 10")
  func clippedRunsAreCountedAcrossSteps() throws {
    var plane = [Float](repeating: 0.5, count: 20_000)
    let top = 1 - Float(1) / 32_768
    // Two samples are no run; three are; a change of sign ends one.
    for index in 100..<102 { plane[index] = 1 }
    for index in 200..<203 { plane[index] = top }
    for index in 300..<303 { plane[index] = -1 }
    for index in 303..<307 { plane[index] = 1 }
    for index in 400..<410 { plane[index] = top.nextDown }
    // The edge between two steps of 4800 samples, and then the end.
    for index in 4798..<4808 { plane[index] = -1.5 }
    for index in 19_997..<20_000 { plane[index] = 1 }
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let found = try AnalysisSupport.findings(LevelAnalyser(format), [plane], size: 333)
    #expect(found.channels[0].clippedRuns == 5)
    #expect(found.channels[0].longestRunSamples == 10)
  }

  @Test("silence has rows of -inf without a crest, and no samples have no peak")
  func silenceHasNoLevel() throws {
    let plane = [Float](repeating: 0, count: 4800)
    let found = try rows(stereo, [plane, plane])
    #expect(found.map(\.csv) == ["0.000,-inf,-inf,,-inf,-inf,"])
    let nothing = try AnalysisSupport.findings(LevelAnalyser(stereo), [[], []])
    #expect(nothing.samples == 0 && nothing.channels[0].level.peakDBFS == nil)
  }

  @Test("level rows are CSV lines with peak, RMS and crest of each channel")
  func rowsAreLinesOfCSV() throws {
    let surround = try #require(ChannelLayout(name: "5.1"))
    #expect(
      LevelRow.csvHeader(surround)
        == "time_s,peak_FL,rms_FL,crest_FL,peak_FR,rms_FR,crest_FR,peak_FC,rms_FC,crest_FC,"
        + "peak_LFE,rms_LFE,crest_LFE,peak_BL,rms_BL,crest_BL,peak_BR,rms_BR,crest_BR")
    let square = (0..<9600).map { Float($0 % 2 == 0 ? 0.5 : -0.5) }
    let found = try rows(stereo, [square, square.map { $0 / 5 }])
    #expect(
      found.map(\.csv) == [
        "0.000,-6.02,-6.02,0.00,-20.00,-20.00,0.00", "0.100,-6.02,-6.02,0.00,-20.00,-20.00,0.00",
      ])
  }

  @Test("NaN and infinity count as silence in levels, and three of them are counted")
  func whatIsNoNumberCountsAsSilenceAndIsCounted() throws {
    var plane = [Float](repeating: 0.25, count: 4803)
    (plane[5], plane[6], plane[4802]) = (.nan, -.infinity, .infinity)
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let channel = try AnalysisSupport.findings(LevelAnalyser(format), [plane]).channels[0]
    #expect(channel.invalidSamples == 3)
    #expect(abs(channel.dcOffset - 0.25 * 4800 / 4803) < 1e-12)
    #expect(abs((channel.level.peakDBFS ?? 0) + 12.0412) < 1e-4)
    #expect(channel.clippedRuns == 0)
  }

  @Test("levels and their rows are the same for blocks of any size")
  func findsTheSameForAnyBlocks() throws {
    var noise = SeededNoise(seed: 5)
    let planes = [noise.samples(60_001, peak: 1.2), noise.samples(60_001, peak: 1.001)]
    #expect(try AnalysisSupport.firstDifference(planes) { LevelAnalyser(stereo) } == nil)
    #expect(try rows(stereo, planes, size: 7) == rows(stereo, planes))
  }

  @Test("a mono buffer for a stereo level analyser is refused")
  func refusesOtherChannels() throws {
    #expect(throws: MediaError.self) {
      try AnalysisSupport.findings(LevelAnalyser(stereo), [[0, 0, 0]])
    }
  }

  @Test("a row of levels that can't be stored ends the analysis with its error")
  func stopsWhenARowCantBeStored() throws {
    let analyser = LevelAnalyser(stereo) { _ in throw MediaError(.diskFull, "full") }
    let plane = [Float](repeating: 0, count: 4800)
    #expect(throws: MediaError.self) { try AnalysisSupport.findings(analyser, [plane, plane]) }
  }

  @Test("a curve of 432,000 values is shortened by 256 and keeps the extremes of each step")
  func curvesStayShortAndKeepTheirExtremes() {
    var builder = StepCurveBuilder(intervalSeconds: 0.1)
    let values = (0..<432_000).map { $0 % 1000 == 999 ? nil : Double(($0 * 7919) % 10_007) }
    for value in values { builder.add(value) }
    let curve = builder.curve
    let width = 256
    #expect(curve.highest.count <= StepCurve.mostSteps)
    #expect(curve.highest.count == (values.count + width - 1) / width)
    #expect(abs(curve.intervalSeconds - 0.1 * Double(width)) < 1e-9)
    for (index, highest) in curve.highest.enumerated() {
      let step = values[index * width..<min(values.count, (index + 1) * width)].compactMap { $0 }
      #expect(highest == step.max() && curve.lowest[index] == step.min())
    }
  }

  @Test("a curve of three readings keeps them and survives JSON")
  func shortCurvesKeepEveryReading() throws {
    var builder = StepCurveBuilder(intervalSeconds: 0.1)
    for value: Double? in [1, nil, 3] { builder.add(value) }
    let curve = builder.curve
    #expect(curve.highest == [1, nil, 3] && curve.lowest == curve.highest)
    let copy = try JSONDecoder().decode(StepCurve.self, from: JSONEncoder().encode(curve))
    #expect(copy == curve)
  }

  @Test("numbers in tables have fixed decimals and no −0")
  func numbersHaveFixedDecimals() {
    let texts = [0, -0.001, -0.006, 1.005, 12.3456, -3].map { TableText.number($0, places: 2) }
    #expect(texts == ["0.00", "0.00", "-0.01", "1.00", "12.35", "-3.00"])
    #expect(TableText.number(1.06, places: 0) == "1")
    #expect(TableText.number(0.05, places: 3) == "0.050")
  }
}
