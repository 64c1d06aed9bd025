// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Analysis

@Suite struct SilenceAnalyserTests {
  private let stereo = AudioFormat(sampleRate: 1000, layout: .stereo)

  /// Runs of samples below `threshold` in all planes, at least `least` long, by a plain loop.
  private func reference(_ planes: [[Float]], _ threshold: Float, _ least: Int) -> [SampleRange] {
    var runs: [SampleRange] = []
    var length = 0
    for index in 0...planes[0].count {
      let isSilent =
        index < planes[0].count && planes.allSatisfy { abs($0[index]) < threshold }
      if isSilent {
        length += 1
      } else {
        if length >= least {
          runs.append(SampleRange(first: Int64(index - length), count: Int64(length)))
        }
        length = 0
      }
    }
    return runs
  }

  /// Planes with random stretches of silence and sound.
  private func scattered(_ count: Int, seed: UInt64) -> [[Float]] {
    var random = SeededNoise(seed: seed)
    return (0..<2).map { _ in
      var plane: [Float] = []
      while plane.count < count {
        let length = Int.random(in: 1...400, using: &random)
        let peak: Float = Bool.random(using: &random) ? 0.0009 : 0.002
        plane += random.samples(length, peak: peak)
      }
      return Array(plane.prefix(count))
    }
  }

  @Test(
    "silences of at least 1, 20 and 200 ms are those of a plain loop",
    arguments: [0.001, 0.02, 0.2])
  func findsTheRunsOfAPlainLoop(seconds: Double) throws {
    let planes = scattered(50_000, seed: 8)
    let analyser = SilenceAnalyser(stereo, thresholdDBFS: -60, leastSeconds: seconds)
    let found = try AnalysisSupport.findings(analyser, planes, size: 333)
    let wanted = reference(planes, 0.001, Int((seconds * 1000).rounded()))
    #expect(wanted.count > 3)
    #expect(found.silences == wanted)
    #expect(found.silentSamples == wanted.reduce(0) { $0 + $1.count })
  }

  @Test("silences and sounding parts follow each other over the whole")
  func soundingPartsAndSilencesMakeTheWhole() throws {
    let planes = scattered(50_000, seed: 9)
    let found = try AnalysisSupport.findings(SilenceAnalyser(stereo, leastSeconds: 0.05), planes)
    let parts = (found.silences + found.soundingParts).sorted { $0.first < $1.first }
    #expect(parts.first?.first == 0 && parts.last?.end == 50_000)
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.end == next.first) }
  }

  @Test("a silence of 2000 samples counts and one of 1999 doesn't")
  func aRunJustAsLongAsDemandedCounts() throws {
    let sound = [Float](repeating: 0.5, count: 100)
    for (length, count) in [(1999, 0), (2000, 1)] {
      let plane = sound + [Float](repeating: 0, count: length) + sound
      let found = try AnalysisSupport.findings(SilenceAnalyser(stereo), [plane, plane], size: 64)
      #expect(found.silences.count == count)
      if count == 1 {
        #expect(found.silences == [SampleRange(first: 100, count: 2000)])
        #expect(
          found.soundingParts == [
            SampleRange(first: 0, count: 100), SampleRange(first: 2100, count: 100),
          ])
      }
    }
  }

  @Test("a sample at the threshold and a NaN in one channel split a silence")
  func soundInOneChannelEndsASilence() throws {
    let quiet = [Float](repeating: 0, count: 5000)
    var click = quiet
    click[2500] = 0.001
    let found = try AnalysisSupport.findings(SilenceAnalyser(stereo), [quiet, click])
    #expect(
      found.silences == [
        SampleRange(first: 0, count: 2500), SampleRange(first: 2501, count: 2499),
      ])
    click[2500] = .nan
    let other = try AnalysisSupport.findings(SilenceAnalyser(stereo), [quiet, click])
    #expect(other.silences == found.silences)
  }

  @Test("silence alone has no sounding part, and no samples have none either")
  func nothingButSilenceHasNoSoundingPart() throws {
    let quiet = [Float](repeating: 0, count: 5000)
    let found = try AnalysisSupport.findings(SilenceAnalyser(stereo), [quiet, quiet])
    #expect(found.soundingParts.isEmpty && found.silentSamples == 5000)
    let nothing = try AnalysisSupport.findings(SilenceAnalyser(stereo), [[], []])
    #expect(nothing.count == 0 && nothing.soundingParts.isEmpty)
  }

  @Test("of 100 silences 7 are kept and all counted")
  func tooManySilencesAreOnlyCounted() throws {
    let plane = (0..<1000).map { Float($0 % 10 < 5 ? 0 : 1) }
    let analyser = SilenceAnalyser(stereo, leastSeconds: 0.005, mostKept: 7)
    let found = try AnalysisSupport.findings(analyser, [plane, plane])
    #expect(found.count == 100 && found.silences.count == 7 && !found.isComplete)
    #expect(found.silentSamples == 500)
    #expect(found.soundingParts.last == SampleRange(first: 55, count: 5))
  }

  @Test("silences are the same for blocks of any size")
  func findsTheSameForAnyBlocks() throws {
    let planes = scattered(30_000, seed: 10)
    let different = try AnalysisSupport.firstDifference(planes) {
      SilenceAnalyser(stereo, leastSeconds: 0.03)
    }
    #expect(different == nil)
  }

  @Test(
    "silences begin where ffmpeg's silencedetect finds them",
    .tags(.system), .fullRunOnly,
    .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed"))
  func findsWhatSilencedetectFinds() throws {
    let planes = scattered(50_000, seed: 11)
    let found = try AnalysisSupport.findings(SilenceAnalyser(stereo, leastSeconds: 0.1), planes)
    var input = Data()
    for index in 0..<50_000 {
      for plane in planes { withUnsafeBytes(of: plane[index]) { input.append(contentsOf: $0) } }
    }
    let result = try Tool.run(
      "ffmpeg",
      [
        "-f", "f32le", "-ar", "1000", "-ac", "2", "-i", "pipe:0", "-af",
        "silencedetect=noise=-60dB:duration=0.1", "-f", "null", "-",
      ], input: input)
    let starts = result.errors.split(separator: "\n").compactMap { line in
      line.split(separator: "silence_start: ").dropFirst().first.flatMap {
        Double($0.trimmingCharacters(in: .whitespaces))
      }
    }
    #expect(starts.count > 3)
    #expect(starts.map { Int64(($0 * 1000).rounded()) } == found.silences.map(\.first))
  }
}
