// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Testing

@testable import MediaIn

/// The times of a track's packets in samples.
@Suite struct TrackClockTests {
  private func clock(
    rate: Int, _ container: ContainerTraits = .mp4, codec: String = "flac",
    base: (Int64, Int64) = (1, 1000)
  ) -> TrackClock {
    var stream = StreamInfo(elementary: codec)
    stream.sound.sampleRate = rate
    stream.timeBase = base
    return TrackClock(stream, in: container)
  }

  /// A container that states no rate is read at 48 kHz until the first frame tells better.
  @Test("a clock counts at the container's rate, and at 48 kHz where none is stated")
  func theRateIsTheContainersOr48kHz() {
    #expect(clock(rate: 44_100).sampleRate == 44_100)
    #expect(clock(rate: 0).sampleRate == 48_000)
    #expect(clock(rate: -1).sampleRate == 48_000)
    #expect(clock(rate: 0).samples(1000) == 48_000 && clock(rate: 0).ticks(48_000) == 1000)
  }

  /// A jump may be wrong by two ticks, and by nothing where every sample falls on a tick.
  @Test(
    "a jump of the clock is uncertain by two ticks, and by none where every sample falls on a tick",
    arguments: [
      (1, 1000, 96), (1, 48_000, 0), (1, 96_000, 0), (1, 24_000, 4), (1001, 48_000, 2002),
    ])
  func jumpsAreAsExactAsTicks(numerator: Int64, denominator: Int64, error: Int64) {
    #expect(clock(rate: 48_000, base: (numerator, denominator)).uncertainty == error)
  }

  /// Speech of Windows Media in packets of 20 frames and a part of the next: all times but the first are a frame late, 436 ms
  /// instead of 9,120 samples. MP3 in the same container begins with the packet.
  @Test(
    "a time is wrong by less than half a frame, and by a frame and two ticks where packets begin in the middle of frames",
    arguments: [("wmavoice", 480, 524), ("mp3", 576, 287)])
  func timesAreWrongByWhatPacketsAllow(codec: String, frame: Int64, error: Int64) {
    var clock = clock(rate: 22_050, .asf, codec: codec)
    clock.note(frame: frame, samples: frame, at: 0)
    #expect(clock.tolerance == error)
  }

  @Test("a time far out of range is no time") func timesFarAwayAreNone() {
    let clock = clock(rate: 48_000)
    #expect(clock.position(-1000) == -48_000)
    #expect(clock.position(1 << 54) == 48 << 54)
    #expect(clock.position(.max) == nil && clock.position(.min) == nil)
  }

  @Test("packets of varying length have no common length") func whatVariesHasNoLength() {
    var clock = clock(rate: 48_000)
    clock.note(frame: 1024, samples: 1024, at: nil)
    #expect(clock.due == nil && clock.codecFrame == 1024)
    clock.note(frame: 1024, samples: 1000, at: 5000)
    clock.pass(24)
    #expect(clock.due == 6024 && clock.codecFrame == 1024)
    clock.note(frame: 960, samples: 960, at: nil)
    #expect(clock.due == 6984 && clock.codecFrame == 0 && clock.longestFrame == 1024)
  }
}
