// SPDX-License-Identifier: Apache-2.0
import AudioCore
import LibAV
import Platform
import Signal

/// Reads the pages of an Ogg file one after the other, and passes over what is no intact page.
struct OggPages {
  /// Pages whose checksum is wrong, so far.
  private(set) var damaged = 0
  /// Bytes so far that belong to no intact page.
  private(set) var stray: Int64 = 0
  /// Byte at which the last page begins.
  private(set) var place: Int64 = 0

  private let file: LocalFile
  /// Bytes that are read at once.
  private let step: Int
  private var offset: Int64
  /// Bytes of the file from `start` on.
  private var bytes: [UInt8] = []
  private var start: Int64 = 0

  /// Reads `file` from byte `offset` on.
  init(_ file: LocalFile, from offset: Int64 = 0, step: Int = 1 << 20) {
    self.file = file
    self.offset = offset
    self.step = max(step, OggPage.longest)
  }

  /// The next intact page; `nil` at the end of the file.
  mutating func next() -> OggPage? {
    while offset < file.size {
      fill()
      guard bytes.count > Int(offset - start) else { return nil }
      let rest = bytes[Int(offset - start)...]
      switch OggPage.find(rest) {
      case .page(let page):
        place = offset
        offset += Int64(page.length)
        return page
      case .damaged: damaged += 1
      case .nothing: break
      }
      let skipped = Int64(OggPage.distanceToMark(rest.dropFirst()) + 1)
      offset += skipped
      stray += skipped
    }
    return nil
  }

  /// Reads on where a page that begins at `offset` may reach beyond the bytes at hand.
  private mutating func fill() {
    let end = start + Int64(bytes.count)
    let isEnough = end >= min(file.size, offset + Int64(OggPage.longest))
    guard bytes.isEmpty || !isEnough else { return }
    start = offset
    bytes = file.bytes(at: start, count: step)
  }
}

/// An intact page of an Ogg file (RFC 3533, 6).
struct OggPage {
  /// The thing that begins at a place of a file.
  enum Finding {
    /// A whole page whose checksum is right.
    case page(OggPage)
    /// A whole page whose checksum is wrong.
    case damaged
    /// No page, or less than one.
    case nothing
  }

  /// The bytes that every page begins with.
  static let mark: [UInt8] = Array("OggS".utf8)
  /// Header, 255 sizes of segments, and 255 segments of 255 bytes.
  static let longest = 27 + 255 + 255 * 255
  /// Bytes from the end that are searched for the last page: twice the longest page.
  static let tail = 128 * 1024
  /// Positions from here on (hundreds of thousands of years) are garbage.
  private static let farthest: Int64 = 1 << 60

  private let bytes: ArraySlice<UInt8>

  /// Bytes of the whole page.
  var length: Int { bytes.count }
  /// Whether it begins with the rest of a packet.
  var isContinued: Bool { flags & 1 != 0 }
  /// Whether its stream begins with it.
  var isFirst: Bool { flags & 2 != 0 }
  /// Whether its stream ends with it.
  var isLast: Bool { flags & 4 != 0 }
  /// Whether it states a position other than 0, which pages of headers have (RFC 3533, 6; RFC 7845, 3).
  var hasBegun: Bool { number(6) | number(10) != 0 }
  /// Position of the last packet that it completes; `nil` where it states none.
  var position: Int64? {
    let value = Int64(bitPattern: UInt64(number(10)) << 32 | UInt64(number(6)))
    return (0..<OggPage.farthest).contains(value) ? value : nil
  }
  /// Number of its stream.
  var serial: UInt32 { number(14) }
  /// Its number in the stream.
  var sequence: UInt32 { number(18) }
  /// Sizes of its segments; one below 255 ends a packet.
  var segments: ArraySlice<UInt8> { bytes.dropFirst(27).prefix(Int(bytes[bytes.startIndex + 26])) }
  /// The bytes that the segments hold.
  var payload: ArraySlice<UInt8> { bytes.dropFirst(27 + segments.count) }

  private var flags: UInt8 { bytes[bytes.startIndex + 5] }

  /// Finding at the beginning of `bytes`.
  static func find(_ bytes: ArraySlice<UInt8>) -> Finding {
    guard let length = length(bytes) else { return .nothing }
    let page = OggPage(bytes: bytes.prefix(length))
    return checksum(page.bytes) == page.number(22) ? .page(page) : .damaged
  }

  /// Whether a file that ends in `bytes` is cut. A complete file's last complete page is marked as its
  /// stream's last, and no other page begins after it.
  static func isCut(_ bytes: [UInt8]) -> Bool {
    var start = bytes.count - 27
    while start >= 0 {
      if bytes[start] == mark[0], let length = length(bytes[start...]) {
        let rest = bytes[(start + length)...]
        let isBegun = distanceToMark(rest) < rest.count || !rest.isEmpty && mark.starts(with: rest)
        return bytes[start + 5] & 4 == 0 || isBegun
      }
      start -= 1
    }
    return true
  }

  /// Bytes before the first mark; all of them where there is none.
  static func distanceToMark(_ bytes: ArraySlice<UInt8>) -> Int {
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == mark[0], bytes[index...].starts(with: mark) { break }
      index += 1
    }
    return index - bytes.startIndex
  }

  /// Length of the page that `bytes` begin with; `nil` where they hold no whole one.
  private static func length(_ bytes: ArraySlice<UInt8>) -> Int? {
    let base = bytes.startIndex
    guard bytes.count >= 27, bytes.starts(with: mark), bytes[base + 4] == 0 else { return nil }
    let table = 27 + Int(bytes[base + 26])
    guard bytes.count >= table else { return nil }
    let length = table + bytes[base + 27..<base + table].reduce(0) { $0 + Int($1) }
    return bytes.count >= length ? length : nil
  }

  private func number(_ offset: Int) -> UInt32 {
    let place = bytes.startIndex + offset
    return bytes[place..<place + 4].littleEndian()
  }

  /// The checksum of the page with its own field as zeros.
  private static func checksum(_ page: ArraySlice<UInt8>) -> UInt32 {
    let head = Checksums.oggPage.of([0, 0, 0, 0], from: Checksums.oggPage.of(page.prefix(22)))
    return Checksums.oggPage.of(page.dropFirst(26), from: head)
  }
}

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

  /// Reads the whole file.
  init(_ file: LocalFile) {
    var pages = OggPages(file)
    while let page = pages.next() { follow(page) }
    (damagedPages, strayBytes) = (pages.damaged, pages.stray)
  }

  /// Compares the page's sequence number with the one that is due in its stream.
  private mutating func follow(_ page: OggPage) {
    let (serial, number) = (page.serial, page.sequence)
    defer { next[serial] = number &+ 1 }
    if page.isFirst {
      guard let head = OggHead(page.payload) else { return }
      channels.append(head.channels)
      sounds.insert(serial)
      return
    }
    if let due = next[serial], sounds.contains(serial), number != due {
      missingPages += Int(clamping: number > due ? number - due : 1)
      if !begun.contains(serial) { isStartMissing = true }
    }
    if page.hasBegun { begun.insert(serial) }
  }
}
