import ObjectMetadata
import Signal

/// Reads what a programme consists of (`program_assignment`, TS 103 420).
enum AssignmentReader {
  /// Reads it into `frame`, whose number of objects is known.
  /// - Throws: ``JOCError`` where the parts aren't as many as the objects, or where a format is reserved.
  static func read(_ bits: inout BitReader, into frame: ObjectFrame) throws(JOCError) {
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
    _ bits: inout BitReader, into frame: ObjectFrame
  ) throws(JOCError) {
    frame.assignment.isDistributed = try bits.flag()
    let instances = try bits.flag() ? bits.read(3) + 2 : 1
    for _ in 0..<instances { frame.assignment.beds.append(try bed(&bits)) }
  }

  private static func bed(_ bits: inout BitReader) throws(JOCError) -> BedSet {
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
