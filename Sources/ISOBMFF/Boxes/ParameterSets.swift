/// Parameter sets in the configuration of an AVC or HEVC track (ISO/IEC 14496-15, 5.3.3 and 8.3.3).
package struct ParameterSets: Sendable, Equatable {
  /// Bytes of the length before each NAL unit of a sample: 1, 2 or 4.
  package let lengthSize: Int
  /// The NAL units, in the order in which they are stored.
  package let units: [[UInt8]]

  /// Reads the payload of `avcC`; `nil` when it is cut.
  package init?(avcC bytes: [UInt8]) {
    guard bytes.count >= 7, bytes[0] == 1 else { return nil }
    lengthSize = Int(bytes[4] & 3) + 1
    var position = 5
    var found: [[UInt8]] = []
    for mask in [UInt8(0x1F), 0xFF] {
      guard position < bytes.count else { return nil }
      let count = Int(bytes[position] & mask)
      position += 1
      guard ParameterSets.read(count, from: bytes, at: &position, into: &found) else { return nil }
    }
    units = found
  }

  /// Reads the payload of `hvcC`; `nil` when it is cut.
  package init?(hvcC bytes: [UInt8]) {
    guard bytes.count >= 23, bytes[0] == 1 else { return nil }
    lengthSize = Int(bytes[21] & 3) + 1
    var position = 23
    var found: [[UInt8]] = []
    for _ in 0..<Int(bytes[22]) {
      guard position + 3 <= bytes.count else { return nil }
      let count = Int(bytes.bigEndian16(at: position + 1))
      position += 3
      guard ParameterSets.read(count, from: bytes, at: &position, into: &found) else { return nil }
    }
    units = found
  }

  private static func read(
    _ count: Int, from bytes: [UInt8], at position: inout Int, into units: inout [[UInt8]]
  ) -> Bool {
    for _ in 0..<count {
      guard position + 2 <= bytes.count else { return false }
      let end = position + 2 + Int(bytes.bigEndian16(at: position))
      guard end <= bytes.count else { return false }
      units.append(Array(bytes[(position + 2)..<end]))
      position = end
    }
    return true
  }
}
