/// One payload of an EMDF container (`emdf_payloads_substream`, TS 103 190-1, 4.2.4.3).
package struct AC4Payload: Sendable, Equatable {
  /// `emdf_payload_id`.
  package let id: Int
  /// Its content.
  package let content: [UInt8]

  /// Reads payloads until the identifier 0, which ends the container.
  static func readAll(_ bits: inout BitReader) throws(AC4Error) -> [AC4Payload] {
    var payloads: [AC4Payload] = []
    while true {
      let id = try bits.escaped(5, variable: 5)
      guard id != 0 else { return payloads }
      try skipConfiguration(&bits)
      payloads.append(AC4Payload(id: id, content: try bits.bytes(try bits.variableBits(8))))
    }
  }

  /// `emdf_payload_config`, which concerns programs that edit streams.
  private static func skipConfiguration(_ bits: inout BitReader) throws(AC4Error) {
    let hasOffset = try bits.flag()
    if hasOffset { _ = try bits.variableBits(11) }
    if try bits.flag() { _ = try bits.variableBits(11) }
    if try bits.flag() { _ = try bits.variableBits(2) }
    if try bits.flag() { try bits.skip(8) }
    guard try !bits.flag() else { return }
    var isTimed = hasOffset
    if !hasOffset, try bits.flag() {
      try bits.skip(2)
      isTimed = true
    }
    if isTimed { try bits.skip(7) }
  }
}
