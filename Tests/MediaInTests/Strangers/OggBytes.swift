// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A stream in Ogg whose packets are put into pages anew (RFC 3533, 6).
struct OggBytes {
  /// A page with packets: the position that it states, and what it holds.
  typealias Page = (position: Int64, packets: [[UInt8]])

  /// Packets before the sound; each gets a page of its own.
  var headers: [[UInt8]]
  /// Pages with sound.
  var pages: [Page]
  /// Whether the last page is marked as the last.
  var hasEndFlag = true
  /// Whether a page with a packet of no bytes follows, as VLC writes it, which then has the mark.
  var hasEmptyEnd = false
  /// Bytes between the pages with sound, and after the last.
  var stray: [UInt8] = []
  /// Pages with sound that are left out, though they are counted.
  var lost: Set<Int> = []

  /// The first `most` packets of the file of `bytes`, which begins with so many headers, `perPage` on each page; `samples`
  /// counts what each packet is decoded to.
  init(
    _ bytes: Data, headers count: Int, most: Int = 40, perPage: Int = 10,
    samples: ([UInt8], [UInt8]?) -> Int
  ) {
    let all = OggBytes.packets(Array(bytes))
    headers = Array(all.prefix(count))
    let sound = Array(all.dropFirst(count).prefix(most))
    var position: Int64 = 0
    pages = []
    for (index, packet) in sound.enumerated() {
      position += Int64(samples(packet, index > 0 ? sound[index - 1] : nil))
      if index % perPage == 0 { pages.append((0, [])) }
      pages[pages.count - 1].packets.append(packet)
      pages[pages.count - 1].position = position
    }
  }

  /// Position of the last page.
  var end: Int64 { pages.last?.position ?? 0 }

  /// The file.
  func file(serial: UInt32 = 77) -> Data {
    var file: [UInt8] = []
    var number: UInt32 = 0
    func add(_ flags: UInt8, _ position: Int64, _ packets: [[UInt8]], isLost: Bool = false) {
      var page = Array("OggS".utf8) + [0, flags]
      page += OggBytes.little(UInt64(bitPattern: position), 8) + OggBytes.little(UInt64(serial), 4)
      page += [UInt8](repeating: 0, count: 8)
      let sizes = packets.flatMap { packet in
        [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
      }
      page += [UInt8(sizes.count)] + sizes + packets.flatMap(\.self)
      if !isLost { file += OggPageWalkTests.numbered(page, number) }
      number += 1
    }
    for (index, header) in headers.enumerated() { add(index == 0 ? 2 : 0, 0, [header]) }
    for (index, page) in pages.enumerated() {
      let isLast = index == pages.count - 1 && hasEndFlag && !hasEmptyEnd
      add(isLast ? 4 : 0, page.position, page.packets, isLost: lost.contains(index))
      file += stray
    }
    if hasEmptyEnd { add(4, end, [[]]) }
    return Data(file)
  }

  /// The packets of all pages, which belong to one stream.
  private static func packets(_ bytes: [UInt8]) -> [[UInt8]] {
    var packets: [[UInt8]] = [[]]
    var place = 0
    while place + 27 <= bytes.count {
      let sizes = bytes[place + 27..<place + 27 + Int(bytes[place + 26])]
      place = sizes.endIndex
      for size in sizes {
        packets[packets.count - 1] += bytes[place..<place + Int(size)]
        place += Int(size)
        if size < 255 { packets.append([]) }
      }
    }
    return packets.dropLast()
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }
}

extension OggBytes {
  /// One second of noise that libvorbis encoded. The stream has two modes, whose number is the packet's second bit, and a block gives
  /// a quarter of its samples and of those of the block before (Vorbis I, 4.3.8).
  static func vorbis(most: Int = 40, perPage: Int = 10) throws -> OggBytes {
    let bytes = try MadeMedia("a.ogg", ["-c:a", "libvorbis"], seconds: 1).bytes()
    // The first page has 28 bytes of header.
    let sizes = Int(bytes[28 + 28])
    let blocks = [1 << (sizes & 15), 1 << (sizes >> 4)]
    return OggBytes(bytes, headers: 3, most: most, perPage: perPage) { packet, before in
      let (size, last) = (
        blocks[Int(packet[0] >> 1 & 1)], before.map { blocks[Int($0[0] >> 1 & 1)] }
      )
      return last.map { ($0 + size) / 4 } ?? 0
    }
  }

  /// One second of noise that libopus encoded in frames of 20 ms, with a pre-skip of 312 samples.
  static func opus(most: Int = 40, perPage: Int = 10) throws -> OggBytes {
    let bytes = try MadeMedia("a.opus", ["-c:a", "libopus"], seconds: 1).bytes()
    return OggBytes(bytes, headers: 2, most: most, perPage: perPage) { _, _ in 960 }
  }

  /// Ten frames of noise in FLAC, of 4608 samples each. A page takes 65,025 bytes, and a frame has about 13,000.
  static func flac() throws -> OggBytes {
    let bytes = try MadeMedia("a.oga", ["-c:a", "flac"], seconds: 1).bytes()
    return OggBytes(bytes, headers: 2, most: 10, perPage: 2) { _, _ in 4608 }
  }

  /// One second of noise that libspeex encoded in frames of 320 samples at 16 kHz.
  static func speex() throws -> OggBytes {
    let bytes = try MadeMedia(
      "a.spx", ["-c:a", "libspeex", "-ar", "16000", "-ac", "1"], seconds: 1
    ).bytes()
    return OggBytes(bytes, headers: 2) { _, _ in 320 }
  }
}
