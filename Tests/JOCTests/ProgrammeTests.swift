// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import JOC
@testable import ObjectMetadata

/// The planes of a programme, and their parts.
@Suite struct ProgrammeTests {
  private func frame(_ beds: [UInt32], dynamic: Int, spatial: Int = 0) -> ObjectFrame {
    let frame = ObjectFrame()
    frame.assignment.beds = beds.map(BedSet.init)
    frame.assignment.spatialObjects = spatial
    frame.assignment.count = frame.assignment.firstDynamic + dynamic
    frame.blocks.append(ObjectFrame.Block())
    return frame
  }

  /// Objects that are mixed are numbered without the LFE, and planes lie in the layout's order.
  @Test("a 7.1 bed and two objects have planes in the layout's order, mixed without the LFE")
  func planesFindTheirObjects() throws {
    // L R C LFE Ls Rs Lb Rb and two dynamic objects.
    let programme = try JOCProgramme(frame([0xFF], dynamic: 2))
    let layout = try #require(ChannelLayout(name: "7.1"))
    #expect(programme.elements.first == .bed(layout))
    // FL FR FC LFE BL BR SL SR.
    #expect(programme.objects == [0, 1, 2, 3, 6, 7, 4, 5, 8, 9])
    let sources: [JOCProgramme.Source] =
      [.mixed(0), .mixed(1), .mixed(2), .lfe] + [5, 6, 3, 4, 7, 8].map { .mixed($0) }
    #expect(programme.sources == sources)
    #expect(programme.mixed == 9 && programme.bedPlanes == 8)
    #expect(programme.elements.count == 3)
  }

  @Test("an LFE and 15 objects are 16 elements of which 15 are mixed")
  func anLFEAndObjectsAreTheUsualProgramme() throws {
    let programme = try JOCProgramme(frame([BedSet.lfe.bits], dynamic: 15))
    #expect(programme.elements.count == 16 && programme.mixed == 15)
    #expect(programme.sources.first == .lfe && programme.sources.last == .mixed(14))
  }

  @Test("an LFE alone, two beds, a second LFE and spatial objects are refused")
  func whatHasNoPlaceIsRefused() {
    for (beds, dynamic, spatial) in [
      ([BedSet.lfe.bits], 0, 0), ([0b11, 0b111], 1, 0), ([1 << 16], 1, 0), ([0b11], 1, 4),
    ] {
      #expect(throws: JOCError.self, "\(beds)") {
        try JOCProgramme(frame(beds, dynamic: dynamic, spatial: spatial))
      }
    }
  }

  /// Channels for each configuration, by loudspeakers and not by places.
  @Test(
    "channels of each configuration are found by loudspeaker, and stereo has none",
    arguments: [
      ("5.1(side)", [[0, 1, 2, 4, 5], nil, nil, [0, 1, 2, 4, 5], nil]),
      ("5.1", [[0, 1, 2, 4, 5], nil, nil, [0, 1, 2, 4, 5], nil]),
      ("7.1", [[0, 1, 2, 6, 7], [0, 1, 2, 6, 7, 4, 5], nil, [0, 1, 2, 6, 7], nil]),
      (
        "5.1.2",
        [[0, 1, 2, 4, 5], nil, [0, 1, 2, 4, 5, 6, 7], [0, 1, 2, 4, 5], [0, 1, 2, 4, 5, 6, 7]]
      ), ("stereo", [nil, nil, nil, nil, nil]),
    ] as [(String, [[Int]?])])
  func channelsAreFoundByTheirLoudspeakers(name: String, wanted: [[Int]?]) throws {
    let channels = JOCChannels(try #require(ChannelLayout(name: name)))
    #expect((0..<5).map(channels.indices) == wanted)
    #expect(channels.lfe == (name == "stereo" ? nil : 3))
  }
}
