/// The extent of a Matroska file as its outermost element states it (RFC 8794, 6; RFC 9559, 4.5).
enum MatroskaSegment {
  private static let header: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]
  private static let segment: [UInt8] = [0x18, 0x53, 0x80, 0x67]

  /// Offset after the segment; `nil` when `head`, the file's first bytes, is of another container or
  /// states no size (live recordings).
  static func end(head: [UInt8]) -> Int64? {
    guard let place = place(head), let extent = number(head, at: place + 4) else { return nil }
    return Int64(place + 4 + extent.length) + extent.value
  }

  /// Offset of the segment's first element, also where its size is unknown; `nil` when `head` is of another container.
  static func start(head: [UInt8]) -> Int? {
    guard let place = place(head), place + 4 < head.count else { return nil }
    return place + 4 + head[place + 4].leadingZeroBitCount + 1
  }

  /// Offset of the segment.
  private static func place(_ head: [UInt8]) -> Int? {
    guard head.starts(with: header), let size = number(head, at: 4),
      let start = Int(exactly: size.value)?.addingReportingOverflow(4 + size.length),
      !start.overflow, start.partialValue < head.count - 4,
      head[start.partialValue...].starts(with: segment)
    else { return nil }
    return start.partialValue
  }

  /// A variable-length number; `nil` when it is cut, too long or the mark of an unknown size.
  static func number(_ bytes: [UInt8], at offset: Int) -> (value: Int64, length: Int)? {
    guard offset >= 0, offset < bytes.count else { return nil }
    let length = bytes[offset].leadingZeroBitCount + 1
    guard length <= 8, offset + length <= bytes.count else { return nil }
    let whole = bytes[offset..<offset + length].reduce(0 as Int64) { $0 << 8 | Int64($1) }
    let unknown = Int64(1) << Int64(7 * length) - 1
    let value = whole & unknown
    return value == unknown ? nil : (value, length)
  }
}
