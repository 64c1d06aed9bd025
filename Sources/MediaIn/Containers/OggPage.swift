import LibAV

/// An intact page of an Ogg file (RFC 3533, 6).
struct OggPage {
  /// The thing that begins at a place of a file.
  enum Finding {
    /// A whole page whose checksum is right.
    case page(OggPage)
    /// A whole page whose checksum is wrong.
    case damaged
    /// No page, or less than one.
    case nothing
  }

  /// The bytes that every page begins with.
  static let mark: [UInt8] = Array("OggS".utf8)
  /// Header, 255 sizes of segments, and 255 segments of 255 bytes.
  static let longest = 27 + 255 + 255 * 255
  /// Bytes from the end that are searched for the last page: twice the longest page.
  static let tail = 128 * 1024
  /// Positions from here on (hundreds of thousands of years) are garbage.
  private static let farthest: Int64 = 1 << 60

  private let bytes: ArraySlice<UInt8>

  /// Bytes of the whole page.
  var length: Int { bytes.count }
  /// Whether it begins with the rest of a packet.
  var isContinued: Bool { flags & 1 != 0 }
  /// Whether its stream begins with it.
  var isFirst: Bool { flags & 2 != 0 }
  /// Whether its stream ends with it.
  var isLast: Bool { flags & 4 != 0 }
  /// Whether it states a position other than 0, which pages of headers have (RFC 3533, 6; RFC 7845, 3).
  var hasBegun: Bool { number(6) | number(10) != 0 }
  /// Position of the last packet that it completes; `nil` where it states none.
  var position: Int64? {
    let value = Int64(bitPattern: UInt64(number(10)) << 32 | UInt64(number(6)))
    return (0..<OggPage.farthest).contains(value) ? value : nil
  }
  /// Number of its stream.
  var serial: UInt32 { number(14) }
  /// Its number in the stream.
  var sequence: UInt32 { number(18) }
  /// Sizes of its segments; one below 255 ends a packet.
  var segments: ArraySlice<UInt8> { bytes.dropFirst(27).prefix(Int(bytes[bytes.startIndex + 26])) }
  /// The bytes that the segments hold.
  var payload: ArraySlice<UInt8> { bytes.dropFirst(27 + segments.count) }

  private var flags: UInt8 { bytes[bytes.startIndex + 5] }

  /// What `bytes` begin with.
  static func find(_ bytes: ArraySlice<UInt8>) -> Finding {
    guard let length = length(bytes) else { return .nothing }
    let page = OggPage(bytes: bytes.prefix(length))
    return checksum(page.bytes) == page.number(22) ? .page(page) : .damaged
  }

  /// Whether a file that ends in `bytes` is cut. It is complete only when its last complete page is marked as its
  /// stream's last, and no other page begins after it.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    var start = bytes.count - 27
    while start >= 0 {
      if bytes[start] == mark[0], let length = length(bytes[start...]) {
        let rest = bytes[(start + length)...]
        let isBegun = distanceToMark(rest) < rest.count || !rest.isEmpty && mark.starts(with: rest)
        return bytes[start + 5] & 4 == 0 || isBegun
      }
      start -= 1
    }
    return true
  }

  /// Bytes before the first mark; all of them where there is none.
  static func distanceToMark(_ bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == mark[0], bytes[index...].starts(with: mark) { break }
      index += 1
    }
    return index - bytes.startIndex
  }

  /// Length of the page that `bytes` begin with; `nil` where they hold no whole one.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    let base = bytes.startIndex
    guard bytes.count >= 27, bytes.starts(with: mark), bytes[base + 4] == 0 else { return nil }
    let table = 27 + Int(bytes[base + 26])
    guard bytes.count >= table else { return nil }
    let length = table + bytes[base + 27..<base + table].reduce(0) { $0 + Int($1) }
    return bytes.count >= length ? length : nil
  }

  private func number(_ offset: Int) -> UInt32 {
    let place = bytes.startIndex + offset
    return bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The checksum of the page with its own field as zeros.
  private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
    let head = PlainCRC.of([0, 0, 0, 0], from: PlainCRC.of(page.prefix(22)))
    return PlainCRC.of(page.dropFirst(26), from: head)
  }
}
