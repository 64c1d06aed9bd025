// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Dialogue

@Suite struct SpeechDetectorTests {
  /// Scores that are `high` in runs of these lengths, beginning with a low one.
  private func scores(_ lengths: [Int], high: Double = 0.1, low: Double = -0.2) -> [Double] {
    lengths.enumerated().flatMap { index, length in
      [Double](repeating: index % 2 == 0 ? low : high, count: length)
    }
  }

  @Test("breaks of 30 frames are bridged, those of 31 aren't")
  func shortBreaksAreBridged() {
    #expect(SpeechDetector.passages(scores([5, 40, 30, 40, 9])).ranges == [5..<115])
    #expect(SpeechDetector.passages(scores([5, 40, 31, 40, 9])).ranges == [5..<45, 76..<116])
  }

  @Test("passages of 19 frames are dropped after bridging, those of 20 aren't")
  func shortPassagesAreDropped() {
    #expect(SpeechDetector.passages(scores([5, 19, 40])).ranges.isEmpty)
    #expect(SpeechDetector.passages(scores([5, 20, 40])).ranges == [5..<25])
    #expect(SpeechDetector.passages(scores([5, 9, 2, 9, 40])).ranges == [5..<25])
    #expect(SpeechDetector.passages(scores([0, 25])).ranges == [0..<25])
  }

  @Test("a passage reaches above 0 and lasts as long as the score is above −0.08")
  func passagesHaveHysteresis() {
    var scores = self.scores([10, 30, 10], high: -0.05)
    #expect(SpeechDetector.passages(scores).ranges.isEmpty)
    scores[20] = 0
    #expect(SpeechDetector.passages(scores).ranges.isEmpty)
    scores[20] = 1e-9
    #expect(SpeechDetector.passages(scores).ranges == [10..<40])
    scores[30] = -0.08
    #expect(SpeechDetector.passages(scores).ranges == [10..<30])
  }

  @Test("in a passage pauses up to 200 ms are speech, longer ones aren't, nor is what is too quiet")
  func pausesDontCount() {
    var frames = SpeechFrames()
    for frame in 0..<200 {
      frames.scores.append(frame < 40 || frame >= 160 ? -0.4 : 0.3)
      let isPause = (70..<80).contains(frame) || (110..<121).contains(frame)
      frames.powers.append(frame < 40 || frame >= 160 || isPause ? 1e-7 : 1e-3)
    }
    let found = SpeechDetector(frames)
    #expect(found.passages.ranges == [40..<160])
    #expect(found.speech.ranges == [40..<110, 121..<160])
    frames.powers = frames.powers.map { $0 * 1e-5 }
    #expect(SpeechDetector(frames).speech.count == 0)
  }

  @Test("the decision about a long passage doesn't depend on how it is cut")
  func chunksDontMatter() {
    var noise = SeededNoise(seed: 5)
    let levels = noise.samples(5000)
    var frames = SpeechFrames()
    frames.scores = [Double](repeating: 0.3, count: 5000)
    frames.powers = levels.enumerated().map { index, level in
      pow(10, Double(level) - 4 + 2 * sin(Double(index) / 40))
    }
    let found = SpeechDetector(frames).speech
    // All windows at once, as plain as can be.
    let powers = frames.powers
    func mean(_ chosen: (Int) -> Bool, _ frame: Int) -> Double {
      let near = (max(0, frame - 75)...min(4999, frame + 75)).filter(chosen)
      return near.isEmpty ? 0 : near.reduce(0) { $0 + powers[$1] } / Double(near.count)
    }
    let active = (0..<5000).map { powers[$0] > mean({ _ in true }, $0) * pow(10, -1.59) }
    let quiet = (0..<5000).map { frame in
      let five = max(0, frame - 2)...min(4999, frame + 2)
      return five.reduce(0) { $0 + powers[$1] } / Double(five.count)
    }
    let plain = FrameRuns(below: 5000) { frame in
      let speech = 10 * log10(mean({ active[$0] }, frame))
      let near = max(0, frame - 75)...min(4999, frame + 75)
      let background = 10 * log10(quiet[near].min() ?? 0)
      let threshold = max(speech - 15.9, background + 0.35 * (speech - background))
      return 10 * log10(powers[frame]) > threshold && 10 * log10(powers[frame]) > -75
    }
    #expect(found == plain.bridged(10).dropping(below: 2))
    #expect((1000..<4900).contains(found.count))
  }

  @Test("words in the front pair count where the centre is 20 dB below it")
  func anEmptyCentreLeavesThePair() {
    func frames(_ spoken: Range<Int>, power: Double) -> SpeechFrames {
      var frames = SpeechFrames()
      for frame in 0..<1000 {
        frames.scores.append(spoken.contains(frame) ? 0.3 : -0.4)
        // Short pauses, without which nothing says that the level is that of speech.
        let isLoud = spoken.contains(frame) && frame % 25 < 20
        frames.powers.append(isLoud ? power : power * 1e-4)
      }
      return frames
    }
    let pair = frames(500..<900, power: 1e-3)
    let both = FoundDialogue(centre: frames(100..<300, power: 1e-3), mid: pair)
    #expect(both.source == .centreAndMid && both.passages.count == 2)
    #expect(both.certain.count == both.speech.count && both.speech.count > 550)
    let alone = FoundDialogue(centre: frames(0..<0, power: 1e-6), mid: pair)
    #expect(alone.source == .mid && alone.passages.map(\.frames) == [500..<900])
    // A room in the centre that lies 19 dB lower isn't empty.
    let room = frames(0..<0, power: 1e-3 / 79 * 1e4)
    #expect(FoundDialogue(centre: room, mid: pair).passages.isEmpty)
  }

  @Test("a passage is certain from a score of 0.20 and 40 frames of speech on")
  func certaintyHasTwoConditions() {
    func found(_ score: Double, _ length: Int) -> FoundDialogue {
      var frames = SpeechFrames()
      for frame in 0..<300 {
        let isSpoken = (100..<100 + length).contains(frame)
        frames.scores.append(isSpoken ? score : -0.4)
        frames.powers.append(isSpoken ? 1e-3 : 1e-8)
      }
      return FoundDialogue(frames, source: .mono)
    }
    #expect(found(0.2, 40).certain.ranges == [100..<140])
    #expect(found(0.19, 40).certain.count == 0 && found(0.19, 40).speech.count == 40)
    #expect(found(0.2, 39).passages == [.init(frames: 100..<139, isCertain: false)])
  }

  @Test(
    "layouts have their signals",
    arguments: [
      ("mono", "mono 0"), ("stereo", "mid 0+1"), ("5.1", "centre 2, mid 0+1"),
      ("7.1.4", "centre 2, mid 0+1"), ("quad", "mid 0+1"), ("FC+LFE", "centre 0"),
      ("FL+LFE", "mono 0"), ("BL+FLC+FRC", "mid 1+2"), ("downmix", "mid 0+1"),
    ])
  func layoutsHaveTheirSignals(name: String, wanted: String) throws {
    let layout = try #require(ChannelLayout(name: name))
    let mixes = EvidenceMix.mixes(for: layout).map { mix in
      mix.source.rawValue + " " + mix.channels.map(String.init).joined(separator: "+")
    }
    #expect(mixes.joined(separator: ", ") == wanted)
  }
}
