// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite struct SpectrogramAnalyserTests {
  private let mono = AudioFormat(sampleRate: 48_000, layout: .mono)
  private let stereo = AudioFormat(sampleRate: 48_000, layout: .stereo)

  /// Mean powers of a frame around `middle` by a direct transform, where 1 is a full-scale sine.
  private func power(_ planes: [[Float]], middle: Int, length: Int) -> [Double] {
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(length)) }
    let total = window.reduce(0, +)
    return (0...length / 2).map { line in
      let powers = planes.map { plane in
        var (re, im) = (0.0, 0.0)
        for index in 0..<length {
          let place = middle - length / 2 + index
          guard plane.indices.contains(place) else { continue }
          let value = Double(plane[place]) * window[index]
          let angle = 2 * .pi * Double(line * index % length) / Double(length)
          re += value * cos(angle)
          im -= value * sin(angle)
        }
        return 4 * (re * re + im * im) / (total * total)
      }
      return powers.reduce(0, +) / Double(planes.count)
    }
  }

  /// The columns by a plain reading of how they are made, from whole planes.
  private func reference(_ planes: [[Float]], length: Int, wanted: Int) -> (
    columns: [[Double]], span: Int
  ) {
    var (hop, width) = (length / 32, 1)
    var columns: [[Double]] = []
    var column: [[Double]] = []
    var edge = 0
    func mean(_ rows: [[Double]]) -> [Double] {
      rows[0].indices.map { line in rows.map { $0[line] }.reduce(0, +) / Double(rows.count) }
    }
    while edge + hop / 2 < planes[0].count {
      column.append(power(planes, middle: edge + hop / 2, length: length))
      edge += hop
      guard column.count == width else { continue }
      columns.append(mean(column))
      column = []
      guard columns.count == 2 * wanted else { continue }
      columns = stride(from: 0, to: 2 * wanted, by: 2).map { mean([columns[$0], columns[$0 + 1]]) }
      if hop < length / 2 { hop *= 2 } else { width *= 2 }
    }
    if !column.isEmpty { columns.append(mean(column)) }
    return (columns, hop * width)
  }

  @Test(
    "columns of a spectrogram are those of a direct transform", arguments: [0, 1, 50, 1000, 5000])
  func columnsAreThoseOfADirectTransform(count: Int) throws {
    // 64 samples at 1000 Hz are a frame.
    let format = AudioFormat(sampleRate: 1000, layout: .stereo)
    var noise = SeededNoise(seed: 1)
    let planes = [noise.samples(count), noise.samples(count, peak: 0.1)]
    let analyser = try SpectrogramAnalyser(format, columns: 10)
    let found = try AnalysisSupport.findings(analyser, planes, size: 77)
    let (columns, span) = reference(planes, length: 64, wanted: 10)
    #expect(found.lines == 33 && found.columns == columns.count)
    #expect(abs(found.columnSeconds - Double(span) / 1000) < 1e-12)
    var worst = 0.0
    for (index, column) in columns.enumerated() {
      let strongest = column.max() ?? 0
      for (line, power) in column.enumerated() {
        let error = abs(Double(found.powers[index * 33 + line]) - power)
        worst = max(worst, error / (1e-5 * power + 1e-9 * strongest))
      }
    }
    #expect(worst < 1)
  }

  @Test(
    "a full-scale sine is at 0 dB within 0.001 and below −120 dB an octave lower",
    arguments: [8000, 44_100, 48_000, 192_000])
  func aFullScaleSineIsAtZero(rate: Int) throws {
    let format = AudioFormat(sampleRate: rate, layout: .mono)
    let length = SpectralFrames.length(2048, at: rate)
    #expect(abs(log2(Double(length) * 48_000 / 2048 / Double(rate))) <= 0.5)
    let line = length / 8
    let hertz = Double(line * rate) / Double(length)
    let plane = AnalysisSupport.sine(hertz, rate: rate, count: rate)
    let found = try AnalysisSupport.findings(SpectrogramAnalyser(format), [plane])
    let level = try #require(found.level(column: found.columns / 2, line: line))
    #expect(abs(level) < 0.001)
    #expect(abs(found.lineHz * Double(line) - hertz) < 1e-6)
    #expect((found.level(column: found.columns / 2, line: line / 2) ?? -200) < -120)
  }

  @Test("ten minutes have 100…200 columns, and sound from 5 min on begins in the middle")
  func theNumberOfColumnsHasABound() throws {
    let block = AudioBuffer(channels: 1)
    block.appendSilence(48_000)
    let analyser = try SpectrogramAnalyser(mono, columns: 100)
    for second in 1...600 {
      if second == 301 { block.channel(0).update(repeating: 0.5) }
      try analyser.add(block)
    }
    let found = try analyser.finish()
    #expect((100...200).contains(found.columns))
    #expect(abs(Double(found.columns) * found.columnSeconds - 600) <= found.columnSeconds)
    // The sound begins in the middle.
    let first = (0..<found.columns).first { (found.level(column: $0, line: 0) ?? -200) > -60 }
    #expect(
      first.map { abs(Double($0) * found.columnSeconds - 300) <= found.columnSeconds } == true)
  }

  @Test("a spectrogram has the level of its channel or the mean power of all")
  func thePowersAreThoseOfTheChosenChannels() throws {
    let tone = AnalysisSupport.sine(3000, rate: 48_000, count: 48_000)
    let quiet = tone.map { $0 / 10 }
    func level(_ selection: SpectrogramAnalyser.Selection) throws -> Double {
      let analyser = try SpectrogramAnalyser(stereo, selection: selection)
      let found = try AnalysisSupport.findings(analyser, [tone, quiet])
      return found.level(column: found.columns / 2, line: 128) ?? -200
    }
    #expect(try abs(level(.channel(0))) < 0.001)
    #expect(try abs(level(.channel(1)) + 20) < 0.001)
    #expect(try abs(level(.all) - 10 * log10(1.01 / 2)) < 0.001)
    #expect(throws: MediaError.self) {
      try SpectrogramAnalyser(stereo, selection: .channel(2))
    }
  }

  @Test("NaN and infinity leave all powers of a spectrogram finite")
  func whatIsNoNumberSpoilsNothing() throws {
    var plane = AnalysisSupport.sine(3000, rate: 48_000, count: 48_000)
    (plane[5], plane[20_000]) = (.nan, .infinity)
    let found = try AnalysisSupport.findings(SpectrogramAnalyser(mono), [plane])
    #expect(found.powers.allSatisfy { $0.isFinite })
    #expect(abs(found.level(column: found.columns * 3 / 4, line: 128) ?? -200) < 0.001)
  }

  @Test("a spectrogram is the same for blocks of any size")
  func findsTheSameForAnyBlocks() throws {
    var noise = SeededNoise(seed: 2)
    let planes = [noise.samples(30_001), noise.samples(30_001)]
    let different = try AnalysisSupport.firstDifference(planes) {
      try SpectrogramAnalyser(stereo, columns: 50)
    }
    #expect(different == nil)
  }
}
