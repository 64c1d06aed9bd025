// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A line of a playlist that is neither empty nor a comment (RFC 8216, 4.1).
package enum PlaylistLine: Equatable {
  /// `#EXT…`: the tag's name with its `#`, and what follows the colon.
  case tag(name: String, value: String)
  case uri(String)

  /// Greatest size of a playlist that is read, in bytes.
  static let limit = 32 << 20

  /// Bytes of a file that ``beginsPlaylist(_:)`` looks at: a byte order mark, the first tag, and what follows.
  package static let headLength = 11

  /// Whether `head`, the first ``headLength`` bytes of a file, begins a playlist. A byte order mark, which the standard
  /// forbids, is passed over: some editors write it without being asked.
  package static func beginsPlaylist(_ head: some Collection<UInt8>) -> Bool {
    let tag = "#EXTM3U".utf8
    let head = head.withoutByteOrderMark
    guard head.starts(with: tag) else { return false }
    return head.dropFirst(tag.count).first.map { $0 <= 0x20 } ?? true
  }

  /// The lines of a playlist with their numbers, counted from 1; comments and empty lines are left
  /// out. `nil` when the bytes are no playlist.
  static func lines(of bytes: [UInt8]) -> [(number: Int, line: PlaylistLine)]? {
    guard beginsPlaylist(bytes) else { return nil }
    var result: [(number: Int, line: PlaylistLine)] = []
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (index, raw) in lines.enumerated().dropFirst() {
      var text = raw
      while let last = text.last, last <= 0x20 { text.removeLast() }
      guard let first = text.first else { continue }
      if first == 0x23 {
        guard text.starts(with: Array("#EXT".utf8)) else { continue }
        let parts = text.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
        result.append(
          (index + 1, .tag(name: String(decoding: parts[0], as: UTF8.self), value: value)))
      } else {
        result.append((index + 1, .uri(String(decoding: text, as: UTF8.self))))
      }
    }
    return result
  }
}

/// An attribute list of a playlist tag (RFC 8216, 4.2).
///
/// The first of several attributes with one name counts. Text that isn't `NAME=value` is ignored.
struct PlaylistAttributes: Equatable {
  private var values: [String: String] = [:]
  /// Names that stand more than once.
  private(set) var repeated: [String] = []

  /// Reads `text`, e.g. `BANDWIDTH=1280000,CODECS="mp4a.40.2"`.
  init(_ text: String) {
    // By scalars: a quotation mark with a combining mark behind it still ends its text.
    var rest = Substring(text).unicodeScalars
    while !rest.isEmpty {
      let name = rest.prefix { $0 != "=" && $0 != "," }
      rest = rest.dropFirst(name.count)
      guard rest.first == "=" else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst()
      let isQuoted = rest.first == "\""
      if isQuoted { rest = rest.dropFirst() }
      let value = rest.prefix { $0 != (isQuoted ? "\"" : ",") }
      rest = rest.dropFirst(value.count)
      rest = rest.drop { $0 != "," }.dropFirst()
      let key = String(name).filter { $0 != " " }
      if values[key] == nil { values[key] = String(value) } else { repeated.append(key) }
    }
  }

  /// The value of an attribute, without quotes.
  subscript(_ name: String) -> String? { values[name] }

  /// A decimal integer of at most 18 digits; `nil` for anything else.
  func integer(_ name: String) -> Int64? { values[name].flatMap(PlaylistNumber.integer) }

  /// Whether an enumerated attribute says `YES`.
  func isSet(_ name: String) -> Bool { values[name] == "YES" }

  /// The 16 bytes of a hexadecimal sequence of at most 128 bits, such as an IV; `nil` for others.
  func bytes16(_ name: String) -> [UInt8]? {
    guard let text = values[name], text.hasPrefix("0x") || text.hasPrefix("0X") else { return nil }
    let digits = Array(text.utf8.dropFirst(2))
    guard !digits.isEmpty, digits.count <= 32 else { return nil }
    let padded = [UInt8](repeating: 0x30, count: 32 - digits.count) + digits
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      // `UInt8(_:radix:)` would accept a sign in front.
      guard padded[index] != 0x2B, padded[index] != 0x2D,
        let byte = UInt8(String(decoding: padded[index..<index + 2], as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(byte)
    }
    return bytes
  }
}

/// Numbers as playlists write them.
enum PlaylistNumber {
  /// Nanoseconds of a year: the greatest duration that is read, so that sums stay inside 64 bits.
  static let year: Int64 = 31_536_000_000_000_000

  /// A decimal integer of at most 18 digits, which always fits into 64 bits; `nil` for anything else.
  static func integer(_ text: some StringProtocol) -> Int64? {
    guard (1...18).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return Int64(text)
  }

  /// A decimal number of seconds, up to a year, in nanoseconds. The uncertainty is the error that rounding
  /// to the last digit may have caused: half a unit of that digit.
  static func seconds(_ text: some StringProtocol) -> (nanoseconds: Int64, uncertainty: Int64)? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first.flatMap({ integer($0) }), whole <= year / 1_000_000_000 else {
      return nil
    }
    let digits = parts.count == 2 ? parts[1].prefix(9) : ""
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    var unit: Int64 = 1_000_000_000
    for _ in 0..<digits.utf8.count { unit /= 10 }
    let part = (integer(digits) ?? 0) * unit
    return (whole * 1_000_000_000 + part, unit / 2)
  }

  /// A byte range `length[@offset]`.
  static func byteRange(_ text: some StringProtocol) -> (length: Int64, offset: Int64?)? {
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let length = integer(parts[0]), length > 0 else {
      return nil
    }
    guard parts.count == 2 else { return (length, nil) }
    guard let offset = integer(parts[1]) else { return nil }
    return (length, offset)
  }
}
