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
