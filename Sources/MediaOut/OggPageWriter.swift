import LibAV

/// Puts the packets of one stream into pages of Ogg (RFC 3533, 6).
struct OggPageWriter {
  /// Segments of a page at most.
  private static let mostSegments = 255
  /// Number of the stream.
  private static let serial: UInt32 = 0

  /// Ticks of the stream after which a page ends.
  private let longest: Int64
  private var sequence: UInt32 = 0
  private var segments: [UInt8] = []
  private var payload: [UInt8] = []
  /// Whether the page begins with the rest of a packet.
  private var isContinued = false
  /// Position of the last packet that the page completes; `nil` where it completes none.
  private var position: Int64?
  /// Position at which the page begins.
  private var start: Int64 = 0

  /// Pages of about `longest` ticks.
  init(longest: Int64) { self.longest = longest }

  /// Adds a packet that ends at `end`; the pages that are complete now.
  mutating func add(_ packet: [UInt8], end: Int64) -> [UInt8] {
    var pages: [UInt8] = []
    // The page before is written only now, so that the last one is never empty.
    if let position, position - start >= longest || end - start > longest {
      pages += page(isLast: false)
    }
    var rest = packet[...]
    while true {
      if segments.count == OggPageWriter.mostSegments {
        pages += page(isLast: false)
        isContinued = rest.count < packet.count
      }
      let piece = rest.prefix(255)
      segments.append(UInt8(piece.count))
      payload += piece
      rest = rest.dropFirst(piece.count)
      // A packet ends with a segment below 255, which may be empty.
      if piece.count < 255 { break }
    }
    position = end
    return pages
  }

  /// Ends the page, which begins or ends the stream or holds headers that nothing may follow.
  mutating func page(isLast: Bool) -> [UInt8] {
    let flags: UInt8 = (isContinued ? 1 : 0) | (sequence == 0 ? 2 : 0) | (isLast ? 4 : 0)
    var bytes = Array("OggS".utf8) + [0, flags]
    // A page that completes no packet says so by −1; an empty one ends where the stream did.
    bytes +=
      LittleEndianBytes.of(position ?? (segments.isEmpty ? start : -1))
      + LittleEndianBytes.of(OggPageWriter.serial)
    bytes += LittleEndianBytes.of(sequence) + [0, 0, 0, 0, UInt8(segments.count)]
    bytes += segments + payload
    bytes.replaceSubrange(22..<26, with: LittleEndianBytes.of(PlainCRC.of(bytes)))
    start = position ?? start
    sequence += 1
    (segments, payload, isContinued, position) = ([], [], false, nil)
    return bytes
  }
}
