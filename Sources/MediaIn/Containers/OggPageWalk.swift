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
