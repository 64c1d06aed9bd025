// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Gathers elements of EBML (RFC 8794, 3): each has its identifier, its size in the fewest bytes, and its content.
package struct EBMLBuilder: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends whole elements as they are.
  package mutating func append<Bytes: Sequence<UInt8>>(_ elements: Bytes) {
    bytes.append(contentsOf: elements)
  }

  /// Appends an unsigned integer in the fewest bytes, at least one (RFC 8794, 7.2).
  package mutating func unsigned<Value: BinaryInteger>(_ id: EBMLID, _ value: Value) {
    let whole = UInt64(clamping: value).bigEndianBytes.drop { $0 == 0 }
    binary(id, whole.isEmpty ? [0] : Array(whole))
  }

  /// Appends a signed integer in the fewest bytes, at least one (RFC 8794, 7.1).
  package mutating func signed(_ id: EBMLID, _ value: Int64) {
    let width = (1..<8).first { value >> (8 * $0 - 1) == (value < 0 ? -1 : 0) } ?? 8
    binary(id, value.bigEndianBytes.suffix(width))
  }

  /// Appends a floating-point number of eight bytes (RFC 8794, 7.3).
  package mutating func float(_ id: EBMLID, _ value: Double) {
    binary(id, value.bitPattern.bigEndianBytes)
  }

  /// Appends a text in UTF-8. Zeros would end it, so they are left out (RFC 8794, 7.4 and 7.5).
  package mutating func text(_ id: EBMLID, _ value: String) {
    binary(id, value.utf8.filter { $0 != 0 })
  }

  package mutating func binary<Bytes: Collection<UInt8>>(_ id: EBMLID, _ value: Bytes) {
    bytes.append(contentsOf: EBMLBuilder.header(id, size: Int64(value.count)))
    bytes.append(contentsOf: value)
  }

  /// Appends an element whose children the closure appends (RFC 8794, 7.7).
  package mutating func master(
    _ id: EBMLID, _ body: (inout EBMLBuilder) throws -> Void
  ) rethrows {
    var inner = EBMLBuilder()
    try body(&inner)
    binary(id, inner.bytes)
  }

  /// Appends an unsigned integer where there is one.
  mutating func unsigned<Value: BinaryInteger>(_ id: EBMLID, ifAny value: Value?) {
    if let value { unsigned(id, value) }
  }

  /// Appends a floating-point number where there is one.
  mutating func float(_ id: EBMLID, ifAny value: Double?) {
    if let value { float(id, value) }
  }

  /// Appends a text where there is one.
  mutating func text(_ id: EBMLID, ifAny value: String?) {
    if let value { text(id, value) }
  }

  /// Identifier and size in front of a content of `size` bytes, which is written elsewhere.
  package static func header(_ id: EBMLID, size: Int64) -> [UInt8] {
    id.bytes + VariableInteger.bytes(UInt64(clamping: size))
  }

  /// Bytes of a whole element whose content has `size` bytes.
  package static func length(_ id: EBMLID, size: Int64) -> Int64 {
    Int64(id.bytes.count + VariableInteger.width(of: UInt64(clamping: size))) + size
  }

  /// An element without meaning that has `length` bytes in all, from 2 (RFC 8794, 11.3.2).
  package static func void(length: Int) -> [UInt8] {
    let length = max(2, length)
    // A size of one byte would make an element of 129 bytes, and one of two bytes one of at least 130.
    let width = length - 2 < 0x7F ? 1 : length < 1 << 14 ? 2 : VariableInteger.widest
    let content = length - 1 - width
    return EBMLID.void.bytes + VariableInteger.bytes(UInt64(content), width: width)
      + Array(repeating: 0, count: content)
  }
}

/// A part of a file that can't be written as it was given.
package struct MatroskaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Name of the element, e.g. `SimpleBlock`.
  package let element: String
  package let reason: String

  init(_ element: EBMLID, _ reason: String) {
    self.element = element.name
    self.reason = reason
  }

  package var description: String { "\(element) can't be written: \(reason)" }
}
