// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Loudness

/// The search for the gain behind which a limiter leaves the wanted loudness.
@Suite struct GainSearchTests {
  /// The gain of a search for −16 LUFS after these readings, and whether it goes on.
  private func search(_ readings: [Double], from gain: Double = 0, maxGain: Double = 20) -> (
    gain: Double, goesOn: Bool
  ) {
    var search = GainSearch(gain: gain, target: -16, maxGain: maxGain)
    var goesOn = true
    for loudness in readings { goesOn = search.advance(reached: loudness) }
    return (search.gain, goesOn)
  }

  private func isNear(_ found: (gain: Double, goesOn: Bool), _ gain: Double) -> Bool {
    found.goesOn && (found.gain - gain).magnitude < 1e-9
  }

  @Test("the first step of the gain is the error of the loudness, up or down")
  func theFirstStepTakesTheErrorAsItIs() {
    #expect(isNear(search([-19], from: 2), 5) && isNear(search([-12], from: 2), -2))
  }

  /// The limiter took half of the last step, so the next one is twice as large.
  @Test("after 4 dB of gain brought 2 LU, the missing 2 LU get 4 dB more")
  func theSlopeIsThatOfTheLastTwoGains() {
    #expect(isNear(search([-20]), 4) && isNear(search([-20, -18]), 8))
  }

  /// A limiter that takes nearly everything would send the gain far off; a tenth is the least slope.
  @Test("the search takes a slope of 0.1 at least and 1.1 at most")
  func theSlopeHasBounds() {
    #expect(isNear(search([-20, -20], maxGain: 100), 44))
    #expect(isNear(search([-20, -11], maxGain: 100), 4 - 5 / 1.1))
  }

  /// Of two gains that hardly differ, the loudness differs by rounding, which says nothing of a slope.
  @Test("after two gains that differ by 0.0005 dB, the next step is the error of the loudness")
  func gainsThatHardlyDifferSayNothing() {
    #expect(isNear(search([-16.0005, -16.3]), 0.3005))
  }

  @Test(
    "the search ends at the largest gain if that is too quiet, and goes on below it if too loud")
  func theGainStopsAtItsLimitUnlessItIsTooMuch() {
    #expect(isNear(search([-20], maxGain: 3), 3))
    let stopped = search([-20, -17], maxGain: 3)
    #expect(stopped.gain == 3 && !stopped.goesOn)
    let loud = search([-20, -15], maxGain: 3)
    #expect(loud.gain < 3 && loud.goesOn)
  }
}
