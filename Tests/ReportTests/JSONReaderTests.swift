// SPDX-License-Identifier: Apache-2.0
import Foundation
import Report
import Testing

@Suite struct JSONReaderTests {
  /// JSON and the value that RFC 8259 gives it.
  static let values: [(json: String, value: JSONValue)] = [
    ("null", .null), (" true ", .flag(true)), ("false", .flag(false)),
    ("0", .integer(0)), ("-12", .integer(-12)), ("9223372036854775807", .integer(.max)),
    ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
    ("-0.25e-2", .number(-0.0025)), ("1e3", .integer(1000)), ("2.0", .integer(2)),
    ("\"\"", .text("")), ("\"über 😀\"", .text("über 😀")),
    (#""\"\\\/\b\f\n\r\t\u00fc\ud83d\ude00""#, .text("\"\\/\u{8}\u{C}\n\r\tü😀")),
    ("[]", .list([])), ("[1, [2], \"a\"]", .list([.integer(1), .list([.integer(2)]), .text("a")])),
    ("{}", .object([:])),
    ("{\"a\" : {\"b\":[null]}}", .object(["a": .object(["b": .list([.null])])])),
    ("\r\n\t[\n1\r,\t2 ]", .list([.integer(1), .integer(2)])),
  ]

  @Test("a text of JSON gives its value", arguments: values)
  func value(json: String, value: JSONValue) throws {
    #expect(try JSONValue(json: Array(json.utf8)) == value)
    // Foundation's decoder is the second opinion.
    #expect(try JSONDecoder().decode([JSONValue].self, from: Data("[\(json)]".utf8)) == [value])
  }

  @Test(
    "a text that isn't JSON is refused",
    arguments: [
      "", " ", "nul", "truth", "01", "-", "+1", ".5", "1.", "1e", "1e+", "NaN", "1e999", "[1",
      "[1,]", "[1 2]",
      "{", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{1:2}", "\"a", "\"\u{1}\"", #""\x""#,
      #""\u12""#,
      #""\u+123""#, #""\ud800""#, #""\ud800\u0041""#, #""\udc00\ud800""#, "1 2", "[]]", "// a",
      String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
    ])
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try JSONValue(json: Array(json.utf8)) }
  }

  @Test("bytes that aren't UTF-8 are refused")
  func notUTF8() {
    for bytes: [UInt8] in [
      [0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xC3, 0x22],
    ] {
      #expect(throws: DecodingError.self) { try JSONValue(json: bytes) }
    }
  }

  @Test("whatever is encoded is read as Foundation's decoder reads it")
  func roundTrips() throws {
    var generator = Lottery(state: 7)
    for _ in 0..<300 {
      let value = JSONReaderTests.random(depth: 0, &generator)
      let json = try JSONEncoder().encode([value])
      #expect(try JSONValue(json: Array(json)) == .list([value]))
    }
  }

  private struct Lottery: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 29
    }
  }

  private static func random(depth: Int, _ lottery: inout Lottery) -> JSONValue {
    switch Int.random(in: 0..<(depth < 4 ? 7 : 5), using: &lottery) {
    case 0: return .null
    case 1: return .flag(Bool.random(using: &lottery))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &lottery))
    case 3: return .number(Double.random(in: -1...1, using: &lottery))
    case 4:
      let scalars = (0..<8).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &lottery))
      }
      return .text(String(String.UnicodeScalarView(scalars)))
    case 5: return .list((0..<3).map { _ in random(depth: depth + 1, &lottery) })
    default:
      let pairs = (0..<3).map { ("key \($0)", random(depth: depth + 1, &lottery)) }
      return .object(Dictionary(uniqueKeysWithValues: pairs))
    }
  }
}
