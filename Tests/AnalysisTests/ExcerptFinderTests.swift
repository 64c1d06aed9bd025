// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Analysis

/// The finder of excerpts chooses stretches that have what it names them by.
struct ExcerptFinderTests {
  private static let rate = 8000
  private static let format = AudioFormat(
    sampleRate: rate, layout: ChannelLayout(name: "5.1") ?? .stereo)

  /// Planes of 5.1 with `seconds` of noise in the channel that `place` gives for each tenth of a second, at the level
  /// that it gives.
  private func planes(
    _ seconds: Double, _ place: (Double) -> (channel: Int, level: Float)
  ) -> [[Float]] {
    let count = Int(seconds * Double(Self.rate))
    var noise = SeededNoise(seed: 5)
    var planes = [[Float]](repeating: [Float](repeating: 0, count: count), count: 6)
    for index in 0..<count {
      let (channel, level) = place(Double(index / (Self.rate / 10)) / 10)
      planes[channel][index] = level * noise.samples(1)[0]
    }
    return planes
  }

  private func found(_ planes: [[Float]], seconds: Double = 4) throws -> [FoundExcerpt] {
    try AnalysisSupport.findings(ExcerptFinder(Self.format, seconds: seconds), planes)
  }

  /// 40 s: steady left; at 10…14 s it walks through five channels; at 20…24 s syllables in the centre; at 30…34 s quiet.
  private func programme() -> [[Float]] {
    planes(40) { time in
      if time >= 10, time < 14 { return ([0, 1, 2, 4, 5][Int(time * 4) % 5], 0.5) }
      if time >= 20, time < 24 { return (2, Int(time * 10) % 3 == 0 ? 0.02 : 0.5) }
      if time >= 30, time < 34 { return (0, 0.01) }
      return (0, 0.3)
    }
  }

  @Test("motion, dialogue and quiet are each found within 0.5 s of their begin")
  func eachReasonFindsItsStretch() throws {
    let excerpts = try found(programme())
    #expect(excerpts.map(\.reason) == [.motion, .dialogue, .quiet])
    for (excerpt, start) in zip(excerpts, [10.0, 20, 30]) {
      let begins = Double(excerpt.start) / Double(Self.rate)
      #expect(abs(begins - start) <= 0.5, "\(excerpt.reason) begins at \(begins) s")
      #expect(excerpt.length == Int64(4 * Self.rate))
    }
  }

  @Test("excerpts don't overlap and end within the programme")
  func noExcerptOverlapsAnother() throws {
    let excerpts = try found(planes(9) { ([0, 1, 2][Int($0 * 3) % 3], $0 < 5 ? 0.5 : 0.05) })
    for (index, one) in excerpts.enumerated() {
      for other in excerpts[..<index] { #expect(abs(one.start - other.start) >= one.length) }
      #expect(one.start + one.length <= Int64(9 * Self.rate))
    }
    #expect(excerpts.count >= 2)
  }

  @Test("a programme of 5 s is one excerpt of 4 s, and one of 1.5 s is whole")
  func aShortProgrammeIsOneExcerpt() throws {
    let excerpts = try found(planes(5) { _ in (0, 0.3) })
    #expect(excerpts == [FoundExcerpt(start: 0, length: Int64(4 * Self.rate), reason: .whole)])
    let shorter = try found(planes(1.5) { _ in (0, 0.3) })
    #expect(shorter.map(\.length) == [Int64(1.5 * Double(Self.rate))])
  }

  @Test("silence and an LFE alone have no excerpts")
  func silenceAndALowEndHaveNone() throws {
    #expect(try found(planes(30) { _ in (0, 0) }).isEmpty)
    #expect(try found(planes(30) { _ in (3, 0.5) }).isEmpty, "an LFE alone isn't heard")
  }

  @Test("NaN and infinity in the samples change no excerpt's reason")
  func samplesThatAreNoNumberChangeNothing() throws {
    var planes = programme()
    planes[0][77] = .nan
    planes[1][99] = .infinity
    #expect(try found(planes).map(\.reason) == found(programme()).map(\.reason))
  }

  @Test("excerpts are the same for blocks of any size") func blocksChangeNothing() throws {
    let planes = programme()
    let different = try AnalysisSupport.firstDifference(planes) {
      ExcerptFinder(Self.format, seconds: 4)
    }
    #expect(different == nil)
  }

  @Test("a voice that both sides of stereo share is found as dialogue within 0.5 s")
  func theMiddleOfStereoIsWhatBothSidesShare() throws {
    let stereo = AudioFormat(sampleRate: Self.rate, layout: .stereo)
    var noise = SeededNoise(seed: 9)
    let count = 30 * Self.rate
    var planes = [[Float]](repeating: [], count: 2)
    for index in 0..<count {
      let time = Double(index) / Double(Self.rate)
      let isVoice = time >= 12 && time < 16
      let level: Float = isVoice && Int(time * 10) % 3 == 0 ? 0.01 : 0.3
      let one = level * noise.samples(1)[0]
      planes[0].append(one)
      planes[1].append(isVoice ? one : level * noise.samples(1)[0])
    }
    let excerpts = try AnalysisSupport.findings(ExcerptFinder(stereo, seconds: 4), planes)
    let voice = try #require(excerpts.first { $0.reason == .dialogue })
    #expect(abs(Double(voice.start) / Double(Self.rate) - 12) <= 0.5)
  }
}
