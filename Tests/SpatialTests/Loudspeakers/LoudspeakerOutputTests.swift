// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The channel layouts that are rendered to, and as what.
@Suite struct LoudspeakerOutputTests {
  @Test("14 layouts from mono to 22.2 are listed as outputs")
  func theLayoutsFromMonoTo22Point2CanBeHad() {
    #expect(
      LoudspeakerOutput.names == [
        "mono", "stereo", "5.0", "5.0(side)", "5.1", "5.1(side)", "7.0", "7.1", "5.1.2",
        "5.1.2(back)", "5.1.4", "5.1.4(back)", "7.1.4", "22.2",
      ])
  }

  @Test(
    "each channel of an output layout is matched to the loudspeaker of its direction and kind",
    arguments: [
      ("mono", "0+5+0"), ("stereo", "0+2+0"), ("5.0", "0+5+0"), ("5.1", "0+5+0"), ("7.1", "0+7+0"),
      ("5.1.2", "2+5+0"), ("5.1.4", "4+5+0"), ("7.1.4", "4+7+0"), ("22.2", "9+10+3"),
      ("FL+FR+FC+LFE+SL+SR+TFL+TFR+TBL+TBR+BFC", "4+5+1"),
    ])
  func channelsArePermutedByName(name: String, expected: String) throws {
    let channels = try #require(ChannelLayout(name: name))
    let output = try LoudspeakerOutput(channels)
    #expect(output.layout.name == expected)
    #expect(output.channels == channels.count)
    for (channel, index) in output.order.enumerated() {
      let speaker = output.layout.speakers[index]
      #expect(speaker.isLFE == channels.speakers[channel].isLFE)
      if !speaker.isLFE { #expect(speaker.direction == channels.direction(at: channel)) }
    }
  }

  @Test("7.1.4 puts the loudspeakers of 4+7+0 in the order of the channel mask")
  func channelsLieInMaskOrder() throws {
    let output = try LoudspeakerOutput(#require(ChannelLayout(name: "7.1.4")))
    #expect(
      output.order.map { output.layout.speakers[$0].name } == [
        "M+030", "M-030", "M+000", "LFE1", "M+135", "M-135", "M+090", "M-090", "U+045", "U-045",
        "U+135", "U-135",
      ])
  }

  @Test(
    "layouts without a loudspeaker setup are refused with the list of those to choose from",
    arguments: ["2.1", "quad", "6.1", "7.1(wide)", "7.1.2", "9.1.4", "9.1.6", "downmix"])
  func otherLayoutsAreRefusedWithAList(name: String) throws {
    let channels = try #require(ChannelLayout(name: name))
    let error = #expect(throws: MediaError.self) { try LoudspeakerOutput(channels) }
    #expect(error?.kind == .unsupportedFeature)
    let message = error?.message ?? ""
    #expect(message.contains("the layout \(name); choose one of mono, stereo, 5.0"))
    #expect(message.hasSuffix("7.1.4, 22.2"))
  }
}
