// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@Suite struct ProgrammeTests {
  private let object = Programme.Element.object(name: "voice", start: ObjectState(gain: 0.5))

  private func programme(_ elements: [Programme.Element]) -> Programme {
    Programme(sampleRate: 48_000, elements: elements)
  }

  @Test("a programme has the planes of its beds, objects and sound fields")
  func planesAreThoseOfAllElements() throws {
    let bed = try #require(ChannelLayout(name: "5.1"))
    #expect(programme([.bed(bed), object, .scene(order: 3), object]).planes == 6 + 1 + 16 + 1)
    #expect(programme([]).planes == 0)
  }

  @Test("the planes of LFE channels are those of beds and of objects for such a loudspeaker")
  func planesOfLFE() throws {
    let bed = try #require(ChannelLayout(name: "5.1"))
    let rows: [([Programme.Element], [Int])] = [
      ([.bed(bed)], [3]), ([.scene(order: 1), object, .bed(bed)], [8]), ([.bed(.stereo)], []),
      ([.bed(bed), .bed(ChannelLayout([.lowFrequency]))], [3, 6]), ([.scene(order: 3)], []),
    ]
    for (elements, planes) in rows {
      #expect(programme(elements).lfePlanes == planes)
      #expect(programme(elements).hasLFE == !planes.isEmpty)
    }
  }

  @Test("a programme of one bed has that bed's format")
  func oneBedIsAFormat() throws {
    let format = AudioFormat(sampleRate: 44_100, layout: .stereo)
    #expect(try Programme(format).bedFormat(for: "a test") == format)
  }

  @Test("a programme other than one bed is refused in words")
  func whateverIsntOneBedIsRefusedInWords() {
    let rows: [([Programme.Element], String)] = [
      ([.bed(.stereo), object], "a stereo bed and 1 object"), ([object, object], "2 objects"),
      ([.bed(.stereo), .bed(.mono)], "a stereo bed and a mono bed"), ([], "nothing"),
      ([.bed(ChannelLayout([.lowFrequency])), object], "an LFE bed and 1 object"),
      ([.scene(order: 1)], "a sound field of order 1"),
    ]
    for (elements, words) in rows {
      let error = #expect(throws: MediaError.self) {
        try programme(elements).bedFormat(for: "a test")
      }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.contains("a test takes loudspeaker channels only") == true)
      #expect(error?.message.contains("holds \(words);") == true)
    }
  }

  @Test("programmes with other start states have the same planes, with another order they don't")
  func objectsMayBeginElsewhereInTheSamePlanes() {
    let other = Programme.Element.object(name: nil, start: ObjectState())
    #expect(
      programme([.bed(.stereo), object]).hasSamePlanes(as: programme([.bed(.stereo), other])))
    #expect(
      !programme([.bed(.stereo), object]).hasSamePlanes(as: programme([object, .bed(.stereo)])))
    #expect(!programme([.bed(.stereo)]).hasSamePlanes(as: programme([.bed(.mono), object])))
  }

  @Test("a programme with facts survives JSON")
  func aProgrammeSurvivesCoding() throws {
    var facts = ProgrammeFacts(dialnorm: -27, language: "en", objects: .unknown)
    facts.virtualization = .binaural
    facts.downmix = CarriedDownmix(
      .mixing, preferred: .ltRt, loRo: .init(center: 0.7, surround: 0.5),
      ltRt: .init(center: 0.8, surround: 0.6, correction: 0.9), lfeLevel: nil)
    let whole = Programme(
      sampleRate: 48_000, elements: [.bed(.stereo), object, .scene(order: 2)], facts: facts)
    let data = try JSONEncoder().encode(whole)
    #expect(try JSONDecoder().decode(Programme.self, from: data) == whole)
  }

  /// The azimuth takes the shorter way, over the back where that is shorter.
  @Test("azimuths halfway lie on the shorter way, and elevation and distance between the ends")
  func directionsTurnTheShorterWay() {
    let rows: [(from: Double, to: Double, half: Double)] = [
      (0, 90, 45), (170, -170, 180), (-170, 150, 170), (-90, 90, 0), (90, -90, 0),
      (-180, 180, -180), (10, -30, -10),
    ]
    for row in rows {
      let from = ObjectPosition.polar(Direction(azimuth: row.from), distance: 1)
      let to = ObjectPosition.polar(
        Direction(azimuth: row.to, elevation: 20), distance: 3)
      let half = from.moved(to: to, by: 0.5)
      #expect(
        half == .polar(Direction(azimuth: row.half, elevation: 10), distance: 2), "\(row)")
    }
  }

  @Test(
    "a ramp that is over or leads nowhere rests, and a lead of half a sample advances its gains")
  func aRampThatIsOverIsARest() {
    let (one, two) = (ObjectState(gain: 0), ObjectState(gain: 1))
    #expect(ObjectMotion(from: one, to: two, ramp: 5, elapsed: 5) == ObjectMotion(restingIn: two))
    #expect(ObjectMotion(from: one, to: one, ramp: 5).isResting)
    #expect(ObjectMotion(from: one, to: two, ramp: 1e18).advanced(by: .max).isResting)
    #expect(
      ObjectMotion(from: one, to: two, ramp: 4).advanced(by: 1).advanced(by: 1).state.gain == 0.5)
    // A ramp that began half a sample before its first one.
    let motion = ObjectMotion(from: one, to: two, ramp: 4, lead: 0.5)
    #expect([0, 1, 3, 4].map { motion.advanced(by: $0).state.gain } == [0.125, 0.375, 0.875, 1])
  }

  @Test("Cartesian positions move in a straight line, and to a polar one they jump")
  func pointsOfTheRoomMoveInStraightLines() {
    let from = ObjectPosition.cartesian(x: -1, y: 1, z: 0)
    #expect(
      from.moved(to: .cartesian(x: 1, y: 0, z: 0.5), by: 0.25)
        == .cartesian(x: -0.5, y: 0.75, z: 0.125))
    let polar = ObjectPosition.polar(Direction(azimuth: 0), distance: 1)
    #expect(from.moved(to: polar, by: 0.25) == polar)
  }
}

