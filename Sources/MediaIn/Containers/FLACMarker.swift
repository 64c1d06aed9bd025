import Platform

/// The beginning of a FLAC file behind bytes that are no part of it.
enum FLACMarker {
  /// Markers that are followed, and metadata blocks behind each; a hostile file may hold nothing else.
  private static let (mostMarkers, mostBlocks) = (16, 128)
  /// The marker (RFC 9639, 6) and the head of the stream information, which is the first block and has 34 bytes.
  private static let (marker, firstSize): ([UInt8], [UInt8]) = (Array("fLaC".utf8), [0, 0, 34])

  /// The bytes between the ID3v2 tags at the beginning and the marker, or these tags, of which libavformat passes over one
  /// alone; `nil` when the marker stands at the beginning, or none that leads to a frame within ``MP3Frames/longestJunk``
  /// bytes.
  static func junk(in file: LocalFile) -> Range<Int64>? {
    let start = ID3Tag.length(in: file)
    let bytes = file.bytes(at: start, count: MP3Frames.longestJunk + 8)
    if start > 0, isMarker(bytes[...]), leadsToFrame(start, in: file) { return 0..<start }
    let places = bytes.indices.dropFirst().lazy.filter { isMarker(bytes[$0...]) }
    let found = places.prefix(mostMarkers).first { leadsToFrame(start + Int64($0), in: file) }
    return found.map { start..<start + Int64($0) }
  }

  private static func isMarker(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 8, bytes.first == marker[0], bytes.starts(with: marker) else {
      return false
    }
    let head = bytes.dropFirst(4)
    return head.first.map { $0 & 0x7F == 0 } == true && head.dropFirst().starts(with: firstSize)
  }

  /// Whether the metadata blocks behind the marker at `place` end where a frame begins. In Ogg and Matroska, which hold
  /// the same header, they don't.
  private static func leadsToFrame(_ place: Int64, in file: LocalFile) -> Bool {
    var offset = place + 4
    for _ in 0..<mostBlocks {
      let head = file.bytes(at: offset, count: 4)
      guard head.count == 4, head[0] & 0x7F < 127 else { return false }
      offset += 4 + head[1...].reduce(0 as Int64) { $0 << 8 | Int64($1) }
      guard head[0] & 0x80 != 0 else { continue }
      // The sync code, and the bit of the blocking strategy (RFC 9639, 9.1).
      let sync = file.bytes(at: offset, count: 2)
      return sync.count == 2 && sync[0] == 0xFF && sync[1] & 0xFE == 0xF8
    }
    return false
  }
}
