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
  var number: UInt64? { body.count <= 8 ? body.reduce(0) { $0 << 8 | UInt64($1) } : nil }

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
      id = bytes.prefix(count).reduce(0) { $0 << 8 | UInt32($1) }
      length = count + sizeCount
      size = MatroskaSegment.number(Array(bytes.dropFirst(count).prefix(sizeCount)), at: 0)
        .flatMap { Int(exactly: $0.value) }.flatMap { $0 < 1 << 48 ? $0 : nil }
    }
  }
}
