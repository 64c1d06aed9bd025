// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@Suite struct MediaTimeTests {
  @Test("rescaling rounds halves away from zero and saturates")
  func rescalesExactlyAndRoundsHalvesAwayFromZero() {
    #expect(MediaTime(ticks: 10003, rate: 1000).samples(at: 48000) == 480_144)
    #expect(MediaTime.rescale(1, by: 1, over: 2) == 1)
    #expect(MediaTime.rescale(-1, by: 1, over: 2) == -1)
    #expect(MediaTime.rescale(.max, by: 48000, over: 48000) == .max)
    #expect(MediaTime.rescale(.max, by: 2, over: 1) == .max)
    #expect(MediaTime.rescale(-3, by: 5, over: 4) == -4)
  }

  @Test("1/3 s is before 34/100 s, and −1/3 s before 0")
  func comparesAcrossRates() {
    #expect(MediaTime(ticks: 1, rate: 3) < MediaTime(ticks: 34, rate: 100))
    #expect(MediaTime(ticks: -1, rate: 3) < MediaTime(ticks: 0, rate: 1))
  }

  @Test(
    "a decoded time has a rate of at least 1 and survives coding",
    arguments: [0, -1, Int64.min, 1, 48_000])
  func aRateThatIsReadIsAtLeastOne(rate: Int64)
    throws
  {
    let text = "{\"ticks\":5,\"rate\":\(rate)}"
    let time = try JSONDecoder().decode(MediaTime.self, from: Data(text.utf8))
    #expect(time == MediaTime(ticks: 5, rate: max(1, rate)))
    let again = try JSONDecoder().decode(MediaTime.self, from: JSONEncoder().encode(time))
    #expect(again == time)
  }

  @Test("times are printed as hours, minutes, seconds and milliseconds, also negative ones")
  func printsAClock() {
    #expect(MediaTime(ticks: 3_723_004, rate: 1000).description == "01:02:03.004")
    #expect(MediaTime(ticks: -24000, rate: 48000).description == "-00:00:00.500")
  }
}
