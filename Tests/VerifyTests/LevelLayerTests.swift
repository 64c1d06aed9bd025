// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Verify

/// Loudness and peaks at their limits. All figures are binary fractions, so that a difference is
/// exactly the limit where it is meant to be.
@Suite struct LevelLayerTests {
  private let old = LevelFigures(
    integrated: -16, truePeak: -1, channelLoudness: [-18, -19], channelTruePeaks: [-1, -2])
  private let tolerance: ComparisonTolerance = {
    var tolerance = ComparisonTolerance.lossy
    (tolerance.loudness, tolerance.truePeak) = (0.25, 0.5)
    return tolerance
  }()

  private func judge(_ change: (inout LevelFigures) -> Void) -> LayerResult {
    var new = old
    change(&new)
    return LevelComparator(reference: old, test: new, layout: .stereo).judge(tolerance)
  }

  @Test("equal levels pass with differences of 0 beside their limits")
  func equalLevelsPass() {
    let result = judge { _ in }
    #expect(result.status == .passed)
    #expect(result.figures.map(\.value) == [0, 0, 0, 0])
    #expect(result.figures.map(\.limit) == [0.25, 0.5, 0.25, 0.5])
  }

  @Test("a level difference at the limit passes", arguments: [-1.0, 1]) func theLimitItselfPasses(
    sign: Double
  ) {
    #expect(judge { $0.integrated = -16 + 0.25 * sign }.status == .passed)
    #expect(judge { $0.truePeak = -1 + 0.5 * sign }.status == .passed)
    #expect(judge { $0.channelLoudness[1] = -19 + 0.25 * sign }.status == .passed)
    #expect(judge { $0.channelTruePeaks[0] = -1 + 0.5 * sign }.status == .passed)
  }

  @Test("a level difference beyond the limit fails") func beyondTheLimitFails() {
    let rows: [(LayerResult, String)] = [
      (judge { $0.integrated = -15.7 }, "the programme is 0.30 LU louder in TEST"),
      (judge { $0.integrated = -16.3 }, "the programme is 0.30 LU quieter in TEST"),
      (judge { $0.truePeak = -0.4 }, "the programme is 0.60 dB higher in true peak in TEST"),
      (judge { $0.truePeak = -1.6 }, "the programme is 0.60 dB lower in true peak in TEST"),
      (judge { $0.channelLoudness[1] = -19.3 }, "FR is 0.30 LU quieter in TEST"),
      (judge { $0.channelTruePeaks[0] = -0.4 }, "FL is 0.60 dB higher in true peak in TEST"),
    ]
    for (result, words) in rows {
      #expect(result.status == .failed && result.sentence == words, "\(result.sentence)")
    }
  }

  @Test("a fault of the programme's level is named before those of its channels")
  func theProgrammeIsToldBeforeItsChannels() {
    let result = judge {
      $0.channelLoudness[0] = -10
      $0.truePeak = 3
    }
    #expect(result.sentence.hasPrefix("the programme is 4.00 dB higher in true peak"))
    #expect(result.value("channelLoudness") == 8)
  }

  @Test("a silent programme has the level of silence only, and the silent side is named")
  func silenceIsLikeSilenceOnly() {
    let silent = LevelFigures(
      integrated: nil, truePeak: nil, channelLoudness: [nil, nil], channelTruePeaks: [nil, nil])
    let both = LevelComparator(reference: silent, test: silent, layout: .stereo).judge(.exact)
    #expect(both.status == .passed && both.figures.allSatisfy { $0.value == nil })
    let lost = LevelComparator(reference: old, test: silent, layout: .stereo).judge(.lossy)
    #expect(lost.sentence == "the programme is silent in TEST and isn't in REF")
    let found = LevelComparator(reference: silent, test: old, layout: .stereo).judge(.lossy)
    #expect(found.sentence == "the programme is silent in REF and isn't in TEST")
    #expect(judge { $0.channelTruePeaks[1] = nil }.sentence.hasPrefix("FR is silent in TEST"))
  }

  @Test("levels of channels that one file lacks aren't compared")
  func onlyChannelsOfBothAreCompared() {
    let result = judge {
      $0.channelLoudness = [-18]
      $0.channelTruePeaks = []
    }
    #expect(result.status == .passed)
  }
}
