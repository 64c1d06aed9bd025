// SPDX-License-Identifier: Apache-2.0
import LibAV
import Testing

@testable import MediaOut

@Suite struct PacketStoreTests {
  private func packet(_ number: Int, size: Int) -> EncodedPacket {
    EncodedPacket(
      data: (0..<size).map { UInt8(truncatingIfNeeded: $0 * 7 + number) },
      time: Int64(number * 1024 - 1024), duration: 1024)
  }

  @Test("300 packets of any size, also empty ones, come back in order")
  func packetsComeBackInOrder() throws {
    let store = try PacketStore()
    let packets = (0..<300).map { packet($0, size: $0 % 5 == 0 ? 0 : 3 * $0) }
    for packet in packets { try store.append(packet) }
    #expect(store.count == 300)
    #expect(try (0..<300).map(store.packet) == packets)
  }

  @Test("a packet replaced by a longer one leaves the others alone")
  func aReplacedPacketLeavesTheOthersAlone() throws {
    let store = try PacketStore()
    for number in 0..<20 { try store.append(packet(number, size: 100)) }
    try store.replace(7, by: packet(70, size: 900))
    try store.append(packet(20, size: 5))
    #expect(store.count == 21)
    for number in 0...20 {
      let wanted =
        number == 7 ? packet(70, size: 900) : packet(number, size: number == 20 ? 5 : 100)
      #expect(try store.packet(number) == wanted)
    }
  }
}