@Suite struct HostedRendererTests {
  private final class Adder: Renderer {
    let latency = 0
    let tail = 0
    func prepare(_ programme: Programme) throws -> AudioFormat {
      AudioFormat(sampleRate: programme.sampleRate, layout: .mono)
    }
    func process(_ block: ProgrammeBlock, into output: AudioBuffer) throws {
      output.appendSilence(block.frames)
    }
    func finish(into output: AudioBuffer) throws {}
  }

  private let programme = Programme(AudioFormat(sampleRate: 48_000, layout: .stereo))

  private func expectMisuse(_ body: () throws -> Void) {
    let error = #expect(throws: MediaError.self) { try body() }
    #expect(error?.kind == .internal)
  }

  @Test(
    "a renderer processed unprepared, prepared twice or used after finishing is refused as a misuse"
  )
  func theOrderOfCallsIsChecked() throws {
    let host = Hosted(Adder(), name: "the renderer")
    let output = AudioBuffer(channels: 1)
    expectMisuse { try host.process(ProgrammeBlock(programme), into: output) }
    _ = try host.prepare(programme)
    expectMisuse { _ = try host.prepare(programme) }
    let block = ProgrammeBlock(programme)
    block.appendSilence(3)
    try host.process(block, into: output)
    #expect(output.frames == 3)
    try host.finish(into: output)
    expectMisuse { try host.process(block, into: output) }
    expectMisuse { try host.finish(into: output) }
  }

  @Test("a renderer given another programme or number of output channels is refused as a misuse")
  func theShapeOfBuffersIsChecked() throws {
    let host = Hosted(Adder(), name: "the renderer")
    _ = try host.prepare(programme)
    let mono = Programme(AudioFormat(sampleRate: 48_000, layout: .mono))
    expectMisuse { try host.process(ProgrammeBlock(mono), into: AudioBuffer(channels: 1)) }
    expectMisuse { try host.process(ProgrammeBlock(programme), into: AudioBuffer(channels: 2)) }
    expectMisuse { try host.finish(into: AudioBuffer(channels: 2)) }
  }
}
