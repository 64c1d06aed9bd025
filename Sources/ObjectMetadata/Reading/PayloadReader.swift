// SPDX-License-Identifier: Apache-2.0
import Signal

/// Reads the payloads of a container of extensible metadata one after the other (EMDF, ETSI TS 102 366, annex H), from its version
/// on: sync word and length, which E-AC-3 puts before it, are left to the caller.
package struct PayloadReader {
  /// Syntax of the fields that codecs write in ways of their own.
  package enum Form: Sendable {
    /// E-AC-3: the time of a payload has 11 bits, with a reserved one behind them.
    case frame
    /// TrueHD: it has one or two groups of 11 bits, and any version is read.
    case unit
  }

  /// A payload.
  package struct Payload: Equatable, Sendable {
    /// The kind of its contents; ``PayloadReader/objectsID`` are metadata of objects.
    package var id: Int
    /// First bit, counted from the first one of the bytes that the container was found in.
    package var start: Int
    /// Number of bytes.
    package var size: Int
    /// Samples by which its times are later (`smploffst`); 0 where none are sent.
    package var sampleOffset: Int

    /// The bits of `bytes`, which it was found in, from its first one on.
    package func bits(in bytes: UnsafeBufferPointer<UInt8>) -> ObjectBitReader {
      var bits = ObjectBitReader(bytes)
      bits.position = start
      return bits
    }
  }

  /// Payloads with the metadata of objects (OAMD).
  package static let objectsID = 11
  /// Payloads of a container that are read.
  private static let mostPayloads = 32

  private let form: Form
  private var bits: ObjectBitReader
  private var count = 0

  /// Reads a container's head, which begins with the next of `bits`.
  /// - Throws: ``ObjectMetadataError`` for a version that isn't known.
  package init(_ bits: ObjectBitReader, _ form: Form) throws(ObjectMetadataError) {
    (self.bits, self.form) = (bits, form)
    let version = try self.bits.escaped(2, variable: 2)
    guard version == 0 || form == .unit else { throw .unsupported("emdf_version \(version)") }
    _ = try self.bits.escaped(3, variable: 3)
  }

  /// Next bit, counted as those of payloads are.
  package var position: Int { bits.position }

  /// The next payload; `nil` behind the last one.
  /// - Throws: ``ObjectMetadataError`` where it doesn't fit or where there are more than 32.
  package mutating func next() throws(ObjectMetadataError) -> Payload? {
    guard count < PayloadReader.mostPayloads else {
      throw .malformed("more than \(PayloadReader.mostPayloads) payloads")
    }
    count += 1
    let id = try bits.escaped(5, variable: 5)
    guard id != 0 else { return nil }
    let offset = try configuration()
    let size = try bits.variableBits(8)
    guard size <= bits.remaining / 8 else { throw .malformed("emdf_payload_size") }
    let payload = Payload(id: id, start: bits.position, size: size, sampleOffset: offset ?? 0)
    try bits.skip(8 * size)
    return payload
  }

  /// Reads what is said of a payload (`emdf_payload_config`); answers its time.
  private mutating func configuration() throws(ObjectMetadataError) -> Int? {
    let offset = try bits.flag() ? sampleOffset() : nil
    if try bits.flag() { _ = try bits.variableBits(11) }
    if try bits.flag() { _ = try bits.variableBits(2) }
    if try bits.flag() { try bits.skip(8) }
    if try !bits.flag() {
      var isAligned = false
      if offset == nil {
        isAligned = try bits.flag()
        if isAligned { try bits.skip(2) }
      }
      if offset != nil || isAligned { try bits.skip(7) }
    }
    return offset
  }

  private mutating func sampleOffset() throws(ObjectMetadataError) -> Int {
    let first = try bits.read(11)
    guard try bits.flag(), form == .unit else { return first }
    let second = try bits.read(11)
    try bits.skip(1)
    return (first + 1) << 11 + second
  }

  /// Reads the protection behind the last payload. Nobody but the encoder's maker can check it.
  package mutating func skipProtection() throws(ObjectMetadataError) {
    let sizes = [0, 8, 32, 128]
    let primary = sizes[try bits.read(2)]
    let secondary = sizes[try bits.read(2)]
    try bits.skip(primary + secondary)
  }
}
