// SPDX-License-Identifier: Apache-2.0
import Platform

/// A stream of sound in an Ogg file that isn't a chain: how it begins and ends.
struct OggStream {
  /// Number of the stream in its pages.
  let serial: UInt32
  /// Its first packet.
  let head: OggHead
  /// Position at its end by the last page that states one; `nil` where the pages before contradict it.
  let end: Int64?
  /// Samples that it is decoded to, up to its end, start-up included; `nil` where the pages don't state them.
  private(set) var samples: Int64?

  /// The stream number `index` of `file`, counted by first pages; `nil` where that is no sound of a known kind.
  init?(_ file: LocalFile, index: Int) {
    guard OggLinks.ranges(in: file).count == 1 else { return nil }
    var pages = OggPages(file, step: 0)
    var first: OggPage?
    for _ in 0...index {
      first = pages.next()
      guard first?.isFirst == true else { return nil }
    }
    guard let first, let head = OggHead(first.payload) else { return nil }
    if head.mapping == .speex, head.packetSamples == 0 { return nil }
    (self.head, serial) = (head, first.serial)
    end = OggStream.end(of: first.serial, in: file)
    var packets = OggPackets(self, in: file)
    guard let end, let start = packets.read()?.position, end - start > head.preSkip else { return }
    samples = end - start - head.preSkip
    // An encoder that wasn't flushed leaves out what the decoder's delay holds back.
    guard packets.delay > 0 else { return }
    samples = min(end - start, OggStream.held(OggPackets(self, in: file)))
  }

  /// Samples that all of `packets` are decoded to.
  private static func held(_ packets: OggPackets) -> Int64 {
    var (packets, samples) = (packets, Int64(0))
    while let packet = packets.read() { samples += Int64(packet.samples) }
    return samples
  }

  /// The last position that a page of stream `serial` states.
  private static func end(of serial: UInt32, in file: LocalFile) -> Int64? {
    var length = Int64(OggPage.tail)
    while true {
      let start = max(0, file.size - length)
      var pages = OggPages(file, from: start)
      var last: [Int64] = []
      while let page = pages.next() {
        guard page.serial == serial, page.hasBegun, let position = page.position else { continue }
        last = last.suffix(2) + [position]
      }
      if let end = last.last, last.count == 3 || start == 0 {
        // Samples are left out at the end of the last two pages at most.
        return last.count == 3 && end < last[0] ? nil : end
      }
      guard start > 0 else { return nil }
      length *= 8
    }
  }
}

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
