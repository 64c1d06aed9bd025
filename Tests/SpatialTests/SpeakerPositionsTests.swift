// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

@Suite struct SpeakerPositionsTests {
  private func bank(_ positions: SpeakerPositions, _ layout: String) throws -> BedFilters {
    try BedFilters(
      HRTFSet.builtIn(), Render.format(layout), SceneOptions(positions: positions))
  }

  @Test("default positions spelt out keep each bit of a rendering")
  func theDefaultPositionsSpeltOutChangeNothing() throws {
    var source = SeededNoise(seed: 6)
    let noise = (0..<6).map { _ in source.samples(3000) }
    func ears(_ positions: SpeakerPositions) throws -> [[Float]] {
      try Render.all(
        noise, Render.format("5.1"), HRTFSet.builtIn(), options: SceneOptions(positions: positions))
    }
    let plain = try ears(.standard)
    for text in ["L=30,R=-30", "FL=30/0, FR=330", "l=+30,r=-30,c=360,Ls=110,rs=-110"] {
      #expect(try ears(SpeakerPositions(parsing: text)) == plain, "\(text)")
    }
    #expect(try ears(SpeakerPositions(parsing: "L=31,R=-30")) != plain)
  }

  @Test("a moved channel has the responses of its direction, and the others keep their bits")
  func aMovedChannelHasTheResponsesOfItsDirection() throws {
    let moved = try bank(SpeakerPositions(parsing: "L=52.5,TFL=-17/41"), "5.1.4")
    let plain = try bank(.standard, "5.1.4")
    let speakers = Render.format("5.1.4").layout.speakers
    let designer = HRIRDesigner(try HRTFSet.builtIn(), rate: 48000)
    let span = moved.latency - moved.lead..<moved.latency - moved.lead + moved.mainLength
    for (index, speaker) in speakers.enumerated() {
      let direction: Direction
      switch speaker {
      case .frontLeft: direction = Direction(azimuth: 52.5)
      case .topFrontLeft: direction = Direction(azimuth: -17, elevation: 41)
      default:
        #expect(moved.left[index] == plain.left[index], "\(speaker.name) wasn't moved")
        continue
      }
      let pair = designer.pair(for: direction)
      #expect(Array(moved.left[index][span]) == pair.left)
      #expect(Array(moved.right[index][span]) == pair.right)
      #expect(Render.difference(moved.left[index], plain.left[index]) > -20)
    }
    #expect(moved.latency == plain.latency)
    #expect(moved.length == plain.length)
  }

  @Test("LS and RS move the surrounds of 5.1, 5.1(side) and 7.1, and LB and RB the backs of 7.1")
  func everydayNamesMeanTheChannelsTheLayoutHas() throws {
    let positions = try SpeakerPositions(parsing: "LS=100,RS=-100")
    for (layout, left) in [("5.1", Speaker.backLeft), ("5.1(side)", .sideLeft), ("7.1", .sideLeft)]
    {
      let format = Render.format(layout)
      let directions = try positions.directions(in: format.layout)
      for (index, speaker) in format.layout.speakers.enumerated() where speaker == left {
        #expect(directions[index] == Direction(azimuth: 100))
      }
      #expect(directions.filter { $0.azimuth.magnitude == 100 }.count == 2)
    }
    let backs = try SpeakerPositions(parsing: "LB=150,RB=-150")
      .directions(in: Render.format("7.1").layout)
    #expect(backs[4] == Direction(azimuth: 150))
    #expect(backs[5] == Direction(azimuth: -150))
  }

  @Test("positions parsed from text equal the list, with azimuths within ±180°")
  func entriesAreWhatTheTextSays() throws {
    let text = try SpeakerPositions(parsing: "L=200,R=-180,tfl=45/30")
    let list = try SpeakerPositions([("L", 200, 0), ("R", 180, 0), ("TFL", 45, 30)])
    #expect(text == list)
    #expect(text.entries.map(\.name) == ["L", "R", "TFL"])
    #expect(text.entries.map(\.direction.azimuth) == [-160, 180, 45])
    #expect(try SpeakerPositions([]) == .standard)
  }

  @Test(
    "wrong position texts are refused with the name or value in the message",
    arguments: [
      ("X=30", ["X", "TFL", "LS"]), ("L=30,FL=40", ["FL"]), ("L=30,l=30", ["l"]),
      ("L=361", ["L", "361"]), ("L=nan", ["L"]), ("TFL=45/90.5", ["TFL", "90.5"]),
      ("LFE=0", ["LFE"]), ("LFE2=0", ["LFE2"]), ("", ["name=azimuth"]), ("L", ["L"]),
      ("L=", ["L="]), ("L=30,", ["name=azimuth"]), ("L=3O", ["L=3O"]), ("=30", ["=30"]),
      ("L=30/1/2", ["L=30/1/2"]), ("L=30=40", ["L=30=40"]), ("L=30/", ["L=30/"]),
    ])
  func refusesWithTheNameInTheSentence(text: String, words: [String]) {
    let error = #expect(throws: MediaError.self) { try SpeakerPositions(parsing: text) }
    #expect(error?.kind == .usage)
    for word in words {
      #expect(error?.message.contains(word) == true, "\(text): \(error?.message ?? "")")
    }
  }

  @Test(
    "positions of channels that the layout lacks are refused with both names",
    arguments: [
      ("TFL=45", "5.1", ["TFL", "5.1", "BL"]), ("LB=120", "5.1(side)", ["LB", "SL"]),
      ("LS=120,BL=100", "5.1", ["LS", "BL"]), ("LS=120", "stereo", ["LS", "FR"]),
    ])
  func refusesChannelsTheLayoutLacks(text: String, layout: String, words: [String]) throws {
    let positions = try SpeakerPositions(parsing: text)
    let stages: [any AudioStage] = [
      BedStage(
        hrtf: try HRTFSet.builtIn(), options: SceneOptions(positions: positions)),
      BedStage(
        hrtf: try HRTFSet.builtIn(), options: SceneOptions(positions: positions, span: 20)),
    ]
    for stage in stages {
      let error = #expect(throws: MediaError.self) { try stage.prepare(Render.format(layout)) }
      #expect(error?.kind == .usage)
      for word in words { #expect(error?.message.contains(word) == true) }
    }
  }

  @Test("the virtualizer keeps its bits at L=30,R=-30 and changes them at L=60,R=-60")
  func loudspeakersTakePositionsToo() throws {
    let hrtf = try HRTFSet.builtIn()
    var source = SeededNoise(seed: 3)
    let noise = (0..<2).map { _ in source.samples(5000) }
    func feeds(_ text: String?) throws -> [[Float]] {
      var options = SceneOptions(span: 20)
      if let text { options.positions = try SpeakerPositions(parsing: text) }
      return try StageVerifier.run(
        BedStage(hrtf: hrtf, options: options), format: Render.format("stereo"),
        signal: noise, blockSize: 0)
    }
    #expect(try feeds("L=30,R=-30") == feeds(nil))
    #expect(try feeds("L=60,R=-60") != feeds(nil))
  }
}
