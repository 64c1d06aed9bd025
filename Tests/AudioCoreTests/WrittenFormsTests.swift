// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct WrittenFormsTests {
  @Test(
    "a number has as many digits as asked for, rounded, and no sign before zero",
    arguments: [
      (1.005, 2, "1.00"), (1.015, 2, "1.01"), (-8.1, 2, "-8.10"), (-0.004, 2, "0.00"),
      (-0.0, 1, "0.0"), (2.5, 0, "3"), (-2.5, 0, "-3"), (0.0625, 3, "0.063"),
      (999_999_999_999.5, 1, "999999999999.5"), (0.000001, 6, "0.000001"),
    ])
  func numbersAreFixed(value: Double, digits: Int, text: String) {
    #expect(value.fixed(digits) == text)
  }

  @Test(
    "a number that isn't finite or reaches the limit has no such form",
    arguments: [Double.nan, .infinity, -.infinity, 1e12, -1e12])
  func othersAreNotFixed(value: Double) {
    #expect(value.fixed(2) == nil)
  }

  @Test("a lower limit holds too")
  func limitsHold() {
    #expect(1e9.fixed(2, below: 1e9) == nil)
    #expect(999_999_999.0.fixed(0, below: 1e9) == "999999999")
  }

  @Test("whole numbers are filled up with zeros, and stand for units behind a point")
  func wholeNumbers() {
    #expect([0, 7, 10, 123].map { $0.padded(2) } == ["00", "07", "10", "123"])
    #expect(Int64(1_000_007).decimal(6) == "1.000007")
    #expect(UInt8(9).padded(1) == "9")
    #expect(5.decimal(1) == "0.5")
    #expect(MediaTime.clock(3_723_004) == "01:02:03.004")
    #expect(MediaTime.clock(360_000_000) == "100:00:00.000")
  }

  @Test("hexadecimal digits are filled up with zeros, and more aren't cut")
  func hexadecimalDigits() {
    #expect(UInt8(10).hexadecimal(2) == "0a")
    #expect(0xBEEF.hexadecimal(2, uppercase: true) == "BEEF")
    #expect(UInt32(0).hexadecimal(8) == "00000000")
    #expect([UInt8(0), 0x7F, 0xF0].hexadecimal == "007ff0")
  }

  @Test("strings of JSON escape what they have to, and what is asked for")
  func stringsAreQuoted() {
    #expect(JSONText.quoted("a\"\\\n\u{1F}é") == "\"a\\\"\\\\\\u000a\\u001fé\"")
    #expect(JSONText.quoted("a\nb") { $0 == "\n" ? "\\n" : nil } == "\"a\\nb\"")
    #expect(JSONText.escape("\u{2028}") == "\\u2028")
    // A mark behind a quote doesn't hide it.
    #expect(
      Array(JSONText.quoted("\"\u{301}").unicodeScalars) == Array("\"\\\"\u{301}\"".unicodeScalars))
  }

  @Test("each separator separates, whatever stands behind it, and what is empty counts")
  func textIsParted() {
    #expect("1//2/".parts(at: "/") == ["1", "", "2", ""])
    #expect("".parts(at: "/") == [""])
    #expect("1/\u{338}2".parts(at: "/").map { Array($0.utf8) } == [[0x31], Array("\u{338}2".utf8)])
  }
}
