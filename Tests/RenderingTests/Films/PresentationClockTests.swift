// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Rendering

@Suite struct PresentationClockTests {
  @Test("the earlier one of sound and pictures begins at time 0") func theEarlierTrackBeginsAtZero()
  {
    let clock = PresentationClock(
      audioStart: 0, sourceRate: 48_000, rate: 48_000, others: [MediaTime(ticks: 1, rate: 2)])
    #expect(clock.audioOffset == 0)
    #expect(clock.time(500, numerator: 1, denominator: 1000, timescale: 48_000) == 24_000)
  }

  @Test func lateSoundBeginsOnASampleAndPicturesStayExact() {
    var random = SeededNoise(seed: 5)
    for _ in 0..<500 {
      let rates = [44_100, 48_000, 96_000]
      let source = rates[Int(random.next() % 3)]
      let rate = rates[Int(random.next() % 3)]
      let denominator = [90_000, 1000, 24_000, 30_000][Int(random.next() % 4)]
      let audio = Int64(random.next() % 1_000_000) - 500_000
      let video = Int64(random.next() % 1_000_000) - 500_000
      let clock = PresentationClock(
        audioStart: audio, sourceRate: source, rate: rate,
        others: [MediaTime(ticks: video, rate: Int64(denominator))])
      let scale = clock.timescale(numerator: 1, denominator: Int64(denominator))
      let offset = clock.time(
        video, numerator: 1, denominator: Int64(denominator), timescale: scale)
      #expect(offset >= 0 && clock.audioOffset >= 0)
      // The sound begins at zero, or the pictures begin less than a sample after it.
      #expect(
        clock.audioOffset == 0 || Double(offset) / Double(scale) < 1 / Double(rate))
      let before = Double(audio) / Double(source) - Double(video) / Double(denominator)
      let after = Double(clock.audioOffset) / Double(rate) - Double(offset) / Double(scale)
      #expect((before - after).magnitude < 1e-9, "\(source) \(rate) \(denominator)")
    }
  }

  @Test("a tick between two samples is rounded") func ticksThatFitNowhereAreRounded() {
    let clock = PresentationClock(
      audioStart: 0, sourceRate: 44_100, rate: 48_000, others: [])
    let scale = clock.timescale(numerator: 1, denominator: 999_983)
    #expect(scale <= Int64(UInt32.max) && scale % 999_983 == 0)
  }
}
