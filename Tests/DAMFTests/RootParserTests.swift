// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import DAMF

/// Roots in the spellings that programs have for them.
@Suite struct RootParserTests {
  private func root(_ text: String) throws -> MasterRoot {
    try RootParser.parse(
      MasterText(Array(text.utf8), file: "x.atmos", longest: MasterText.longestRoot), log: DAMFLog()
    )
  }

  @Test("a root's facts are read")
  func factsAreRead() throws {
    let root = try root(MasterFixture.root)
    let facts = root.presentation
    #expect(root.version == "0.5.1" && facts.kind == "home")
    #expect(facts.offset == 3598 && facts.firstFrameOfAction == 3600)
    #expect(facts.firstSampleOfAction(rate: 48_000) == 96_000)
    #expect(facts.framesPerSecond == "23.976" && facts.warpMode == .normal)
    #expect(facts.tool == "synthetic" && facts.toolVersion == "1.0")
    #expect(facts.downmix == "LoRo_Stereo" && !facts.turnsSurrounds && !facts.hasTrims)
    #expect(facts.channels.map(\.id) == [0, 1, 10])
    #expect(facts.channels.map(\.name) == ["Bed, RC_L", "Bed, RC_R", "Object 10"])
  }

  @Test("a frame of action before the sound has no sample")
  func aFrameBeforeTheSoundHasNoSample() throws {
    let early = MasterFixture.root.replacing("ffoa: 3600.0", with: "ffoa: 3500")
    #expect(try root(early).presentation.firstSampleOfAction(rate: 48_000) == nil)
  }

  @Test("lists may stand at their key's column, texts in quotes, and lines end with CR and LF")
  func spellingsAreEqual() throws {
    let other = """
      \u{FEFF}version: "0.5.1"
      presentations:
      - type: home
        audio: 'x.atmos.audio'
        offset: 3598
        bedInstances:
        - description: "Music: main"
          channels:
          - {channel: Ls, ID: 0}
          - channel: Rtm
            ID: "1"
        objects:
        - description:
          groupName: voices
          ID: 10
        trimMode: {}
      """.replacing("\n", with: "\r\n")
    let channels = try root(other).presentation.channels
    #expect(channels.map(\.label) == [.sideLeft, .topRight, nil])
    #expect(channels.map(\.name) == ["Music: main, RC_Lss", "Music: main, RC_Rts", "voices"])
  }

  @Test("the flat list of version 0.3 gives bed channels and objects, and its events are found")
  func version3IsRead() throws {
    let flat = """
      version: 0.3
      presentations:
        - type: home
          audio: x.atmos.audio
          metadata: x.atmos.metadata
          channels:
            - {name: voice, ID: 2}
            - {name: left, bed: L, ID: 0}
            - {name: low, bed: LFE, ID: 1}
      """
    let set = MasterFixture().with("x.atmos", Array(flat.utf8))
      .withEvents("  - objectID: 2\n    pos: [1, 0, 0]\n")
    let found = try set.open().set
    #expect(found.root.presentation.channels.map(\.id) == [0, 1, 2])
    #expect(found.scene.timelines[2].start.position == .cartesian(x: 1, y: 0, z: 0))
  }

  @Test("planes are in the order of IDs, in which gaps take none")
  func planesAreInTheOrderOfIDs() throws {
    let set = MasterFixture().replacing("ID: 1\n", "ID: 11\n", in: "x.atmos")
    #expect(try set.open().set.scene.channels.map(\.id) == [0, 10, 11])
  }

  @Test("a bed channel has its loudspeaker's role and place, and an LFE is never virtualised")
  func bedChannelsHaveRoles() throws {
    let set = try MasterFixture().replacing("channel: R", "channel: LFE", in: "x.atmos")
      .replacing("active: true\n  - ID: 10", "gain: -inf\n  - ID: 10").open().set
    let states = set.scene.timelines.map(\.start)
    #expect(states[0].rules.role == .speaker(SpeakerChannel(labels: ["RC_L"])))
    #expect(states[0].position == .cartesian(x: -1, y: 1, z: 0))
    #expect(states[0].rules.headphones == .unstated && states[0].gain == 1)
    #expect(states[1].rules.role == .speaker(SpeakerChannel(labels: ["RC_LFE"], isLFE: true)))
    #expect(states[1].rules.headphones == .off && states[1].gain == 0)
  }

  @Test("rules of objects are read: lock, zones without height, head, mode and decorrelation")
  func rulesAreRead() throws {
    let set = MasterFixture().withEvents(
      """
        - ID: 10
          pos: [0, 1, 0]
          snap: 1
          elevation: false
          zones: no back
          decorr: 1
          headTrackMode: head relative
          binauralRenderMode: off
          gain: -20
          size3D: [0.1, 0.2, 0.3]

      """)
    let state = try set.open().set.scene.timelines[2].start
    #expect(state.rules.lock == ObjectRules.ChannelLock())
    #expect(state.rules.zones.count == 3 && state.rules.isHeadLocked && state.diffuse == 1)
    #expect(state.rules.headphones == .off && (state.gain - 0.1).magnitude < 1e-15)
    #expect(state.extent == ObjectExtent(width: 0.1, height: 0.3, depth: 0.2))
    let plain = try set.open(followsModes: false).set.scene.timelines[2].start
    #expect(plain.rules.headphones == .unstated)
  }

  @Test("an event without ID and time has those of the event before")
  func idsAndTimesAreInherited() throws {
    let set = try MasterFixture().withEvents(
      """
        - ID: 10
          samplePos: 0
          pos: [0, 0, 0]
        - samplePos: 100
          pos: [1, 0, 0]
        - ID: 0
          gain: -inf
        - samplePos: 200
          gain: 0

      """
    ).open().set
    let bed = set.scene.timelines[0]
    // The bed's first event, at sample 100, is held from the beginning.
    #expect(bed.start.gain == 0 && bed.events.map(\.at) == [200])
    #expect(set.scene.updates.map(\.at) == [100, 200])
  }

  @Test("names of the other two files lead to their root, and NAME.caf is found")
  func namesAreFound() throws {
    #expect(MasterNames.root(besides: "A.atmos.audio") == "A.atmos")
    #expect(MasterNames.root(besides: "A.atmos.metadata") == "A.atmos")
    #expect(MasterNames.root(besides: "A.atmos") == nil)
    #expect(MasterNames.root(besides: "audio") == nil)
    let set = MasterFixture().with("x.atmos.audio", nil).with("x.caf", MasterFixture.caf())
    let (found, findings) = try set.open()
    #expect(found.names.metadata == "x.atmos.metadata" && found.names.audio == "x.caf")
    #expect(findings.map(\.code) == [.staleName])
  }
}
