// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform

/// Pages of Ogg (RFC 3533, 6), as far as the headers of a stream need them.
enum OggPages {
  /// Bytes of a header packet that are read at most; pictures in comments make it large.
  private static let largest = 1 << 26

  /// Size of the page that `bytes` begin with, and what is there of its first packet; `nil` where there is no page.
  static func first(_ bytes: [UInt8]) -> (size: Int, packet: ArraySlice<UInt8>)? {
    guard bytes.count >= 27, bytes.starts(with: "OggS".utf8), bytes[4] == 0 else { return nil }
    let count = Int(bytes[26])
    guard bytes.count >= 27 + count else { return nil }
    let lacing = bytes[27..<27 + count]
    let size = 27 + count + lacing.reduce(0) { $0 + Int($1) }
    guard size <= bytes.count else { return nil }
    // A segment of 255 bytes goes on with the next one.
    let full = lacing.prefix { $0 == 255 }.count
    let length = lacing.prefix(full + 1).reduce(0) { $0 + Int($1) }
    return (size, bytes[(27 + count)..<(27 + count + length)])
  }

  /// The packet `index` of the stream that a file begins with, from 0 on; `nil` where it isn't whole.
  static func packet(_ index: Int, of file: LocalFile) -> [UInt8]? {
    var (place, number) = (Int64(0), 0)
    var packet: [UInt8] = []
    while place < file.size {
      let head = file.bytes(at: place, count: 27 + 255)
      guard head.count >= 27, head.starts(with: "OggS".utf8) else { return nil }
      let count = Int(head[26])
      guard head.count >= 27 + count else { return nil }
      place += Int64(27 + count)
      for segment in head[27..<27 + count] {
        if number == index { packet += file.bytes(at: place, count: Int(segment)) }
        place += Int64(segment)
        guard segment < 255 else { continue }
        if number == index { return packet }
        number += 1
      }
      guard packet.count <= largest else { return nil }
    }
    return nil
  }

  /// Whether another stream follows the one that a file begins with: its last page has another serial number.
  static func isChain(_ file: LocalFile) -> Bool {
    let largestPage = 27 + 255 + 255 * 255
    let first = file.bytes(at: 0, count: 18)
    let start = max(0, file.size - Int64(largestPage))
    let tail = file.bytes(at: start, count: largestPage)
    let mark = Array("OggS".utf8)
    for place in tail.indices.reversed() where tail[place] == mark[0] {
      guard place + 18 <= tail.count, tail[place..<place + 4].elementsEqual(mark) else { continue }
      return first.count == 18 && tail[place + 14..<place + 18] != first[14..<18]
    }
    return false
  }

  /// Output gain of Opus (RFC 7845, 5.1), in dB; `nil` for other streams.
  static func outputGain(_ file: LocalFile) -> Double? {
    guard let header = packet(0, of: file), header.count >= 18,
      header.starts(with: "OpusHead".utf8)
    else { return nil }
    return Double(Int16(bitPattern: header.littleEndian(at: 16))) / 256
  }
}
