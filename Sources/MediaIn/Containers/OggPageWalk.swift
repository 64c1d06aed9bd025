import LibAV
import Platform

/// Walks through all pages of an Ogg file (RFC 3533, 6) and counts damaged pages, missing pages and
/// chained streams.
struct OggPageWalk {
  /// Pages whose checksum is wrong.
  private(set) var damagedPages = 0
  /// Bytes of the file that belong to no sound page.
  private(set) var strayBytes: Int64 = 0
  /// Pages that are missing by their sequence numbers, in all streams of sound.
  private(set) var missingPages = 0
  /// Whether pages are missing between the headers and the first sound.
  private(set) var isStartMissing = false
  /// Channels that the header of each stream of sound states, in the file's order; 0 for FLAC.
  private(set) var channels: [Int] = []

  private var next: [UInt32: UInt32] = [:]
  private var sounds: Set<UInt32> = []
  private var begun: Set<UInt32> = []

  private static let mark = Array("OggS".utf8)
  /// Bytes that are read at once.
  private static let step = 1 << 20
  /// Header, 255 sizes of segments, and 255 segments of 255 bytes.
  private static let longestPage = 27 + 255 + 255 * 255

  /// Reads the whole file.
  init(_ file: LocalFile) {
    var offset: Int64 = 0
    var bytes: [UInt8] = []
    var start: Int64 = 0
    while offset < file.size {
      if offset < start || Int(offset - start) + OggPageWalk.longestPage > bytes.count {
        start = offset
        bytes = file.bytes(at: start, count: OggPageWalk.step)
        guard !bytes.isEmpty else { return }
      }
      let place = Int(offset - start)
      if let length = page(bytes[place...]) {
        offset += Int64(length)
      } else {
        let skipped = Int64(OggPageWalk.distanceToMark(bytes[(place + 1)...]) + 1)
        offset += skipped
        strayBytes += skipped
      }
    }
  }

  /// Notes the page that `bytes` begins with. Answers its length; `nil` when no whole and intact page
  /// begins there.
  private mutating func page(_ bytes: ArraySlice<UInt8>) -> Int? {
    let base = bytes.startIndex
    guard bytes.count >= 27, bytes.starts(with: OggPageWalk.mark), bytes[base + 4] == 0 else {
      return nil
    }
    let table = 27 + Int(bytes[base + 26])
    guard bytes.count >= table else { return nil }
    let length = table + bytes[base + 27..<base + table].reduce(0) { $0 + Int($1) }
    guard bytes.count >= length else { return nil }
    let whole = bytes[base..<base + length]
    guard OggPageWalk.checksum(whole) == OggPageWalk.number(bytes, base + 22) else {
      damagedPages += 1
      return nil
    }
    follow(whole, payload: base + table)
    return length
  }

  /// Compares the page's sequence number with the one that is due in its stream.
  private mutating func follow(_ page: ArraySlice<UInt8>, payload: Int) {
    let base = page.startIndex
    let serial = OggPageWalk.number(page, base + 14)
    let number = OggPageWalk.number(page, base + 18)
    if page[base + 5] & 2 != 0 {
      if let count = OggPageWalk.soundChannels(page[payload...]) {
        channels.append(count)
        sounds.insert(serial)
      }
      next[serial] = number &+ 1
      return
    }
    if let due = next[serial], sounds.contains(serial), number != due {
      missingPages += Int(clamping: number > due ? number - due : 1)
      if !begun.contains(serial) { isStartMissing = true }
    }
    next[serial] = number &+ 1
    // The position of a page of headers is 0 (RFC 3533, 6; RFC 7845, 3).
    let position = OggPageWalk.number(page, base + 6) | OggPageWalk.number(page, base + 10)
    if position != 0 { begun.insert(serial) }
  }

  /// Channels in the header of Opus (RFC 7845, 5.1) or Vorbis I (4.2.2), 0 for FLAC; `nil` for anything
  /// else.
  private static func soundChannels(_ header: ArraySlice<UInt8>) -> Int? {
    if header.starts(with: Array("OpusHead".utf8)), header.count > 9 {
      return Int(header[header.startIndex + 9])
    }
    if header.starts(with: [1] + Array("vorbis".utf8)), header.count > 11 {
      return Int(header[header.startIndex + 11])
    }
    return header.starts(with: [0x7F] + Array("FLAC".utf8)) ? 0 : nil
  }

  private static func distanceToMark(_ bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == mark[0], bytes[index...].starts(with: mark) { break }
      index += 1
    }
    return index - bytes.startIndex
  }

  private static func number(_ bytes: ArraySlice<UInt8>, _ offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// CRC-32 with generator 0x04C11DB7, not reflected, over the page with its own field as zeros.
  private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    func add(_ bytes: ArraySlice<UInt8>) {
      bytes.withUnsafeBufferPointer { plain in
        for byte in plain { sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(byte))] }
      }
    }
    add(page.prefix(22))
    add([0, 0, 0, 0])
    add(page.dropFirst(26))
    return sum
  }

  private static let table: [UInt32] = (0..<256).map { value in
    (0..<8).reduce(UInt32(value) << 24) { sum, _ in
      sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
    }
  }
}
