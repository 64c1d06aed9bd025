// SPDX-License-Identifier: Apache-2.0
@testable import MediaIn

/// The bytes are pages of Ogg.
func fuzzOgg(_ bytes: [UInt8]) {
  let isCut = OggPage.isCut(bytes)
  guard let file = FuzzInput.file(bytes) else { return }
  let walk = OggPageWalk(file)
  demand((0...Int64(bytes.count)).contains(walk.strayBytes), "stray bytes are in the file")
  demand(
    walk.damagedPages >= 0 && walk.damagedPages * 4 <= bytes.count, "a damaged page has a mark")
  demand(walk.missingPages >= 0, "the number of missing pages isn't negative")
  demand(walk.channels.count * 27 <= bytes.count, "a stream has a page")
  demand(isCut || !bytes.isEmpty, "an empty file is cut")
  let links = OggLinks.ranges(in: file)
  demand(links.first?.lowerBound == 0 && links.last?.upperBound == file.size, "links are the file")
  demand(
    zip(links, links.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound },
    "a link begins where the one before ends")
  for index in 0..<2 {
    guard let stream = OggStream(file, index: index) else { continue }
    demand(stream.samples ?? 1 > 0, "a stream has samples")
    if let tags = VorbisComments.ogg(file, stream) {
      demand(tags.entries.count * 6 <= bytes.count, "a comment has a length, a name and a value")
    }
    var packets = OggPackets(stream, in: file)
    var read = 0
    while let packet = packets.read() {
      read += packet.data.count
      demand(packet.samples >= 0, "a packet isn't shorter than nothing")
      demand(packet.position?.magnitude ?? 0 < 1 << 61, "positions leave room for sums")
    }
    demand(read <= bytes.count, "packets are bytes of the file")
    demand(packets.limit ?? 0 >= 0, "the end isn't before the beginning")
  }
}
