// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

/// Payloads of `SA3D` (Spatial Audio RFC of google/spatial-media).
@Suite struct SpatialAudioBoxTests {
  /// A payload of these fields, whose map counts up unless it is given.
  private func payload(
    version: UInt8 = 0, type: UInt8 = 0, order: UInt32 = 1, ordering: UInt8 = 0,
    normalization: UInt8 = 0, channels: UInt32? = nil, map: [UInt32] = [0, 1, 2, 3]
  ) -> [UInt8] {
    [version, type] + BoxBytes.number(order) + [ordering, normalization]
      + BoxBytes.number(channels ?? UInt32(map.count)) + map.flatMap { BoxBytes.number($0) }
  }

  private func fault(_ payload: [UInt8]) -> SpatialAudioBox.Fault? {
    do {
      _ = try SpatialAudioBox(payload: payload)
      return nil
    } catch { return error }
  }

  @Test("orders 0 to 7 are read with their channels", arguments: 0...7)
  func ordersAreRead(order: Int) throws {
    let map = Array(0..<(order + 1) * (order + 1))
    let box = try SpatialAudioBox(
      payload: payload(order: UInt32(order), map: map.map(UInt32.init)))
    #expect(box.order == order)
    #expect(box.channelMap == map)
    #expect(!box.hasHeadLockedStereo)
  }

  @Test("the RFC's example is read, in a sample entry of a movie and alone")
  func theExampleIsRead() throws {
    let bytes: [UInt8] = [
      0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 1,
    ]
    let box = try SpatialAudioBox(payload: bytes)
    #expect(box.order == 1)
    #expect(box.channelMap == [0, 2, 3, 1])
    let fields = [UInt8](repeating: 0, count: 28)
    let entry = BoxBytes.box("mp4a", fields + BoxBytes.box("SA3D", bytes))
    let facts = MovieFacts(BoxBytes.source(BoxBytes.movie(entry: entry)))
    #expect(facts?.tracks.first?.spatialAudio == .success(box))
    let faulty = BoxBytes.box("mp4a", fields + BoxBytes.box("SA3D", payload(version: 1)))
    let other = MovieFacts(BoxBytes.source(BoxBytes.movie(entry: faulty)))
    #expect(other?.tracks.first?.spatialAudio == .failure(.version(1)))
    let without = MovieFacts(BoxBytes.source(BoxBytes.movie(entry: BoxBytes.box("mp4a", fields))))
    #expect(without?.tracks.count == 1)
    #expect(without?.tracks.first?.spatialAudio == nil)
  }

  @Test("head-locked stereo is two channels more")
  func headLockedStereoIsTwoChannelsMore() throws {
    let box = try SpatialAudioBox(payload: payload(type: 0x80, map: [4, 5, 0, 1, 2, 3]))
    #expect(box.hasHeadLockedStereo)
    #expect(box.order == 1)
    #expect(box.channelMap == [4, 5, 0, 1, 2, 3])
    #expect(fault(payload(type: 0x80)) == .channels(4, needed: 6))
  }

  @Test("each value that the RFC doesn't allow has its own fault")
  func otherValuesAreFaults() {
    #expect(fault(payload()) == nil)
    #expect(fault(payload(version: 1)) == .version(1))
    #expect(fault(payload(type: 1)) == .type(1))
    #expect(fault(payload(type: 0x82)) == .type(2))
    #expect(fault(payload(order: 8)) == .order(8))
    #expect(fault(payload(order: .max)) == .order(.max))
    #expect(fault(payload(ordering: 1)) == .ordering(1))
    #expect(fault(payload(normalization: 2)) == .normalization(2))
    #expect(fault(payload(order: 2)) == .channels(4, needed: 9))
    #expect(fault(payload(channels: .max)) == .channels(.max, needed: 4))
    #expect(fault(payload(map: [0, 1, 2, 4])) == .map)
    #expect(fault(payload(map: [0, 1, 1, 3])) == .map)
    #expect(fault(payload(map: [0, 1, 2, .max])) == .map)
  }

  @Test("a box that is cut off anywhere is a fault")
  func cutBoxesAreFaults() {
    let bytes = payload()
    for count in 0..<bytes.count { #expect(fault(Array(bytes[..<count])) == .cut) }
  }
}
