import Platform

/// Whole writes and reads of descriptors.
enum DescriptorText {
  /// Writes all of `text`.
  /// - Returns: whether the reader is still there.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    Descriptor.writeAll(Array(text.utf8), to: descriptor) == 0
  }

  /// The bytes that can be read now.
  /// - Returns: `nil` at the end, empty when nothing is there yet.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let got = Descriptor.readSome(descriptor, into: &chunk)
    if got > 0 { return Array(chunk[..<got]) }
    return got < 0 && errno == EAGAIN ? [] : nil
  }
}
