// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@Suite struct ChannelLayoutTests {
  @Test("each known name gives a layout of that name, and its mask gives it again")
  func everyNameFindsItsLayoutAndMask() {
    for name in ChannelLayout.knownNames {
      let layout = ChannelLayout(name: name)
      #expect(layout?.name == name)
      #expect(layout.flatMap { ChannelLayout(mask: $0.mask) } == layout)
    }
  }

  @Test(
    "surrounds of 5.1 and 5.1(side) stand at ±110° with loudness weights of 1.41",
    arguments: ["5.1", "5.1(side)"])
  func surroundsStandAt110Degrees(name: String) throws {
    let layout = try #require(ChannelLayout(name: name))
    let angles = (0..<6).map { layout.direction(at: $0).azimuth }
    #expect(angles == [30, -30, 0, 0, 110, -110])
    #expect((0..<6).map { layout.loudnessWeight(at: $0) } == [1, 1, 1, 0, 1.41, 1.41])
  }

  @Test("7.1.4 has backs at ±135°, sides at ±90° and heights at ±45° and ±135°")
  func sevenOneHasSidesAndBacks() throws {
    let layout = try #require(ChannelLayout(name: "7.1.4"))
    let labels = (0..<layout.count).map { layout.direction(at: $0).label }
    #expect(
      labels == [
        "M+030", "M-030", "M+000", "M+000", "M+135", "M-135", "M+090", "M-090", "U+045", "U-045",
        "U+135", "U-135",
      ])
  }

  @Test("22.2 has 24 channels, with FL at 60° and FLC at 30°")
  func twentyTwoTwoHasItsOwnFront() throws {
    let layout = try #require(ChannelLayout(name: "22.2"))
    #expect(layout.count == 24)
    #expect(layout.direction(at: 0).azimuth == 60)
    #expect(layout.direction(at: 6).azimuth == 30)
  }

  @Test("unknown masks and names give no layout, and FL+FR+FC gives 3.0")
  func unknownBitsAndNamesAreRefused() {
    #expect(ChannelLayout(mask: 0) == nil)
    #expect(ChannelLayout(mask: 1 << 60) == nil)
    #expect(ChannelLayout(name: "5.7") == nil)
    #expect(ChannelLayout(name: "FL+XX") == nil)
    #expect(ChannelLayout(name: "FL+FR+FC")?.name == "3.0")
  }
}
