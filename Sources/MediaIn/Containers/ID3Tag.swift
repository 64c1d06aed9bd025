// SPDX-License-Identifier: Apache-2.0
import Platform

/// ID3v2 tags (id3.org, ID3v2.4.0, 3.1), which begin MP3 files and the segments of packed audio.
enum ID3Tag {
  /// Tags that are walked over; a hostile file may consist of nothing else.
  private static let limit = 64

  /// Bytes of the tags at the beginning of `file`; 0 without any.
  static func length(in file: LocalFile) -> Int64 {
    var offset: Int64 = 0
    for _ in 0..<limit {
      guard let size = size(of: file.bytes(at: offset, count: 10)) else { break }
      offset += size
    }
    return min(offset, file.size)
  }

  /// Bytes of the tag with this header; `nil` when it is none.
  static func size(of header: [UInt8]) -> Int64? {
    guard header.count == 10, header.starts(with: Array("ID3".utf8)), header[3] < 0xFF,
      header[4] < 0xFF, header[6..<10].allSatisfy({ $0 < 0x80 })
    else { return nil }
    let payload = header[6..<10].reduce(0 as Int64) { $0 << 7 | Int64($1) }
    return payload + (header[5] & 0x10 == 0 ? 10 : 20)
  }
}
