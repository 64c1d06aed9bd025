import Platform

/// The links of a chained Ogg file: streams, or groups of streams, one after the other (RFC 3533, 4).
enum OggLinks {
  /// Places at which a long file is asked whether it may be a chain.
  private static let probes: Int64 = 16
  /// A file up to this many bytes is read as a whole.
  private static let short: Int64 = 4 << 20

  /// The bytes of each link of `file`; a single range where it is no chain.
  static func ranges(in file: LocalFile) -> [Range<Int64>] {
    guard file.bytes(at: 0, count: 4) == OggPage.mark, file.size <= short || !isOneLink(file) else {
      return [0..<file.size]
    }
    var pages = OggPages(file)
    var starts: [Int64] = [0]
    var hasBegun = false
    while let page = pages.next() {
      // All streams of a link begin before the first of them goes on. Headers may be there twice.
      if page.isFirst, hasBegun {
        starts.append(pages.place)
        hasBegun = false
      }
      hasBegun = hasBegun || page.position.map { $0 > 0 } ?? false
    }
    // Headers alone, where a recording was stopped, are no link.
    if !hasBegun, starts.count > 1 { starts.removeLast() }
    return zip(starts, starts.dropFirst() + [file.size]).map { $0..<$1 }
  }

  /// Whether pages all over the file belong to the streams that begin it, and their numbers grow.
  private static func isOneLink(_ file: LocalFile) -> Bool {
    var numbers: [UInt32: UInt32] = [:]
    var pages = OggPages(file, step: 0)
    while let page = pages.next(), page.isFirst { numbers[page.serial] = page.sequence }
    for probe in 1...probes {
      let place = probe < probes ? file.size / probes * probe : file.size - Int64(OggPage.tail)
      var pages = OggPages(file, from: place, step: 0)
      guard let page = pages.next() else { continue }
      guard let before = numbers[page.serial], page.sequence > before, !page.isFirst else {
        return false
      }
      numbers[page.serial] = page.sequence
    }
    return true
  }
}
