// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ADM

@Suite struct DecimalNumberTests {
  private func value(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer(DecimalNumber.value)
  }

  @Test(
    "decimal numbers have the value of Double, also with white space around them",
    arguments: [
      "0", "1", "-1", "+1.5", ".5", "5.", "0.707107", "1e3", "1E-3", "123456789012345678",
      "0.1234567890123456789012345", "9007199254740993", "1e22", "1e23", "1.7976931348623157e308",
      "2.2250738585072014e-308", "-36.397", "0.30000000000000004", "1e-400",
    ])
  func numbersAreRoundedCorrectly(text: String) {
    #expect(
      value(text)
        == Double(text.hasSuffix(".") ? text + "0" : text.hasPrefix(".") ? "0" + text : text))
    #expect(value(" \n" + text + "\t") == value(text))
  }

  @Test(
    "hexadecimal, infinite, too large and malformed numbers have no value",
    arguments: [
      "", " ", ".", "-", "+-1", "1e", "1e+", "0x10", "nan", "inf", "-inf", "infinity", "1 2", "1,5",
      "1.2.3",
      "1e400", "1d3", "１",
    ])
  func whatIsNoFiniteDecimalNumberIsNone(text: String) {
    #expect(value(text) == nil)
  }
}
