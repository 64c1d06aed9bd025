// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The sample entry of a video track around the boxes another muxer or file gave it
/// (ISO/IEC 14496-12, 12.1.3).
package struct VisualSampleEntry: Sendable, Equatable {
  /// Bytes of box header and fields before the first box inside.
  private static let fieldsEnd = 86

  /// The whole entry.
  package private(set) var bytes: [UInt8]

  /// Takes a whole entry; `nil` when it is cut or its size isn't its length.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= VisualSampleEntry.fieldsEnd, bytes.bigEndian32(at: 0) == bytes.count
    else { return nil }
    self.bytes = bytes
  }

  /// Its type, e.g. `avc1`.
  package var type: String { String(decoding: bytes[4..<8], as: UTF8.self) }

  /// Gives it another type of four ASCII characters; any other name is ignored.
  package mutating func rename(to type: String) {
    let code = Array(type.utf8)
    guard code.count == 4 else { return }
    bytes.replaceSubrange(4..<8, with: code)
  }

  /// Payload of the first box of `type` inside; `nil` when there is none.
  package func payload(_ type: String) -> [UInt8]? {
    var position = VisualSampleEntry.fieldsEnd
    while position + 8 <= bytes.count {
      let size = Int(bytes.bigEndian32(at: position))
      guard size >= 8, position + size <= bytes.count else { return nil }
      if bytes[(position + 4)..<(position + 8)].elementsEqual(type.utf8) {
        return Array(bytes[(position + 8)..<(position + size)])
      }
      position += size
    }
    return nil
  }

  /// Appends a box unless there is one of its type.
  package mutating func append(_ type: String, _ payload: [UInt8]) {
    guard self.payload(type) == nil else { return }
    var builder = BoxBuilder()
    builder.box(type) { $0.append(payload) }
    let size = UInt32(clamping: bytes.count + builder.bytes.count)
    bytes += builder.bytes
    for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: size >> UInt32(24 - 8 * index)) }
  }

  /// The parameter sets of an AVC or HEVC entry.
  package var parameterSets: ParameterSets? {
    payload("avcC").flatMap { ParameterSets(avcC: $0) }
      ?? payload("hvcC").flatMap { ParameterSets(hvcC: $0) }
  }

  /// The codec as HLS and MIME types name it (RFC 6381 and the codecs' own bindings); `nil` when
  /// the configuration is missing.
  package var codec: String? {
    if let box = payload("avcC"), box.count >= 4 {
      return type + "." + box[1..<4].map { $0.hexadecimal(2, uppercase: true) }.joined()
    }
    if let box = payload("hvcC"), box.count >= 13 { return hevcCodec(box) }
    if let box = payload("vpcC"), box.count >= 7 {
      let values = [box[4], box[5], box[6] >> 4].map { $0.padded(2) }
      return ([type] + values).joined(separator: ".")
    }
    if let box = payload("av1C"), box.count >= 3 {
      let tier = box[2] & 0x80 != 0 ? "H" : "M"
      let depth: UInt8 = box[2] & 0x40 == 0 ? 8 : (box[2] & 0x20 == 0 ? 10 : 12)
      let level = (box[1] & 0x1F).padded(2) + tier
      return "\(type).\(box[1] >> 5).\(level).\(depth.padded(2))"
    }
    return nil
  }

  /// The codec of an HEVC entry (ISO/IEC 14496-15, E.3).
  private func hevcCodec(_ box: [UInt8]) -> String {
    let space = ["", "A", "B", "C"][Int(box[1] >> 6)]
    let flags = box.bigEndian32(at: 2)
    var reversed: UInt32 = 0
    for bit in 0..<32 where flags >> UInt32(bit) & 1 == 1 { reversed |= 1 << UInt32(31 - bit) }
    let tier = box[1] & 0x20 == 0 ? "L" : "H"
    var constraints = Array(box[6..<12])
    while constraints.last == 0 { constraints.removeLast() }
    var parts = [type, "\(space)\(box[1] & 0x1F)"]
    parts.append(String(reversed, radix: 16, uppercase: true))
    parts.append("\(tier)\(box[12])")
    parts += constraints.map { String($0, radix: 16, uppercase: true) }
    return parts.joined(separator: ".")
  }
}

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
