// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Sound fields that MP4 states in a box of its own (`SA3D`).
@Suite struct SpatialAudioTests {
  /// A tenth of a second of four channels, or six, in QuickTime's PCM or AAC, whose sample entry gets the box with `payload`.
  private func movie(_ codec: Codec, _ payload: [UInt8]?, channels: Int = 4) throws -> MadeMedia {
    let signals =
      ["0.3*random(0)", "0.2*sin(900*t)", "0.1*random(1)", "0.2*sin(70*t)"]
      + ["0.2*random(2)", "0.1*sin(500*t)"]
    let layout = channels == 4 ? "4.0" : "5.1"
    let noise =
      "aevalsrc=\(signals.prefix(channels).joined(separator: "|")):d=0.1:s=48000:c=\(layout)"
    return try MadeMedia(
      "a.mov",
      bytes: SpatialAudioMovie.bytes(
        ["-f", "lavfi", "-i", noise, "-c:a", codec.encoder], entry: codec.entry, payload))
  }

  enum Codec: CaseIterable {
    case pcm
    case aac

    var encoder: String { self == .pcm ? "pcm_s16le" : "aac" }
    var entry: String { self == .pcm ? "sowt" : "mp4a" }
  }

  private func payload(type: UInt8 = 0, ordering: UInt8 = 0, map: [UInt8] = [0, 1, 2, 3]) -> [UInt8]
  {
    SpatialAudioMovie.payload(type: type, ordering: ordering, map: map)
  }

  private func planes(
    _ media: MadeMedia, _ log: DiagnosticLog, _ options: InputOptions = InputOptions()
  ) throws -> (elements: [Programme.Element], planes: [[Float]]) {
    try withExtendedLifetime(media) {
      let file = try MediaFile(path: media.path, options: options)
      let opener = TrackOpener(file)
      let reader = try opener.open(opener.select(.automatic, log: log), options: options, log: log)
      let block = ProgrammeBlock(reader.programme)
      while try reader.read(into: block) != nil {}
      return (
        reader.programme.elements,
        (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
      )
    }
  }

  private var asked: InputOptions {
    var options = InputOptions()
    options.field = .firstOrder
    return options
  }

  @Test(
    "the box makes a field of the same bits as decoding.field ambix1", .tags(.system),
    arguments: Codec.allCases)
  func theBoxIsAsGoodAsTheOption(codec: Codec) throws {
    let log = DiagnosticLog()
    let stated = try planes(movie(codec, payload()), log)
    let wanted = try planes(movie(codec, nil), DiagnosticLog(), asked)
    #expect(stated.elements == [.scene(order: 1)])
    #expect(stated.planes == wanted.planes)
    #expect(stated.planes.allSatisfy { $0.contains { $0 != 0 } })
    let decision = log.decisions.first { $0.code == .layout }
    #expect(decision?.chose == "ambix1")
    #expect(decision?.why == "the file states a sound field of order 1 (SA3D)")
    #expect(log.degradations.isEmpty)
  }

  /// The RFC's example: of channels W X Y Z, the components W Y Z X are 0, 2, 3 and 1. Only maps that are their own inverse
  /// mean the same in the RFC's other example.
  @Test(
    "the map names the channel of each component, and one that can be read in two ways is reported",
    .tags(.system),
    arguments: [
      ([0, 2, 3, 1], true), ([0, 3, 1, 2], true), ([3, 2, 1, 0], false), ([1, 0, 2, 3], false),
    ]
      as [([UInt8], Bool)])
  func theMapIsApplied(map: [UInt8], isAmbiguous: Bool) throws {
    let log = DiagnosticLog()
    let stated = try planes(movie(.pcm, payload(map: map)), log)
    let stored = try planes(movie(.pcm, nil), DiagnosticLog(), asked).planes
    #expect(stated.elements == [.scene(order: 1)])
    #expect(stated.planes == map.map { stored[Int($0)] })
    #expect(log.degradations.map(\.code) == (isAmbiguous ? [.layoutGuessed] : []))
  }

  @Test("a layout or field that is asked for goes before the box, and before a faulty one")
  func whatIsAskedForWins() throws {
    var quad = InputOptions()
    quad.layout = ChannelLayout(name: "quad")
    for box in [payload(map: [3, 2, 1, 0]), payload(ordering: 1), payload(type: 0x80)] {
      let media = try movie(.pcm, box)
      let bed = try planes(media, DiagnosticLog(), quad)
      #expect(bed.elements == [.bed(try #require(quad.layout))])
      let field = try planes(media, DiagnosticLog(), asked)
      #expect(field.elements == [.scene(order: 1)])
      #expect(field.planes == bed.planes)
    }
  }

  @Test("what the box can't mean is refused by name", .tags(.system))
  func faultyBoxesAreRefused() throws {
    let cases: [([UInt8], String)] = [
      (payload(ordering: 1), "has channel ordering 1, not 0 (ACN)"),
      (payload(type: 1), "has ambisonic type 1, not 0 (periphonic)"),
      (payload(map: [0, 1, 2, 2]), "has a channel map that doesn't name each channel once"),
      (payload(map: [0, 1, 2]), "has 3 channels, but its order has 4"),
      (
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0],
        "has 1 channels, but the track has 4"
      ),
      (payload(type: 0x80, map: [0, 1, 2, 3, 4, 5]), "has 6 channels, but the track has 4"),
    ]
    for (box, text) in cases {
      let error = try movie(.pcm, box).failure()
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains("(SA3D) " + text) == true, "\(error?.message ?? "none")")
      #expect(error?.message.contains("decoding.layout") == true)
    }
  }

  /// The RFC's example of head-locked stereo: 4 5 0 1 2 3 means channels L R W Y Z X.
  @Test(
    "head-locked stereo is two channels beside the field, which don't turn and aren't virtualised",
    .tags(.system), arguments: [[0, 1, 2, 3, 4, 5], [4, 5, 0, 1, 2, 3]] as [[UInt8]])
  func headLockedStereoLiesBesideTheField(map: [UInt8]) throws {
    let log = DiagnosticLog()
    let stated = try planes(movie(.pcm, payload(type: 0x80, map: map), channels: 6), log)
    var plain = InputOptions()
    plain.layout = ChannelLayout(name: "5.1")
    let stored = try planes(movie(.pcm, nil, channels: 6), DiagnosticLog(), plain).planes
    #expect(stated.elements.count == 3)
    #expect(stated.elements.first == .scene(order: 1))
    for (channel, component) in map.enumerated() {
      #expect(stated.planes[Int(component)] == stored[channel])
    }
    for (element, side) in zip(stated.elements.dropFirst(), [30.0, -30]) {
      guard case .object(_, let state) = element else {
        Issue.record("\(element) is no object")
        continue
      }
      #expect(state.position == .polar(Direction(azimuth: side), distance: 1))
      #expect(state.rules.isHeadLocked && state.rules.headphones == .off)
    }
    #expect(log.degradations.map(\.code) == (map[0] == 0 ? [] : [.layoutGuessed]))
    #expect(log.decisions.contains { $0.why.contains("head-locked stereo") })
  }
}
