// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

/// Times as people write them.
@Suite struct TimeSpecTests {
  @Test(
    "seconds, clocks and sample counts are read as exact samples",
    arguments: [
      ("12.5", 600_000), ("12.5s", 600_000), ("7", 336_000), ("0.000000001", 0), ("0.25", 12_000),
      ("1:02.25", 2_988_000), ("00:01:00.500", 2_904_000), ("1:00:00", 172_800_000),
      ("48000S", 48_000),
    ])
  func writtenTimesAreExact(text: String, samples: Int64) throws {
    #expect(try TimeSpec(text, option: "--from").samples(at: 48_000) == samples)
  }

  @Test(
    "signed, malformed and too fine times are refused",
    arguments: [
      "", "s", "S", "-1", "1.5S", "1:2:3:4", "1.", ".5", "1.0000000001", "1e3", "x", "+1", "+1S",
      "-0S", "-0", "-0:30",
      "+1:00", "1:+2", "1.+5", "1.-5", "\u{0661}", "1:00:",
    ])
  func otherTextIsNoTime(text: String) {
    let error = #expect(throws: MediaError.self) { try TimeSpec(text, option: "--from") }
    #expect(error?.kind == .usage)
  }
}
