// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// Finds elements in a file without reading their contents.
package struct EBMLScanner {
  private let window: SourceWindow
  /// Bytes of the file.
  package let size: Int64

  package init(_ source: ByteSource) {
    window = SourceWindow(source)
    size = source.size
  }

  /// The element that begins at `offset` inside a parent that ends at `end`.
  /// - Throws: ``MatroskaFinding``, `truncated` where the file's end cuts it, `malformedElement` where none is there, or it is
  ///   larger than its parent.
  package func element(at offset: Int64, before end: Int64) throws(MatroskaFinding)
    -> EBMLPlace
  {
    let place = try cutElement(at: offset, before: end)
    if let finding = cut(place) { throw finding }
    guard !place.isOpen || place.known == .segment || place.known == .cluster else {
      throw MatroskaFinding(
        .malformedElement, at: offset, "\(EBMLID.name(place.id)) states no size")
    }
    return place
  }

  /// The element that begins there, whose end is its parent's where it is larger; ``cut(_:)`` then names the fault.
  func cutElement(at offset: Int64, before end: Int64) throws(MatroskaFinding) -> EBMLPlace {
    let head = window.bytes(at: offset, count: Int(min(Int64(EBMLHead.longest), end - offset)))
    guard let parsed = EBMLHead(head) else {
      // A first byte below 16 is the beginning of no identifier, however many bytes follow.
      let isCut = head.first.map { $0 >= 0x10 } ?? true
      throw MatroskaFinding(
        isCut && end >= size ? .truncated : .malformedElement, at: offset,
        "no element begins with these \(head.count) bytes")
    }
    let body = offset + Int64(parsed.length)
    let isCut = parsed.size.map { $0 > UInt64(end - body) } ?? false
    return EBMLPlace(
      id: parsed.id, offset: offset, body: body,
      end: isCut ? end : parsed.size.map { body + Int64($0) } ?? end, isOpen: parsed.size == nil,
      isCut: isCut)
  }

  /// The fault of an element that ends with its parent because it is too large; `nil` for others.
  func cut(_ place: EBMLPlace) -> MatroskaFinding? {
    guard place.isCut else { return nil }
    return MatroskaFinding(
      place.end >= size ? .truncated : .malformedElement, at: place.offset,
      "\(EBMLID.name(place.id)) reaches beyond \(place.end), where its parent ends")
  }

  /// The content of an element of at most `limit` bytes, without the first `skipped` ones, of which it has as many.
  /// - Throws: ``MatroskaFinding``, `tooLarge` or `truncated`.
  package func content(
    _ place: EBMLPlace, skipping skipped: Int = 0, limit: Int
  ) throws(MatroskaFinding) -> [UInt8] {
    try bytes(from: place.body + Int64(skipped), to: place.end, limit: limit, of: place)
  }

  /// An element with its head, of at most `limit` bytes.
  /// - Throws: as ``content(_:limit:)``.
  package func whole(_ place: EBMLPlace, limit: Int) throws(MatroskaFinding) -> [UInt8] {
    try bytes(from: place.offset, to: place.end, limit: limit, of: place)
  }

  /// The first bytes of an element's content.
  func front(_ place: EBMLPlace, count: Int) -> [UInt8] {
    window.bytes(at: place.body, count: Int(min(Int64(count), place.size)))
  }

  private func bytes(from start: Int64, to end: Int64, limit: Int, of place: EBMLPlace)
    throws(MatroskaFinding) -> [UInt8]
  {
    guard end - start <= Int64(limit) else {
      throw MatroskaFinding(
        .tooLarge, at: place.offset,
        "\(EBMLID.name(place.id)) has \(end - start) bytes, more than \(limit)")
    }
    let bytes = window.bytes(at: start, count: Int(end - start))
    guard bytes.count == Int(end - start) else {
      throw MatroskaFinding(
        .truncated, at: place.offset, "\(EBMLID.name(place.id)) can't be read to its end")
    }
    return bytes
  }
}

/// Identifier and extent of an element in a file.
package struct EBMLPlace: Sendable, Equatable {
  /// The identifier with its length mark.
  package let id: UInt32
  package let offset: Int64
  /// Offset of the first byte of its content.
  package let body: Int64
  /// Offset after its content; the end of its parent where it states no size.
  package let end: Int64
  /// Whether it states no size (RFC 8794, 6.2).
  package let isOpen: Bool
  /// Whether it states a larger size than its parent has room for.
  package let isCut: Bool

  /// The element by its name; `nil` for one that isn't listed.
  package var known: EBMLID? { EBMLID(rawValue: id) }
  package var size: Int64 { end - body }
}

/// Reads a file in pieces, so that heads that follow each other cost one read, and far ones a short one each.
private final class SourceWindow {
  /// Bytes of a piece behind a jump: a head, and the small elements that often follow it.
  private static let least = 1 << 9
  /// Bytes of a piece at most, where pieces follow each other.
  private static let most = 1 << 16

  private let source: ByteSource
  private var start: Int64 = 0
  private var held: [UInt8] = []
  private var piece = least

  init(_ source: ByteSource) { self.source = source }

  /// Up to `count` bytes at `offset`; fewer only at the end.
  func bytes(at offset: Int64, count: Int) -> [UInt8] {
    guard count > 0, offset >= 0, offset < source.size else { return [] }
    // A large content is read at once, and the piece that is held stays for what follows it.
    guard count < SourceWindow.most / 2 else { return source.bytes(at: offset, count: count) }
    let count = Int(min(Int64(count), source.size - offset))
    let end = start + Int64(held.count)
    if offset < start || offset + Int64(count) > end {
      let follows = offset >= start && offset <= end
      piece = follows ? min(piece * 4, SourceWindow.most) : SourceWindow.least
      held = source.bytes(at: offset, count: max(piece, count))
      start = offset
    }
    let place = Int(offset - start)
    guard place < held.count else { return [] }
    return Array(held[place..<min(held.count, place + count)])
  }
}
