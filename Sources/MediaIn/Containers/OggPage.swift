/// The last page of an Ogg file (RFC 3533, 6), which tells whether the file is complete.
enum OggPage {
  private static let mark: [UInt8] = Array("OggS".utf8)

  /// Bytes from the end that hold the last page for certain: twice the longest page.
  static let tail = 128 * 1024

  /// Whether the last complete page in `bytes`, the end of a file, neither ends its stream nor lies
  /// at the file's end.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    var start = bytes.count - 27
    while start >= 0 {
      if bytes[start] == mark[0], let end = end(of: bytes, at: start) {
        let endsStream = bytes[start + 5] & 4 != 0
        return !endsStream || end != bytes.count
      }
      start -= 1
    }
    return true
  }

  /// Offset after the page at `start`; `nil` when none begins there or it is incomplete.
  private static func end(of bytes: [UInt8], at start: Int) -> Int? {
    guard bytes[start...].starts(with: mark), bytes[start + 4] == 0 else { return nil }
    let table = start + 27
    let segments = Int(bytes[start + 26])
    guard table + segments <= bytes.count else { return nil }
    let payload = bytes[table..<table + segments].reduce(0) { $0 + Int($1) }
    let end = table + segments + payload
    return end <= bytes.count ? end : nil
  }
}
