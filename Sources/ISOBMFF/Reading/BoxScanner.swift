// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Walks the boxes of one level without reading their payloads.
package struct BoxScanner {
  /// Boxes visited on one level at most, so that a file of empty boxes can't hold the reader up.
  static let limit = 100_000

  /// Boxes looked through for one type inside a parent; real ones have a few dozen. Searches are
  /// repeated for every track, so that the bound is tighter.
  static let searchLimit = 4096

  private let source: ByteSource

  /// A scanner over `source`.
  package init(_ source: ByteSource) { self.source = source }

  /// The boxes between two offsets, in order; stops at the first malformed header.
  package func boxes(from start: Int64 = 0, to end: Int64? = nil) -> [BoxHeader] {
    boxes(from: start, to: end, atMost: BoxScanner.limit)
  }

  private func boxes(from start: Int64, to end: Int64?, atMost limit: Int) -> [BoxHeader] {
    let end = min(end ?? source.size, source.size)
    var result: [BoxHeader] = []
    var offset = start
    while offset + 8 <= end, result.count < limit, let box = box(at: offset, before: end) {
      result.append(box)
      offset = box.end
    }
    return result
  }

  /// The first box along a path of types below `parent`.
  package func first(_ path: [String], in parent: BoxHeader) -> BoxHeader? {
    var current = parent
    for type in path {
      let children = boxes(
        from: current.payload, to: current.end, atMost: BoxScanner.searchLimit)
      guard let next = children.first(where: { $0.type == type }) else { return nil }
      current = next
    }
    return current
  }

  /// Up to `limit` payload bytes of a box.
  package func payload(_ box: BoxHeader, limit: Int = 1 << 20) -> [UInt8] {
    source.bytes(at: box.payload, count: min(limit, box.payloadSize))
  }

  /// The box that begins at `offset` inside a parent or file that ends at `end`; `nil` when its
  /// header is malformed.
  package func box(at offset: Int64, before end: Int64) -> BoxHeader? {
    guard offset >= 0, offset < end, offset <= Int64.max - 16 else { return nil }
    let head = source.bytes(at: offset, count: 16)
    guard head.count >= 8 else { return nil }
    var size = Int64(head.bigEndian32(at: 0))
    var payload = offset + 8
    let isOpen = size == 0
    if size == 1 {
      guard head.count == 16 else { return nil }
      let large = head.bigEndian64(at: 8)
      guard large <= UInt64(Int64.max) else { return nil }
      size = Int64(large)
      payload = offset + 16
    } else if size == 0 {
      size = end - offset
    }
    guard size >= payload - offset, payload <= end else { return nil }
    let (claimed, overflow) = offset.addingReportingOverflow(size)
    let type = String(decoding: head[4..<8], as: UTF8.self)
    let isTruncated = overflow || claimed > end
    return BoxHeader(
      type: type, payload: payload, end: isTruncated ? end : claimed, isTruncated: isTruncated,
      isOpen: isOpen)
  }
}

/// Type and extent of one box (ISO/IEC 14496-12, 4.2).
package struct BoxHeader: Sendable, Equatable {
  /// Four-character type.
  package let type: String
  /// Offset of the first payload byte.
  package let payload: Int64
  /// Offset after the last payload byte, never beyond the parent's end.
  package let end: Int64
  /// Whether the box claims to reach beyond its parent.
  package let isTruncated: Bool
  /// Whether the box states no size and lasts to the end of its parent.
  package var isOpen = false

  /// The type for people: a damaged file may have any bytes there.
  package var shownType: String {
    let isPlain = type.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    return isPlain ? type : "(a type of bytes that are no text)"
  }

  /// Bytes of payload.
  package var payloadSize: Int { Int(end - payload) }
}
