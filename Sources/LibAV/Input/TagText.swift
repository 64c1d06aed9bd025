// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CFFmpeg
import Platform

/// How the text of a container becomes characters.
///
/// libavformat hands tags on as they stand in the file. Most containers hold UTF-8; RIFF, ID3v1 and AIFF hold
/// what their writer's system used.
struct TagText {
  /// The encoding of text that isn't UTF-8.
  var encoding = TextEncoding.windows1252

  /// The entries of an AVDictionary; keys keep their case.
  func entries(of dictionary: OpaquePointer?) -> [String: String] {
    Dictionary(list(of: dictionary), uniquingKeysWith: { $1 })
  }

  /// The entries of an AVDictionary in order; keys keep their case.
  func list(of dictionary: OpaquePointer?) -> [(String, String)] {
    var result: [(String, String)] = []
    TagText.forEach(in: dictionary) { key, value in result.append((text(key), text(value))) }
    return result
  }

  /// Whether all entries of an AVDictionary are UTF-8.
  static func isUTF8(_ dictionary: OpaquePointer?) -> Bool {
    var result = true
    forEach(in: dictionary) { key, value in
      if utf8(key) == nil || utf8(value) == nil { result = false }
    }
    return result
  }

  private func text(_ bytes: ArraySlice<UInt8>) -> String {
    // Text that isn't valid in the encoding that was stated for it is read in the usual one.
    TagText.utf8(bytes) ?? (encoding == .utf8 ? nil : encoding.text(bytes))
      ?? TextEncoding.windows1252.text(bytes) ?? ""
  }

  /// The characters of UTF-8; `nil` for other bytes. A field of fixed size, such as ID3v1's, may end within a
  /// character, which is left out.
  private static func utf8(_ bytes: ArraySlice<UInt8>) -> String? {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    guard let lead = bytes.suffix(3).lastIndex(where: { $0 >= 0xC0 }) else { return nil }
    let whole = bytes[..<lead]
    // A last byte beyond ASCII alone is a letter of another encoding.
    guard whole.contains(where: { $0 >= 0x80 }) else { return nil }
    return String(validating: whole, as: UTF8.self)
  }

  private static func forEach(
    in dictionary: OpaquePointer?,
    _ body: (_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) -> Void
  ) {
    var entry: UnsafeMutablePointer<AVDictionaryEntry>?
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      body(bytes(next.pointee.key), bytes(next.pointee.value))
      entry = next
    }
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> ArraySlice<UInt8> {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))[...]
  }
}
