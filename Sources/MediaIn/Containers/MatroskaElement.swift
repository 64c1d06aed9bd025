import AudioCore

/// Elements of Matroska inside a master element that was read whole (RFC 8794, 6).
struct MatroskaElement {
  /// The identifier with its length mark, as standards write it.
  let id: UInt32
  /// The content.
  let body: ArraySlice<UInt8>

  /// The elements in `bytes`, up to the first that is cut or of unknown size.
  static func all(in bytes: ArraySlice<UInt8>) -> [MatroskaElement] {
    var rest = bytes
    var found: [MatroskaElement] = []
    while let head = Head(rest), let size = head.size, head.length + size <= rest.count {
      let body = rest.dropFirst(head.length).prefix(size)
      found.append(MatroskaElement(id: head.id, body: body))
      rest = rest[body.endIndex...]
    }
    return found
  }

  /// The content as a whole number; 0 for an empty one, `nil` for more than eight bytes.
  var number: UInt64? { body.count <= 8 ? body.bigEndian() : nil }

  /// The content as a floating-point number of four or eight bytes; `nil` for other sizes.
  var float: Double? {
    guard let number else { return nil }
    switch body.count {
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case 8: return Double(bitPattern: number)
    default: return nil
    }
  }

  /// Identifier and size of an element, in front of its content.
  struct Head {
    /// Bytes that are enough for every head.
    static let longest = 12

    let id: UInt32
    /// Bytes of identifier and size.
    let length: Int
    /// Bytes of the content; `nil` where it isn't known, or can't be.
    let size: Int?

    /// The head at the beginning of `bytes`; `nil` where none is.
    init?(_ bytes: ArraySlice<UInt8>) {
      guard let first = bytes.first else { return nil }
      let count = first.leadingZeroBitCount + 1
      guard count <= 4, let mark = bytes.dropFirst(count).first else { return nil }
      let sizeCount = mark.leadingZeroBitCount + 1
      guard sizeCount <= 8, count + sizeCount <= bytes.count else { return nil }
      id = bytes.prefix(count).bigEndian()
      length = count + sizeCount
      size = MatroskaSegment.number(Array(bytes.dropFirst(count).prefix(sizeCount)), at: 0)
        .flatMap { Int(exactly: $0.value) }.flatMap { $0 < 1 << 48 ? $0 : nil }
    }
  }
}

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
    let whole = bytes[offset..<offset + length].bigEndian(Int64.self)
    let unknown = Int64(1) << Int64(7 * length) - 1
    let value = whole & unknown
    return value == unknown ? nil : (value, length)
  }
}
