// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

@Suite struct ChannelLayoutBoxTests {
  private func payload(_ box: WritableBox) -> [UInt8] { Array(box.encoded.dropFirst(8)) }

  @Test("channel positions and a defined layout read back from chnl")
  func positionsComeBack() {
    let box = ChannelLayoutBox(.positions([0, 1, 2, 3, 4, 5]))
    #expect(ChannelLayoutBox(payload: payload(box), channels: 6) == box)
    let defined = ChannelLayoutBox(.defined(6))
    #expect(ChannelLayoutBox(payload: payload(defined), channels: 6) == defined)
  }

  @Test("a cut or unknown layout box gives no layout") func whatIsCutOffOrUnknownIsNothing() {
    let bytes = payload(ChannelLayoutBox(.positions([0, 1, 2, 3, 4, 5])))
    for count in 0..<bytes.count {
      #expect(ChannelLayoutBox(payload: Array(bytes[..<count]), channels: 6) == nil)
    }
    var other = bytes
    other[0] = 1
    #expect(ChannelLayoutBox(payload: other, channels: 6) == nil)
    other = bytes
    other[6] = 126
    #expect(ChannelLayoutBox(payload: other, channels: 6) == nil)
    other = bytes
    other[4] = 2
    #expect(ChannelLayoutBox(payload: other, channels: 6) == nil)
  }

  @Test("the binaural layout tag reads back, and a cut one doesn't")
  func tagsComeBack() {
    let bytes = payload(ChannelTagBox.binaural)
    #expect(bytes == [0, 0, 0, 0, 0, 106, 0, 2] + [UInt8](repeating: 0, count: 8))
    #expect(ChannelTagBox(payload: bytes) == .binaural)
    for count in 0..<bytes.count { #expect(ChannelTagBox(payload: Array(bytes[..<count])) == nil) }
  }
}
