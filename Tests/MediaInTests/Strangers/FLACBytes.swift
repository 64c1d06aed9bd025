// SPDX-License-Identifier: Apache-2.0
import Foundation
import Platform

/// Writes bare FLAC streams of verbatim subframes, so that a test decides on each field of the header (RFC 9639).
struct FLACBytes {
  /// Bits of a sample: 8, 12, 16, 20 or 24.
  var bits = 16
  /// Interleaved samples of two channels.
  var samples: [Int]
  /// Samples of each block.
  var blocks: [Int]
  /// Shortest and longest block by the header; `nil` for the true ones.
  var stated: (least: Int, greatest: Int)?
  /// Samples by the header; `nil` for the true number.
  var total: Int?
  /// The number of each block; `nil` for its place among the blocks.
  var numbers: [Int]?
  /// Whether blocks say that they are numbered by samples.
  var countsSamples = false
  /// MD5 by the header; `nil` for the true one.
  var md5: [UInt8]?
  /// Blocks that are left out.
  var lost: Set<Int> = []

  /// A ramp that no two places of share, in blocks of these sizes.
  init(blocks: [Int], bits: Int = 16) {
    self.blocks = blocks
    self.bits = bits
    let range = 1 << bits
    samples = (0..<2 * blocks.reduce(0, +)).map { ($0 * 7919) % range - range / 2 }
  }

  /// The samples of both channels as floats.
  var planes: [[Float]] {
    (0..<2).map { channel in
      stride(from: channel, to: samples.count, by: 2).map {
        Float(samples[$0]) / Float(1 << (bits - 1))
      }
    }
  }

  /// The samples of the left channel as floats.
  var left: [Float] { planes[0] }

  /// The whole file.
  var file: Data {
    var bytes = Data("fLaC".utf8) + [0x80, 0, 0, 34] + header
    var place = 0
    for (index, size) in blocks.enumerated() {
      defer { place += size }
      guard !lost.contains(index) else { continue }
      bytes += frame(place..<place + size, number: numbers?[index] ?? index)
    }
    return bytes
  }

  /// A whole file of frames of 4096 samples in mono with 8 bits, of which each has but one value, from 1 on.
  static func constant(frames: Int) -> Data {
    var writer = BitBytes()
    for (value, width) in [
      (4096, 16), (4096, 16), (0, 48), (44_100, 20), (0, 3), (7, 5), (4096 * frames, 36),
    ] {
      writer.put(value, width)
    }
    var file = Data("fLaC".utf8) + [0x80, 0, 0, 34]
    file += writer.bytes + [UInt8](repeating: 0, count: 16)
    for number in 0..<frames {
      var bytes: [UInt8] = [0xFF, 0xF8, 0xC9, 0x02]
      bytes += coded(number)
      bytes += checksum(bytes, width: 8, polynomial: 7)
      bytes += [0, UInt8(number + 1)]
      file += bytes + checksum(bytes, width: 16, polynomial: 0x8005)
    }
    return file
  }

  private var header: Data {
    let (least, greatest) = stated ?? (blocks.min() ?? 0, blocks.max() ?? 0)
    var writer = BitBytes()
    writer.put(least, 16)
    writer.put(greatest, 16)
    writer.put(0, 48)
    writer.put(44_100, 20)
    writer.put(1, 3)
    writer.put(bits - 1, 5)
    writer.put(total ?? samples.count / 2, 36)
    return Data(writer.bytes + (md5 ?? trueMD5))
  }

  private var trueMD5: [UInt8] {
    var digest = Digest(.md5)
    digest.update(
      samples.flatMap { sample in
        (0..<(bits + 7) / 8).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) }
      })
    return digest.bytes
  }

  private func frame(_ range: Range<Int>, number: Int) -> Data {
    let widths = [8: 1, 12: 2, 16: 4, 20: 5, 24: 6]
    var head: [UInt8] = [
      0xFF, countsSamples ? 0xF9 : 0xF8, 0x79, UInt8(0x10 | (widths[bits] ?? 0) << 1),
    ]
    head += FLACBytes.coded(number)
    head += [UInt8((range.count - 1) >> 8), UInt8((range.count - 1) & 255)]
    head.append(FLACBytes.checksum(head, width: 8, polynomial: 7)[0])
    var writer = BitBytes()
    for channel in 0..<2 {
      writer.put(2, 8)
      for index in range { writer.put(samples[2 * index + channel], bits) }
    }
    writer.align()
    let body = head + writer.bytes
    return Data(body + FLACBytes.checksum(body, width: 16, polynomial: 0x8005))
  }

  /// A number coded like a character of UTF-8.
  private static func coded(_ number: Int) -> [UInt8] {
    guard number >= 0x80 else { return [UInt8(number)] }
    var (rest, tail, first) = (number, [UInt8](), 0x3F)
    while rest > first {
      tail.insert(UInt8(0x80 | rest & 0x3F), at: 0)
      rest >>= 6
      first >>= 1
    }
    return [UInt8((~first << 1) & 0xFF | rest)] + tail
  }

  private static func checksum(_ bytes: [UInt8], width: Int, polynomial: Int) -> [UInt8] {
    let top = 1 << (width - 1)
    let sum = bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte) << (width - 8)) { value, _ in
        (value & top == 0 ? value << 1 : value << 1 ^ polynomial) & (2 * top - 1)
      }
    }
    return width == 8 ? [UInt8(sum)] : [UInt8(sum >> 8), UInt8(sum & 255)]
  }
}

/// Bits, the most significant first.
struct BitBytes {
  private(set) var bytes: [UInt8] = []
  private var open = 0
  private var count = 0

  /// Adds the low `width` bits of `value`.
  mutating func put(_ value: Int, _ width: Int) {
    for bit in (0..<width).reversed() {
      open = open << 1 | (value >> bit) & 1
      count += 1
      guard count == 8 else { continue }
      bytes.append(UInt8(open))
      (open, count) = (0, 0)
    }
  }

  /// Fills up the last byte with zeros.
  mutating func align() { while count > 0 { put(0, 1) } }
}
