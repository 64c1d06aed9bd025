import Platform

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
