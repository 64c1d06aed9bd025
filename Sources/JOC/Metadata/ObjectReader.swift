import Signal

/// Reads payloads with the metadata of objects (`object_audio_metadata_payload`, TS 103 420).
///
/// Sets of flags are numbers whose bit 0 belongs to the first item.
struct ObjectReader {
  /// Numbers of elements that are read.
  private enum Element {
    static let objects = 1
    static let trims = 2
    static let extension_ = 5
  }

  private var bits: BitReader
  private let frame: ObjectFrame

  /// Reads a payload of `size` bytes from the next of `bits` on.
  /// - Throws: ``JOCError``; `frame` is of no use then.
  static func read(_ bits: BitReader, size: Int, into frame: ObjectFrame) throws(JOCError) {
    var bits = bits
    try bits.limit(to: bits.position + 8 * size)
    var reader = ObjectReader(bits: bits, frame: frame)
    try reader.readPayload()
  }

  private mutating func readPayload() throws(JOCError) {
    frame.clear()
    var version = try bits.read(2)
    if version == 3 { version += try bits.read(3) }
    guard version == 0 else { throw .unsupported("oa_md_version \(version)") }
    frame.assignment.count = try long() + 1
    guard frame.assignment.count <= ObjectFrame.mostObjects else {
      throw .unsupported("\(frame.assignment.count) objects")
    }
    try AssignmentReader.read(&bits, into: frame)
    let hasAlternates = try bits.flag()
    var elements = try bits.read(4)
    if elements == 15 { elements += try bits.read(5) }
    for index in 0..<elements {
      let isLast = index == elements - 1
      guard try readElement(hasAlternates: hasAlternates, isLast: isLast) else { break }
    }
    guard frame.hasObjects else { throw .malformed("no object_element") }
  }

  /// A number of 5 bits whose largest value means that 7 more are added.
  private mutating func long() throws(JOCError) -> Int {
    let value = try bits.read(5)
    return value == 31 ? value + (try bits.read(7)) : value
  }

  /// Reads the next element and moves behind it; answers whether another one can follow.
  private mutating func readElement(hasAlternates: Bool, isLast: Bool) throws(JOCError) -> Bool {
    let id = try bits.read(4)
    let size = 8 * (try elementSize())
    guard size <= bits.remaining else {
      frame.endsExactly = false
      return false
    }
    let end = bits.position + size
    var element = bits
    // Encoders have written a size that is too small for the objects of a stream's first payload. Nothing
    // is lost by that in the last element.
    if !isLast { try element.limit(to: end) }
    if hasAlternates { try element.skip(4) }
    try element.skip(1)
    switch id {
    // Of several object elements the first counts: the others are alternatives.
    case Element.objects where !frame.hasObjects:
      let hasReserved = try ObjectElementReader.read(&element, into: frame)
      try check(element, end, hasReserved: hasReserved)
      frame.hasObjects = true
    case Element.trims:
      if try TrimReader.read(&element, into: frame) { try check(element, end) }
    case Element.extension_ where frame.hasObjects:
      try ExtensionReader.read(&element, into: frame)
      try check(element, end)
    default: break
    }
    try bits.move(to: end)
    return true
  }

  /// Bytes of an element: `variable_bits` of at most four groups, whose last one goes on in vain.
  private mutating func elementSize() throws(JOCError) -> Int {
    var size = 0
    for group in 0..<4 {
      size += try bits.read(4)
      guard try bits.flag(), group < 3 else { break }
      size = (size + 1) << 4
    }
    return size + 1
  }

  /// Compares the end of what was read with the element's. After a value that the standard reserves, only
  /// an exact end shows that it was read as it is meant.
  private func check(
    _ element: BitReader, _ end: Int, hasReserved: Bool = false
  ) throws(JOCError) {
    let left = end - element.position
    let fits = (0...7).contains(left) && element.peek(left) == 0
    if !fits { frame.endsExactly = false }
    guard fits || !hasReserved else { throw .unsupported("object_size_idx 3") }
  }
}
