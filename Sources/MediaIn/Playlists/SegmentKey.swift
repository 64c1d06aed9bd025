/// How segments are encrypted (RFC 8216, 4.3.2.4).
enum SegmentKey: Hashable {
  /// AES-128 in CBC with PKCS #7 padding over whole segments, with the key at `uri`. Without a `vector`,
  /// the media sequence number is the initialisation vector.
  case aes128(uri: String, vector: [UInt8]?)
  /// Another method or key format, by name.
  case unsupported(String)

  /// Reads the attributes of EXT-X-KEY; `nil` for METHOD=NONE.
  init?(_ attributes: PlaylistAttributes) {
    let method = attributes["METHOD"] ?? "without METHOD"
    guard method != "NONE" else { return nil }
    let format = attributes["KEYFORMAT"] ?? "identity"
    guard method == "AES-128" else {
      self = .unsupported(method)
      return
    }
    guard format == "identity", let uri = attributes["URI"],
      attributes["IV"] == nil || attributes.bytes16("IV") != nil
    else {
      self = .unsupported(format == "identity" ? "AES-128 without key" : "AES-128, \(format)")
      return
    }
    self = .aes128(uri: uri, vector: attributes.bytes16("IV"))
  }

  /// Of the keys that apply at once, the one that Pinna can use, else one that an error message names.
  static func choose(_ keys: [String: SegmentKey]) -> SegmentKey? {
    if let identity = keys["identity"], case .aes128 = identity { return identity }
    return keys.sorted { $0.key < $1.key }.first?.value
  }
}
