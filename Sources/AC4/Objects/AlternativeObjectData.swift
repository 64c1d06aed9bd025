/// Gains and places of objects for the targets of an alternative presentation (TS 103 190-2, 6.2.8.11), which aren't
/// used: the presentation is decoded as it is.
enum AlternativeObjectData {
  /// Skips the data of `objects` objects, of which the last `dynamic` have a position.
  static func skip(
    _ bits: inout BitReader, objects: Int, dynamic: Int
  ) throws(AC4Error) {
    // `b_ducking_disabled`, `object_sound_category`.
    try bits.skip(1)
    if try bits.read(2) == 3 { _ = try bits.variableBits(2) }
    var sets = try bits.read(2)
    if sets == 3 { sets += try bits.variableBits(2) }
    // Each set has at least two flags.
    guard sets <= bits.remaining / 2 else { throw .damaged("\(sets) sets of object data") }
    for _ in 0..<sets { try skipSet(&bits, objects, dynamic) }
  }

  private static func skipSet(
    _ bits: inout BitReader, _ objects: Int, _ dynamic: Int
  ) throws(AC4Error) {
    let keeps = try bits.flag()
    if !keeps {
      let isCommon = try bits.flag()
      for point in 0..<(isCommon ? 1 : objects) {
        _ = try bits.optional(6)
        // `b_alt_position`: X, Y, the sign of Z and Z.
        if point >= objects - dynamic, try bits.flag() { try bits.skip(17) }
      }
    }
    guard try bits.flag() else { return }
    let count = try bits.variableBits(2) + 1
    guard count <= bits.remaining / 8 else { throw .damaged("object data of \(count) bytes") }
    try bits.skip(8 * count)
  }
}
