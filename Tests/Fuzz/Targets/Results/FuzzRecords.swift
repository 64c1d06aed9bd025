// SPDX-License-Identifier: Apache-2.0
import PlayQueue

@testable import Rendering

/// The first byte chooses a file of the cache: a segment's header, the digests of files, or what a run noted of a queue.
/// Checksums are put right, so that damage reaches the fields.
func fuzzRecords(_ bytes: [UInt8]) {
  guard let choice = bytes.first else { return }
  let content = Array(bytes.dropFirst())
  switch choice % 3 {
  case 0: fuzzHeader(content)
  case 1: fuzzMemo(content)
  default:
    guard let record = QueueRecord.read(content) else { return }
    checkWriting(record)
    let same = QueueDiff(from: record.placed, to: record.placed)
    demand(same.changes.isEmpty, "a queue doesn't differ from itself")
    var other = record
    other.queue.items.reverse()
    _ = QueueDiff(
      from: record.placed, to: other.placed, reach: QueueDiff.Reach(head: 100, tail: 1 << 48))
  }
}

/// Eight bytes with the checksum of `bytes`, the lowest first.
private func sum(_ bytes: [UInt8]) -> [UInt8] {
  withUnsafeBytes(of: XXH64.of(bytes).littleEndian) { Array($0) }
}

private func fuzzHeader(_ bytes: [UInt8]) {
  var feed = ByteFeed(bytes)
  let size = feed.number()
  let fields = feed.rest.prefix(32)
  guard fields.count == 32 else { return }
  let key = SegmentKey(text: String(repeating: "0a", count: 32))
  var content = Array("PinnaSeg".utf8) + fields + Array(key.text.utf8)
  content += sum(content)
  // The size of the file has to be the stated one, so that most inputs need it given.
  for size in [size, stated(content)] {
    guard let header = SegmentHeader(content, key, fileSize: size) else { continue }
    demand(header.bytes == content, "a header is written as it was read")
    demand(header.place(of: header.chunks) == size, "the file has the stated size")
    demand((0...header.frames).contains(header.head), "the head is a part of the segment")
    demand(header.length(of: header.chunks) == 0, "nothing lies behind the last chunk")
  }
}

/// The size of a file with this header as far as that can be computed.
private func stated(_ bytes: [UInt8]) -> Int64 {
  func number(_ offset: Int, _ count: Int) -> Int64 {
    bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
  }
  let (channels, frames) = (number(12, 4) & 0xFFFF, number(32, 8) & ((1 << 40) - 1))
  return 112 + frames * 4 * channels + 8 * ((frames + 32767) / 32768)
}

private func fuzzMemo(_ bytes: [UInt8]) {
  var content = Array("PinnaDig".utf8) + bytes
  content += sum(content)
  let entries = DigestMemo.entries(content)
  demand(entries.isEmpty || DigestMemo.bytes(entries) == content, "digests are written as read")
  demand(entries.count * 64 <= bytes.count, "a digest has 64 digits")
}
