// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Report

/// Figures as people read them on the page.
@Suite struct PageTextTests {
  @Test(
    "thousands are set apart by commas, and negative numbers have a minus sign",
    arguments: [
      (0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "−1,234,567"), (-100, "−100"),
      (Int64.min, "−9,223,372,036,854,775,808"),
    ] as [(Int64, String)])
  func thousandsAreSetApart(value: Int64, text: String) {
    #expect(PageText.count(value) == text)
  }

  @Test("only the number 1 has a singular") func onlyOneIsSingular() {
    #expect(PageText.count(1, "file") == "1 file" && PageText.count(0, "file") == "0 files")
    #expect(PageText.count(-1, "file") == "−1 files" && PageText.count(2, "file") == "2 files")
  }

  @Test(
    "a duration is in ms, s, minutes or hours by its length, and an unknown one is a dash",
    arguments: [
      (nil, "–"), (-1, "–"), (.nan, "–"), (0.25, "250.0 ms"), (59.99, "59.99 s"), (60, "1:00"),
      (3599.4, "59:59"), (3599.6, "1:00:00"), (3600, "1:00:00"), (3661, "1:01:01"),
      (360_000, "100:00:00"),
    ] as [(Double?, String)])
  func durationsChangeTheirFormWithTheirLength(seconds: Double?, text: String) {
    #expect(PageText.duration(seconds) == text)
  }

  @Test("samples at a rate of 0 have no seconds")
  func aRateOfNothingHasNoSeconds() {
    #expect(PageText.seconds(96_000, rate: 48_000) == 2 && PageText.seconds(1, rate: 0) == nil)
  }

  @Test(
    "rates from 1000 Hz are in kHz, and lower ones in Hz",
    arguments: [
      (48_000, "48 kHz"), (44_100, "44.1 kHz"), (22_050, "22.05 kHz"), (800, "800 Hz"),
      (1000, "1 kHz"),
    ])
  func ratesAreInKilohertz(rate: Int, text: String) { #expect(PageText.rate(rate) == text) }
}
