// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import MediaIn

/// Packets of transport streams become the frames that files hold.
@Suite struct PacketFormTests {
  /// A header of ADTS for AAC-LC with these values, and `payload` bytes behind it.
  private func packet(
    rate: UInt8 = 3, channels: UInt8 = 2, payload: Int = 3, hasChecksum: Bool = false
  ) -> [UInt8] {
    let header = hasChecksum ? 9 : 7
    let size = header + payload
    let head: [UInt8] = [
      0xFF, hasChecksum ? 0xF0 : 0xF1, 0x40 | rate << 2 | channels >> 2,
      (channels & 3) << 6 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF), UInt8(size & 7) << 5 | 0x1F,
      0xFC,
    ]
    return head + Array(repeating: 0, count: header - 7) + (0..<payload).map { UInt8($0) }
  }

  @Test(
    "a header of ADTS gives the configuration that MP4 has",
    arguments: [
      (3, 2, [0x11, 0x90]), (3, 1, [0x11, 0x88]), (4, 2, [0x12, 0x10]), (3, 6, [0x11, 0xB0]),
      (8, 7, [0x14, 0x38]),
    ] as [(UInt8, UInt8, [UInt8])])
  func headersAreRead(rate: UInt8, channels: UInt8, expected: [UInt8]) throws {
    let header = try #require(ADTSHeader(packet(rate: rate, channels: channels)))
    #expect(header.configuration == expected)
    #expect(header.size == 7 && header.frameSize == 10)
    let checked = try #require(ADTSHeader(packet(hasChecksum: true)))
    #expect(checked.size == 9 && checked.frameSize == 12)
  }

  @Test("other bytes are no header of ADTS") func othersAreRefused() {
    var several = packet()
    several[6] |= 1
    var layer = packet()
    layer[1] |= 2
    var reserved = packet()
    reserved[2] = 0x40 | 13 << 2
    for bytes in [several, layer, reserved, [], Array(packet().prefix(6)), [0xFE] + packet()] {
      #expect(ADTSHeader(bytes) == nil)
    }
    #expect(ADTSHeader(packet(channels: 0))?.configuration == nil)
  }

  /// A segment of PGS.
  private func segment(_ kind: UInt8, _ body: [UInt8] = []) -> [UInt8] {
    [kind, 0, UInt8(body.count)] + body
  }

  /// A composition of this state and number of objects.
  private func composition(state: UInt8, objects: UInt8) -> [UInt8] {
    segment(0x16, [0, 64, 0, 64, 0x10, 0, 0, state, 0, 0, objects])
  }

  private func frame(_ data: [UInt8], _ time: Int64) -> CodedFrame {
    CodedFrame(
      track: 0, data: data, time: MediaTime(ticks: time, rate: 1), isKey: true, isDamaged: false)
  }

  @Test("segments are gathered to displays, however packets hold them", arguments: [1, 2, 5, 100])
  func segmentsAreGathered(together: Int) {
    let first = [composition(state: 0x80, objects: 1), segment(0x15, [1, 2, 3]), segment(0x80)]
    let second = [composition(state: 0, objects: 0), segment(0x80)]
    let all = first + second
    var sets = DisplaySets()
    var found: [CodedFrame] = []
    for place in stride(from: 0, to: all.count, by: together) {
      let packet = all[place..<min(all.count, place + together)].flatMap(\.self)
      found += sets.add(frame(packet, Int64(place)))
    }
    #expect(found.map(\.data) == [first.flatMap(\.self), second.flatMap(\.self)])
    #expect(found.first?.time.ticks == 0 && !found.contains(where: \.isDamaged))
    #expect(sets.take(frame([], 0)) == nil)
  }

  @Test("a display without an end goes to the next one, and stray bytes are damage")
  func damageIsMarked() {
    var sets = DisplaySets()
    let open = composition(state: 0x80, objects: 1)
    #expect(sets.add(frame(open, 0)).isEmpty)
    let next = sets.add(frame(open + segment(0x80), 1))
    #expect(next.map(\.data) == [open, open + segment(0x80)])
    #expect(next.map(\.time.ticks) == [0, 1])
    #expect(sets.add(frame([0x16, 0, 9, 1], 2)).isEmpty && sets.isJunk)
    let after = sets.add(frame(open + segment(0x80), 3))
    #expect(after.map(\.data) == [open + segment(0x80)])
    #expect(after.map(\.isDamaged) == [true] && after.map(\.time.ticks) == [3])
    #expect(!sets.isJunk && sets.take(frame([], 0)) == nil)
  }

  @Test("neither stray bytes nor segments without an end are gathered without a limit")
  func gatheringIsLimited() {
    var sets = DisplaySets()
    let junk = [UInt8](repeating: 0xFF, count: 60_000)
    for place in 0..<20 { #expect(sets.add(frame(junk, Int64(place))).isEmpty) }
    #expect(sets.take(frame([], 0)) == nil)
    let long = [0x15, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 0xFFFF)
    let most = PacketForm.largest / long.count + 1
    var found: [CodedFrame] = []
    for _ in 0..<most { found += sets.add(frame(long, 0)) }
    #expect(found.count == 1 && found[0].isDamaged && found[0].data.count == most * long.count)
  }

  @Test("packets without a frame keep their number and their times") func lostPackets() {
    var lost = LostPackets()
    for time in 3...5 { lost.add(at: MediaTime(ticks: Int64(time), rate: 1)) }
    #expect(lost.count == 3 && lost.since.ticks == 3 && lost.until.ticks == 5)
  }

  @Test("a display says whether it can be shown by itself") func effectsAreKnown() {
    func effect(_ state: UInt8, _ objects: UInt8) -> DisplaySets.Effect {
      DisplaySets.effect(of: composition(state: state, objects: objects) + segment(0x80))
    }
    #expect(effect(0x80, 1) == .complete && effect(0x40, 2) == .complete)
    #expect(effect(0, 0) == .empty && effect(0x80, 0) == .empty)
    #expect(effect(0, 1) == .change && DisplaySets.effect(of: [0x16, 0, 0]) == .change)
  }
}
