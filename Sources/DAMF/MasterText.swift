// SPDX-License-Identifier: Apache-2.0
import AudioCore
import YAML

/// The text of one of a set's two documents, checked before YAML is read from it.
package struct MasterText: Sendable {
  /// Bytes of a root that are read at most.
  package static let longestRoot = 1 << 20
  /// Bytes of events that are read at most; a film has about 10 MB.
  package static let longestMetadata = 1 << 30
  /// Bytes of a line at most.
  static let longestLine = 64 << 10

  /// Name of the file, without its folder.
  let file: String
  /// The text in UTF-8, without a byte order mark.
  let bytes: [UInt8]

  /// The rules for its YAML: no aliases, anchors and tags, and repeated keys left to the reader.
  static let rules: YAMLRules = {
    var rules = YAMLRules()
    rules.deepest = 16
    rules.mostAliases = 0
    rules.longestScalar = longestLine
    rules.keepsRepeatedKeys = true
    return rules
  }()

  /// Checks the bytes of a file.
  /// - Parameters:
  ///   - bytes: the content of the file.
  ///   - file: its name, without its folder.
  ///   - longest: bytes that it may have.
  /// - Throws: ``DAMFError`` of code `limit` or `encoding`.
  package init(_ bytes: [UInt8], file: String, longest: Int) throws(DAMFError) {
    self.file = file
    guard bytes.count <= longest else {
      throw DAMFError(
        .limit, "the file has \(bytes.count) bytes, and at most \(longest) are read",
        at: DAMFPlace(file))
    }
    let marks: [[UInt8]] = [[0xFF, 0xFE], [0xFE, 0xFF], [0, 0, 0xFE, 0xFF]]
    guard !marks.contains(where: { bytes.starts(with: $0) }) else {
      throw DAMFError(
        .encoding, "the text is UTF-16 or UTF-32; save it as UTF-8", at: DAMFPlace(file))
    }
    self.bytes = Array(bytes.withoutByteOrderMark)
    try checkLines()
    guard String(validating: self.bytes, as: UTF8.self) != nil else {
      throw DAMFError(
        .encoding, "the text isn't valid UTF-8; save it as UTF-8", at: DAMFPlace(file))
    }
  }

  private func checkLines() throws(DAMFError) {
    var (line, length) = (1, 0)
    for byte in bytes {
      length += 1
      if byte == 0x0A { (line, length) = (line + 1, 0) }
      guard byte != 0 else {
        throw DAMFError(
          .encoding, "the text has a zero byte; save it as UTF-8", at: DAMFPlace(file, line: line))
      }
      guard length <= MasterText.longestLine else {
        throw DAMFError(
          .limit, "the line has more than \(MasterText.longestLine) bytes; write lists in lines",
          at: DAMFPlace(file, line: line))
      }
    }
  }
}
