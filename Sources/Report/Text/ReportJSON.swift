// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Essentials

/// Encodes reports the same way everywhere: sorted keys, no escaped slashes.
package enum ReportJSON {
  /// Pretty-printed JSON with a final newline; arrays of plain figures take one line.
  package static func pretty<Value: Encodable>(_ value: Value) throws -> String {
    let printed = try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    return String(decoding: joinedArrays(Array(printed.utf8)), as: UTF8.self) + "\n"
  }

  /// One line of JSON without a newline.
  package static func line<Value: Encodable>(_ value: Value) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text<Value: Encodable>(
    _ value: Value, _ formatting: JSONEncoder.OutputFormatting
  ) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting
    return plain(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// JSON with all characters escaped that would be commands to a terminal, or turn the direction of the text beside them;
  /// the encoder escapes those below a space only.
  private static func plain(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ $0 < 0x7F }) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      // Line feeds stand between values. All others that aren't plain have four digits.
      if scalar.isPlain || scalar == "\n" {
        result.append(scalar)
      } else {
        result += JSONText.escape(scalar).unicodeScalars
      }
    }
    return String(result)
  }

  /// Puts every array that holds only numbers and nulls on one line: a series of a film has tens of
  /// thousands of them.
  private static func joinedArrays(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var position = 0
    var isInString = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "["), !isInString, let end = endOfFigures(bytes, position) {
        result += joined(bytes[position...end])
        position = end + 1
        continue
      }
      if byte == UInt8(ascii: "\\"), isInString {
        result.append(byte)
        position += 1
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      }
      result.append(bytes[position])
      position += 1
    }
    return result
  }

  /// The index of the bracket that closes the array at `start`; `nil` when it holds anything but
  /// numbers and nulls.
  private static func endOfFigures(_ bytes: [UInt8], _ start: Int) -> Int? {
    var position = start + 1
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "]") { return position }
      guard figures.contains(byte) else { return nil }
      position += 1
    }
    return nil
  }

  private static func joined(_ array: ArraySlice<UInt8>) -> [UInt8] {
    var line: [UInt8] = []
    for byte in array where byte != 0x20 && byte != 0x0A {
      line.append(byte)
      if byte == UInt8(ascii: ",") { line.append(0x20) }
    }
    return line
  }

  private static let figures = Set("0123456789+-.eEnul, \n".utf8)
}
