// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import MediaOut

/// Comments and pages of Ogg Opus, as other programs read them.
@Suite(
  .tags(.system), .fullRunOnly,
  .enabled(if: Tool.isInstalled("opusinfo"), "opusinfo isn't installed"))
struct OggCommentTests {
  /// Headers of these lengths end within a page, at its end, and beyond several.
  @Test(
    "comments of any length are read back whole", arguments: [1, 254, 255, 64_000, 65_025, 300_000])
  func longCommentsAreWhole(length: Int) throws {
    let sound = try MarkedSound(frames: 144_000, markers: [])
    let value = String(String(repeating: "abcdefghij", count: length / 10 + 1).prefix(length))
    var settings = sound.settings(OutputCoding(.opus))
    settings.texts.tags = MediaTags([("LYRICS", value), ("A", "1"), ("a", "2"), ("After", "last")])
    let path = try sound.file("a.opus") {
      try OggOpusWriter(descriptor: $0, name: $1, settings: settings)
    }
    let info = try Tool.run("opusinfo", [path])
    let text = String(decoding: info.output, as: UTF8.self)
    for line in ["LYRICS=\(value)", "A=1", "a=2", "After=last"] {
      #expect(text.contains("\t\(line)\n"), "\(line.prefix(20))")
    }
    #expect(!text.contains("WARNING"), "\(text.suffix(1000))")
    #expect(text.contains("Playback length: 0m:03.000s"), "\(text.suffix(1000))")
  }

  @Test("a page is full before 255 segments are exceeded, and positions don't fall")
  func pagesAreWhole() {
    var pages = OggPageWriter(longest: 48_000)
    var bytes: [UInt8] = []
    var end: Int64 = 0
    let sizes = [0, 255, 510, 70_000, 1, 254, 256, 130_000]
    for size in sizes {
      end += 960
      bytes += pages.add([UInt8](repeating: 7, count: size), end: end)
    }
    bytes += pages.page(isLast: true)
    var (place, sequence, packets, packet, last): (Int, UInt8, [Int], Int, Int64) = (0, 0, [], 0, 0)
    while place + 27 <= bytes.count {
      #expect(bytes[place..<place + 5].elementsEqual(Array("OggS".utf8) + [0]))
      #expect(bytes[place + 18] == sequence)
      // A page that goes on with a packet says so.
      #expect((bytes[place + 5] & 1 != 0) == (packet > 0 && sequence > 0))
      let count = Int(bytes[place + 26])
      let position = (6..<14).reversed().reduce(Int64(0)) { $0 << 8 | Int64(bytes[place + $1]) }
      if position != -1 {
        #expect(position >= last)
        last = position
      }
      let segments = bytes[place + 27..<place + 27 + count]
      for segment in segments {
        packet += Int(segment)
        guard segment < 255 else { continue }
        packets.append(packet)
        packet = 0
      }
      place += 27 + count + segments.reduce(0) { $0 + Int($1) }
      sequence += 1
    }
    #expect(packets == sizes && place == bytes.count && last == end)
  }
}
