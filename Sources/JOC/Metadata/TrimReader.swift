import ObjectMetadata
import Signal

/// Reads trims (`trim_element`, TS 103 420).
enum TrimReader {
  /// Reads the element into `frame`.
  /// - Returns: `false` where the standard reserves what follows, so that nobody can read on.
  static func read(_ bits: inout BitReader, into frame: ObjectFrame) throws(JOCError) -> Bool {
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

  private static func trim(_ bits: inout BitReader) throws(JOCError) -> Trim {
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

  private static func balance(_ bits: inout BitReader) throws(JOCError) -> Double {
    let sign = try bits.flag() ? 1.0 : -1
    return sign * Double(try bits.read(4) + 1) / 16
  }
}
