// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads payloads with the metadata of objects (`object_audio_metadata_payload`, TS 103 420).
///
/// Sets of flags are numbers whose bit 0 belongs to the first item.
package struct ObjectReader {
  /// Numbers of elements that are read.
  private enum Element {
    static let objects = 1
    static let trims = 2
    static let extension_ = 5
  }

  private var bits: ObjectBitReader
  private let frame: ObjectFrame

  /// Reads a payload of `size` bytes from the next of `bits` on.
  /// - Throws: ``ObjectMetadataError``; `frame` is of no use then.
  package static func read(
    _ bits: ObjectBitReader, size: Int, into frame: ObjectFrame
  ) throws(ObjectMetadataError) {
    var bits = bits
    try bits.limit(to: bits.position + 8 * size)
    var reader = ObjectReader(bits: bits, frame: frame)
    try reader.readPayload()
  }

  private mutating func readPayload() throws(ObjectMetadataError) {
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
  private mutating func long() throws(ObjectMetadataError) -> Int {
    let value = try bits.read(5)
    return value == 31 ? value + (try bits.read(7)) : value
  }

  /// Reads the next element and moves behind it; answers whether another one can follow.
  private mutating func readElement(hasAlternates: Bool, isLast: Bool) throws(ObjectMetadataError)
    -> Bool
  {
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
  private mutating func elementSize() throws(ObjectMetadataError) -> Int {
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
    _ element: ObjectBitReader, _ end: Int, hasReserved: Bool = false
  ) throws(ObjectMetadataError) {
    let left = end - element.position
    let fits = (0...7).contains(left) && element.peek(left) == 0
    if !fits { frame.endsExactly = false }
    guard fits || !hasReserved else { throw .unsupported("object_size_idx 3") }
  }
}

/// Reads what a programme consists of (`program_assignment`, TS 103 420).
enum AssignmentReader {
  /// Reads it into `frame`, whose number of objects is known.
  /// - Throws: ``ObjectMetadataError`` where the parts aren't as many as the objects, or where a format is reserved.
  static func read(_ bits: inout ObjectBitReader, into frame: ObjectFrame)
    throws(ObjectMetadataError)
  {
    frame.assignment.isDynamicOnly = try bits.flag()
    if frame.assignment.isDynamicOnly {
      if try bits.flag() { frame.assignment.beds.append(.lfe) }
      guard frame.assignment.firstDynamic <= frame.assignment.count else {
        throw .malformed("object_count")
      }
      return
    }
    let content = try bits.read(4)
    if content & 1 != 0 { try readBeds(&bits, into: frame) }
    if content & 2 != 0 {
      let format = try bits.read(3)
      frame.assignment.spatialObjects = ObjectTables.spatialObjects[format]
      guard frame.assignment.spatialObjects > 0 else {
        throw .unsupported("intermediate_spatial_format_idx \(format)")
      }
    }
    var dynamic = 0
    if content & 4 != 0 {
      dynamic = try bits.read(5)
      if dynamic == 31 { dynamic += try bits.read(7) }
      dynamic += 1
    }
    if content & 8 != 0 { try bits.skip(8 * (bits.read(4) + 1)) }
    guard frame.assignment.firstDynamic + dynamic == frame.assignment.count else {
      throw .malformed("object_count")
    }
  }

  private static func readBeds(
    _ bits: inout ObjectBitReader, into frame: ObjectFrame
  ) throws(ObjectMetadataError) {
    frame.assignment.isDistributed = try bits.flag()
    let instances = try bits.flag() ? bits.read(3) + 2 : 1
    for _ in 0..<instances { frame.assignment.beds.append(try bed(&bits)) }
  }

  private static func bed(_ bits: inout ObjectBitReader) throws(ObjectMetadataError) -> BedSet {
    if try bits.flag() { return .lfe }
    guard try bits.flag() else { return BedSet(bits: UInt32(try bits.read(17))) }
    let groups = try bits.read(10)
    var set: UInt32 = 0
    for (bit, channels) in BedChannel.standardGroups.enumerated() where groups >> bit & 1 == 1 {
      set |= channels
    }
    return BedSet(bits: set)
  }
}

/// Reads what is added to the updates of the object element (`extended_object_element`, TS 103 420).
enum ExtensionReader {
  /// Reads the element into the updates of `frame`.
  static func read(_ bits: inout ObjectBitReader, into frame: ObjectFrame)
    throws(ObjectMetadataError)
  {
    if try bits.flag() {
      for object in frame.assignment.firstDynamic..<frame.assignment.count {
        try readDivergence(&bits, frame, frame.row(object))
      }
    }
    guard try bits.flag() else { return }
    for object in frame.assignment.firstDynamic..<frame.assignment.count {
      let row = frame.row(object)
      for block in 0..<frame.blocks.count where row[block].isActive {
        row[block].precision = try precision(&bits)
      }
    }
  }

  private static func readDivergence(
    _ bits: inout ObjectBitReader, _ frame: ObjectFrame, _ row: UnsafeMutablePointer<ObjectInfo>
  ) throws(ObjectMetadataError) {
    for block in 0..<frame.blocks.count {
      row[block].divergence = 0
      guard row[block].isActive, try bits.flag() else { continue }
      switch try bits.read(2) {
      case 0: row[block].divergence = ObjectTables.divergences[try bits.read(2)]
      case 1: row[block].divergence = block > 0 ? row[block - 1].divergence : 0
      // The reserved mode 3 has as many bits as mode 2.
      default: row[block].divergence = ObjectTables.divergenceCodes[try bits.read(6)]
      }
    }
  }

  private static func precision(_ bits: inout ObjectBitReader) throws(ObjectMetadataError)
    -> ObjectInfo.Axes
  {
    var steps = ObjectInfo.Axes()
    guard try bits.flag() else { return steps }
    let sent = try bits.read(3)
    if sent & 1 != 0 { steps.x = ObjectTables.fineSteps[try bits.read(2)] }
    if sent & 2 != 0 { steps.y = ObjectTables.fineSteps[try bits.read(2)] }
    if sent & 4 != 0 { steps.z = ObjectTables.fineSteps[try bits.read(2)] }
    return steps
  }
}

/// Reads trims (`trim_element`, TS 103 420).
enum TrimReader {
  /// Reads the element into `frame`.
  /// - Returns: `false` where the standard reserves what follows, so that nobody can read on.
  static func read(_ bits: inout ObjectBitReader, into frame: ObjectFrame)
    throws(ObjectMetadataError) -> Bool
  {
    frame.warp = try bits.read(2)
    guard frame.warp < 3 else { return false }
    try bits.skip(2)
    frame.trimMode = try bits.read(2)
    if frame.trimMode == 2 {
      frame.trims.removeAll(keepingCapacity: true)
      for _ in 0..<Trim.layouts { frame.trims.append(try trim(&bits)) }
    }
    guard try bits.flag() else { return true }
    for object in 0..<frame.assignment.count {
      if try bits.flag() { frame.untrimmed |= 1 << UInt32(object) }
    }
    return true
  }

  private static func trim(_ bits: inout ObjectBitReader) throws(ObjectMetadataError) -> Trim {
    var trim = Trim()
    if try bits.flag() { return trim }
    trim.mode = try bits.flag() ? .disabled : .custom
    guard trim.mode == .custom else { return trim }
    let sent = try bits.read(5)
    if sent & 1 != 0 { trim.center = ObjectTables.trims[try bits.read(4)] }
    if sent & 2 != 0 { trim.surround = ObjectTables.trims[try bits.read(4)] }
    if sent & 4 != 0 { trim.height = ObjectTables.trims[try bits.read(4)] }
    if sent & 8 != 0 { trim.heightBalance = try balance(&bits) }
    if sent & 16 != 0 { trim.listenerBalance = try balance(&bits) }
    return trim
  }

  private static func balance(_ bits: inout ObjectBitReader) throws(ObjectMetadataError) -> Double {
    let sign = try bits.flag() ? 1.0 : -1
    return sign * Double(try bits.read(4) + 1) / 16
  }
}
