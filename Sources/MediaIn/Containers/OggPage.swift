/// The last page of an Ogg file (RFC 3533, 6), by which a truncated file is noticed.
enum OggPage {
  private static let mark: [UInt8] = Array("OggS".utf8)

  /// Bytes from the end that are searched for the last page: twice the longest page (65,307 bytes).
  static let tail = 128 * 1024

  /// Whether a file that ends in `bytes` is cut. It is complete only when its last complete page is marked
  /// as its stream's last (flag 4) and ends exactly at the file's end.
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
