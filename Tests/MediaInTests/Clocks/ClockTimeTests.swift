// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MediaIn

@Suite struct ClockTimeTests {
  @Test("Matroska durations are read to the nanosecond, and malformed ones give none")
  func matroskaDurationsAreReadToTheNanosecond() {
    #expect(ClockTime.nanoseconds("00:00:10.003000000") == 10_003_000_000)
    #expect(ClockTime.nanoseconds("01:02:03.5") == 3_723_500_000_000)
    #expect(ClockTime.nanoseconds("00:00:07") == 7_000_000_000)
    for bad in ["", "10", "00:61:00", "00:00:99", "a:b:c", "-1:00:00", "1:2:3:4"] {
      #expect(ClockTime.nanoseconds(bad) == nil, "\(bad)")
    }
  }
}
