import Platform

/// Whole writes and reads of descriptors.
enum DescriptorText {
  /// Writes all of `text`.
  /// - Returns: whether the reader is still there.
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let moved = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if moved < 0, errno == EINTR { continue }
      guard moved > 0 else { return false }
      rest = rest.dropFirst(moved)
    }
    return true
  }

  /// The bytes that can be read now.
  /// - Returns: `nil` at the end, empty when nothing is there yet.
  static func read(_ descriptor: Int32) -> [UInt8]? {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let got = Glibc.read(descriptor, &chunk, chunk.count)
      if got > 0 { return Array(chunk[..<got]) }
      if got == 0 { return nil }
      if errno == EAGAIN { return [] }
      if errno != EINTR { return nil }
    }
  }
}
