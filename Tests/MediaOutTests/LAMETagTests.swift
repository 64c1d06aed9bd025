// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaOut

/// The tag frame of MP3 as bytes, by gabriel.mp3-tech.org/mp3infotag.html and with a checksum of its own.
@Suite struct LAMETagTests {
  /// The fields of a tag frame.
  struct Fields {
    let frame: [UInt8]
    /// Offset of Xing's header.
    let place: Int

    init(_ frame: [UInt8]) {
      self.frame = frame
      let (isFirst, isMono) = (frame[1] & 0x18 == 0x18, frame[3] >> 6 == 3)
      place = 4 + (isFirst ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
    }

    func text(_ offset: Int, _ count: Int) -> String {
      String(decoding: frame[place + offset..<place + offset + count], as: UTF8.self)
    }

    func number(_ offset: Int, _ count: Int) -> Int {
      frame[place + offset..<place + offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    var delay: Int { number(141, 3) >> 12 }
    var padding: Int { number(141, 3) & 0xFFF }
  }

  /// CRC-16 by x¹⁶ + x¹⁵ + x² + 1, from the lowest bit on, bit by bit.
  static func checksum(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ Int(byte)) { sum, _ in sum & 1 == 0 ? sum >> 1 : sum >> 1 ^ 0xA001 }
    }
  }

  /// A frame of Layer III at 128 or 64 kbit/s, without sound.
  private static func frame(rate: Int, isMono: Bool, seed: UInt8 = 0) -> [UInt8] {
    let rates = [44_100, 48_000, 32_000]
    let halving = rate >= 32_000 ? 0 : rate >= 16_000 ? 1 : 2
    let index = UInt8(rates.firstIndex(of: rate << halving) ?? 0)
    let isFirst = halving == 0
    let size = isFirst ? 144_000 * 128 / rate : 72_000 * 64 / rate
    let version: UInt8 = [0xFB, 0xF3, 0xE3][halving]
    let head: [UInt8] = [0xFF, version, (isFirst ? 0x90 : 0x80) | index << 2, isMono ? 0xC4 : 0x74]
    return head + (4..<size).map { UInt8(truncatingIfNeeded: $0) &+ seed }
  }

  static let rates = [48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000]

  @Test(
    "all fields are as the sound is, at each rate, mono and stereo", arguments: rates,
    [true, false])
  func theFieldsAreTrue(rate: Int, isMono: Bool) throws {
    let sound = (0..<5).map { LAMETagTests.frame(rate: rate, isMono: isMono, seed: UInt8($0)) }
    var tag = try #require(LAMETag(before: sound[0]))
    for frame in sound { tag.add(frame) }
    let samples = (rate >= 32_000 ? 1152 : 576) * 5 - 576 - 700
    var facts = LAMETag.Facts(kilobits: 128, samples: Int64(samples), delay: 576)
    (facts.peak, facts.gain) = (0.5, -2.04)
    let frame = try #require(tag.frame(facts))
    #expect(frame.count == tag.hole.count)
    let found = Fields(frame)
    // Version, layer, rate and channels of the sound; no checksum and no padding.
    #expect(frame[0] == 0xFF && frame[1] == sound[0][1])
    #expect(frame[2] & 0x0F == sound[0][2] & 0x0C && frame[3] & 0xC0 == sound[0][3] & 0xC0)
    #expect(LayerIIIHeader(frame)?.size == frame.count)
    #expect(found.text(0, 4) == "Info" && found.number(4, 4) == 15)
    #expect(found.number(8, 4) == 5)
    let all = frame.count + sound.reduce(0) { $0 + $1.count }
    #expect(found.number(12, 4) == all && found.number(148, 4) == all)
    #expect(found.number(116, 4) == 0)
    #expect(found.text(120, 9) == "LAME3.100" && found.number(129, 2) == 0x0100)
    #expect(found.number(131, 4) == 1 << 22)
    // Name 1, originator 3, minus, 20 tenths.
    #expect(found.number(135, 2) == 0x2E14 && found.number(137, 2) == 0)
    #expect(found.number(139, 2) == 128)
    #expect(found.delay == 576 && found.padding == 700)
    #expect(found.number(152, 2) == LAMETagTests.checksum(sound.joined()))
    #expect(found.number(154, 2) == LAMETagTests.checksum(frame[..<(found.place + 154)]))
    #expect(frame[(found.place + 156)...].allSatisfy { $0 == 0 })
  }

  @Test("a quality is Xing's, with LAME's method and mark")
  func qualitiesAreNamed() throws {
    let sound = LAMETagTests.frame(rate: 48_000, isMono: false)
    var tag = try #require(LAMETag(before: sound))
    for _ in 0..<3 { tag.add(sound) }
    let facts = LAMETag.Facts(
      method: .quality, kilobits: 32, quality: 2, samples: 2000, delay: 576)
    let found = Fields(try #require(tag.frame(facts)))
    #expect(found.text(0, 4) == "Xing" && found.number(116, 4) == 80)
    #expect(found.number(129, 1) == 4 && found.number(135, 2) == 0 && found.number(131, 4) == 0)
  }

  @Test(
    "the table has the place of each hundredth, in a file of any length", arguments: [3, 100, 5000])
  func theTableIsTrue(frames: Int) throws {
    let sound = LAMETagTests.frame(rate: 48_000, isMono: false)
    var tag = try #require(LAMETag(before: sound))
    for _ in 0..<frames { tag.add(sound) }
    let facts = LAMETag.Facts(samples: Int64(frames * 1152 - 1700), delay: 576)
    let found = Fields(try #require(tag.frame(facts)))
    let bytes = tag.hole.count + frames * sound.count
    for entry in 0..<100 {
      let place = tag.hole.count + entry * frames / 100 * sound.count
      #expect((found.number(16 + entry, 1) - place * 256 / bytes).magnitude <= 1, "\(entry)")
    }
  }

  @Test("padding that 12 bits don't hold, and sound that is longer than its frames, have no tag")
  func otherLengthsAreNotStated() throws {
    let sound = LAMETagTests.frame(rate: 48_000, isMono: false)
    var tag = try #require(LAMETag(before: sound))
    for _ in 0..<5 { tag.add(sound) }
    #expect(tag.frame(LAMETag.Facts(samples: 5760 - 576 - 4095, delay: 576)) != nil)
    #expect(tag.frame(LAMETag.Facts(samples: 5760 - 576 - 4096, delay: 576)) == nil)
    #expect(tag.frame(LAMETag.Facts(samples: 5760 - 575, delay: 576)) == nil)
  }

  @Test("what is no frame of Layer III has no tag")
  func othersHaveNone() {
    #expect(LAMETag(before: []) == nil)
    #expect(LAMETag(before: [0xFF, 0xFD, 0x90, 0x44]) == nil)
    #expect(LAMETag(before: [0xFF, 0xFB, 0xF0, 0x44]) == nil)
  }
}
