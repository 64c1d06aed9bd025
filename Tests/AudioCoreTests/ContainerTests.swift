// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioCore

/// The JSON of containers in requests, from which the keys of batches are made, and what a container keeps of a coding.
@Suite struct ContainerTests {
  /// Texts that the program wrote before all kinds had one type.
  struct Row {
    let container: Container
    let json: String

    init(
      _ kind: ContainerKind, codec: AudioEncoding? = nil, _ json: String,
      _ change: (inout OutputCoding) -> Void = { _ in }
    ) {
      var coding = Container(kind, codec.map { OutputCoding($0) }).coding
      change(&coding)
      container = Container(kind, coding)
      self.json = json
    }
  }

  /// All settings, in a form that each kind takes its own of.
  private static func all(_ coding: inout OutputCoding) {
    coding.bitRate = 96_000
    coding.encoding = .pcm16
    coding.dither = .tpdf
    coding.admTimes = .fraction
    coding.encoderOptions = ["vbr": "off"]
    coding.iamf = Container.IAMF(layers: [.stereo, .surround714])
    coding.isForMediaSource = true
    coding.fragmentDuration = .samples(500)
    coding.hasSegmentFiles = true
  }

  static let rows = [
    Row(.wav, #"{"wav":{"_0":{"admTimes":"decimal","dither":"none","encoding":"24"}}}"#),
    Row(.wav, #"{"wav":{"_0":{"admTimes":"decimal","dither":"tpdf","encoding":"16"}}}"#, all),
    Row(.bw64, #"{"bw64":{"_0":{"admTimes":"decimal","dither":"none","encoding":"24"}}}"#),
    Row(.bw64, #"{"bw64":{"_0":{"admTimes":"fraction","dither":"tpdf","encoding":"16"}}}"#, all),
    Row(.flac, #"{"flac":{"_0":{"dither":"none","encoderOptions":{},"encoding":"24"}}}"#),
    Row(
      .flac, #"{"flac":{"_0":{"dither":"tpdf","encoderOptions":{"vbr":"off"},"encoding":"16"}}}"#,
      all),
    Row(.ogg, #"{"ogg":{"_0":{"encoderOptions":{}}}}"#),
    Row(.ogg, #"{"ogg":{"_0":{"bitRate":96000,"encoderOptions":{"vbr":"off"}}}}"#, all),
    Row(
      .mp3,
      #"{"mp3":{"_0":{"admTimes":"decimal","codec":"mp3","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .mp3,
      #"{"mp3":{"_0":{"admTimes":"decimal","bitRate":96000,"codec":"mp3","dither":"none","#
        + #""encoderOptions":{"vbr":"off"},"encoding":"24","isForMediaSource":false}}}"#, all),
    Row(
      .ac3,
      #"{"ac3":{"_0":{"admTimes":"decimal","codec":"ac3","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .eac3,
      #"{"eac3":{"_0":{"admTimes":"decimal","codec":"eac3","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .matroska, codec: .flac,
      #"{"matroska":{"_0":{"admTimes":"decimal","codec":"flac","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .webm,
      #"{"webm":{"_0":{"admTimes":"decimal","codec":"opus","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .mp4,
      #"{"mp4":{"_0":{"admTimes":"decimal","codec":"aac","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false}}}"#),
    Row(
      .mp4, codec: .alac,
      #"{"mp4":{"_0":{"admTimes":"decimal","bitRate":96000,"codec":"alac","dither":"tpdf","#
        + #""encoderOptions":{"vbr":"off"},"encoding":"16","isForMediaSource":false}}}"#, all),
    Row(
      .fmp4,
      #"{"fmp4":{"_0":{"coding":{"admTimes":"decimal","codec":"aac","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false},"fragmentDuration":{"clock":{"_0":{"rate":1,"ticks":2}}}}}}"#
    ),
    Row(
      .fmp4, codec: .opus,
      #"{"fmp4":{"_0":{"coding":{"admTimes":"fraction","bitRate":96000,"codec":"opus","dither":"tpdf","#
        + #""encoderOptions":{"vbr":"off"},"encoding":"16","iamf":{"layers":["stereo","7.1.4"]},"#
        + #""isForMediaSource":true},"fragmentDuration":{"samples":{"_0":500}}}}}"#, all),
    Row(
      .hls,
      #"{"hls":{"_0":{"coding":{"admTimes":"decimal","codec":"aac","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","isForMediaSource":false},"hasSegmentFiles":false,"#
        + #""segmentDuration":{"clock":{"_0":{"rate":1,"ticks":6}}}}}}"#),
    Row(
      .hls, codec: .opus,
      #"{"hls":{"_0":{"coding":{"admTimes":"fraction","bitRate":96000,"codec":"opus","dither":"tpdf","#
        + #""encoderOptions":{"vbr":"off"},"encoding":"16","iamf":{"layers":["stereo","7.1.4"]},"#
        + #""isForMediaSource":true},"hasSegmentFiles":true,"segmentDuration":{"samples":{"_0":500}}}}}"#,
      all),
    Row(
      .iamf,
      #"{"iamf":{"_0":{"admTimes":"decimal","codec":"flac","dither":"none","encoderOptions":{},"#
        + #""encoding":"24","iamf":{"layers":[]},"isForMediaSource":false}}}"#),
    Row(
      .iamf, codec: .opus,
      #"{"iamf":{"_0":{"admTimes":"fraction","bitRate":96000,"codec":"opus","dither":"tpdf","#
        + #""encoderOptions":{"vbr":"off"},"encoding":"16","iamf":{"layers":["stereo","7.1.4"]},"#
        + #""isForMediaSource":true}}}"#, all),
  ]

  @Test("a container in a request has the JSON that batches made keys of", arguments: rows)
  func theJSONIsAContract(row: Row) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try encoder.encode(row.container)
    #expect(String(decoding: bytes, as: UTF8.self) == row.json)
    #expect(try JSONDecoder().decode(Container.self, from: bytes) == row.container)
  }

  @Test("every kind of container has a row above")
  func noKindIsMissing() {
    #expect(Set(ContainerTests.rows.map(\.container.kind)) == Set(ContainerKind.allCases))
  }

  @Test(
    "JSON of no container, of two, and of an unknown one is refused",
    arguments: [
      "{}", #"{"mp5":{"_0":{}}}"#, #"{"fmp4":{"_0":{}}}"#,
      #"{"ogg":{"_0":{"encoderOptions":{}}},"wav":{}}"#,
    ])
  func otherJSONIsRefused(json: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Container.self, from: Data(json.utf8))
    }
  }

  @Test("keys that name no container are passed over") func furtherKeysArePassedOver() throws {
    let json = #"{"note":1,"wav":{"_0":{"admTimes":"decimal","dither":"none","encoding":"16"}}}"#
    let container = try JSONDecoder().decode(Container.self, from: Data(json.utf8))
    #expect(container == Container(.wav, OutputCoding(.pcm, encoding: .pcm16)))
  }

  @Test("the only codec of a container is taken by itself")
  func theOnlyCodecIsTaken() {
    #expect(Container(.wav, OutputCoding(.aac)).coding.codec == .pcm)
    #expect(Container(.ogg, OutputCoding(.flac)).coding.codec == .opus)
    #expect(Container(.mp3, OutputCoding(.aac)).coding.codec == .mp3)
    #expect(Container(.iamf, OutputCoding(.aac)).coding.codec == .aac)
  }

  @Test(
    "Opus needs 80 ms of packets before one that is right",
    arguments: [(960, -4), (480, -8), (120, -32), (1920, -2), (2880, -2), (5760, -1)])
  func opusRollsForEightyMilliseconds(frame: Int, distance: Int) {
    #expect(EncodingTraits.opus.rollDistance(frame: frame) == distance)
  }
}
