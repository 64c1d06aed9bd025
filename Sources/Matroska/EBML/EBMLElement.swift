// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// An element in memory, with its content (RFC 8794, 3).
package struct EBMLElement: Sendable, Equatable {
  /// The identifier with its length mark.
  package let id: UInt32
  /// The whole element: identifier, size and content.
  package let bytes: ArraySlice<UInt8>
  package let body: ArraySlice<UInt8>

  /// The element by its name; `nil` for one that isn't listed.
  package var known: EBMLID? { EBMLID(rawValue: id) }

  /// The whole element that `bytes` begin with; `nil` where it is cut, or its size isn't known.
  package init?(_ bytes: ArraySlice<UInt8>) {
    guard let head = EBMLHead(bytes), let size = head.size,
      size <= UInt64(bytes.count - head.length)
    else { return nil }
    id = head.id
    self.bytes = bytes.prefix(head.length + Int(size))
    body = self.bytes.dropFirst(head.length)
  }

  /// The elements in `bytes`, up to the first that is cut; Void and CRC-32 are left out.
  package static func all(in bytes: ArraySlice<UInt8>) -> [EBMLElement] {
    var rest = bytes
    var found: [EBMLElement] = []
    while let element = EBMLElement(rest), found.count < limit {
      rest = rest[element.bytes.endIndex...]
      if element.known != .void && element.known != .crc32 { found.append(element) }
    }
    return found
  }

  /// Elements of one level at most, so that a file of empty elements can't hold a reader up.
  static let limit = 1_000_000

  /// The elements inside, as ``all(in:)`` gives them.
  package var children: [EBMLElement] { EBMLElement.all(in: body) }

  /// The content as an unsigned integer, 0 where it is empty; `nil` for more than eight bytes.
  package var unsigned: UInt64? { body.count <= 8 ? body.bigEndian() : nil }

  /// The unsigned integer, at most 2^63 − 1.
  package var integer: Int64? { unsigned.map { Int64(clamping: $0) } }

  /// The content as a signed integer, 0 where it is empty; `nil` for more than eight bytes.
  package var signed: Int64? {
    guard body.count <= 8, let first = body.first else { return body.isEmpty ? 0 : nil }
    return body.reduce(first >= 0x80 ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  /// The content as a floating-point number of no, four or eight bytes (RFC 8794, 7.3); `nil` for other sizes, and where
  /// it isn't finite.
  package var float: Double? {
    let value: Double
    switch body.count {
    case 0: return 0
    case 4: value = Double(Float(bitPattern: body.bigEndian()))
    case 8: value = Double(bitPattern: body.bigEndian())
    default: return nil
    }
    return value.isFinite ? value : nil
  }

  /// The content as a text up to its first zero; bytes that aren't UTF-8 are replaced.
  package var text: String { String(decoding: body.prefix { $0 != 0 }, as: UTF8.self) }
}

extension [EBMLElement] {
  /// The first element of that name.
  package subscript(_ id: EBMLID) -> EBMLElement? { first { $0.id == id.rawValue } }

  /// All elements of that name.
  package func all(_ id: EBMLID) -> [EBMLElement] { filter { $0.id == id.rawValue } }

  /// Whether the flag of that name is set; `missing` where it isn't there.
  func isSet(_ id: EBMLID, missing: Bool = false) -> Bool {
    self[id]?.unsigned.map { $0 != 0 } ?? missing
  }
}

/// Identifier and size of an element, in front of its content.
struct EBMLHead: Equatable {
  /// Bytes that are enough for every head: four of an identifier (RFC 8794, 5) and eight of a size.
  static let longest = 12

  let id: UInt32
  /// Bytes of both.
  let length: Int
  /// Bytes of the content; `nil` where that isn't known (RFC 8794, 6.2).
  let size: UInt64?

  /// The head at the front of `bytes`; `nil` where none is.
  init?<Bytes: Collection<UInt8>>(_ bytes: Bytes) {
    guard let first = bytes.first else { return nil }
    let count = first.leadingZeroBitCount + 1
    guard count <= 4, let size = VariableInteger.parse(bytes.dropFirst(count)) else { return nil }
    id = bytes.prefix(count).bigEndian()
    length = count + size.width
    self.size = size.value
  }
}
