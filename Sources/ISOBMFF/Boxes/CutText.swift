/// Texts whose length in bytes is limited.
package enum CutText {
  /// The UTF-8 bytes of `text`, at most `limit`, never ending within a character.
  package static func utf8(_ text: String, limit: Int) -> [UInt8] {
    var bytes = Array(text.utf8.prefix(limit))
    while !bytes.isEmpty, String(validating: bytes, as: UTF8.self) == nil { bytes.removeLast() }
    return bytes
  }
}
