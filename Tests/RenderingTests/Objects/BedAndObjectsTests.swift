// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import TestSupport
import Testing

@testable import Inspection
@testable import Rendering

/// Programmes of beds, objects and sound fields, stored with metadata and read again.
@Suite struct BedAndObjectsTests {
  /// A programme that is stored.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let elements: [Programme.Element]
    var updates: [ObjectUpdate] = []
    var testDescription: String { name }
    var made: MadeProgramme { MadeProgramme(elements, updates: updates) }
  }

  static let cases = [
    Case(
      name: "5.1 and ten objects", elements: [bed("5.1")] + objects(10),
      updates: (6..<16).flatMap(movement)),
    Case(
      name: "LFE and fifteen objects", elements: [bed("LFE")] + objects(15),
      updates: (1..<16).flatMap(movement)),
    Case(
      name: "7.1.2 and two objects", elements: [bed("7.1.2")] + objects(2),
      updates: movement(10) + movement(11)),
    Case(name: "5.1.2 and resting objects", elements: [bed("5.1.2")] + objects(2)),
    Case(
      name: "7.1, whose common pack has another order", elements: [bed("7.1")] + objects(1),
      updates: movement(8)),
    Case(name: "loudspeakers without common channels", elements: [bed("7.1(wide)")] + objects(1)),
    Case(name: "22.2 and an object", elements: [bed("22.2")] + objects(1)),
    Case(
      name: "an object that begins silent and jumps",
      elements: [bed("5.1"), object(0, gain: 0)],
      updates: [
        ObjectUpdate(plane: 6, at: 7001, state: state(1)),
        ObjectUpdate(plane: 6, at: 15_000, state: state(4, gain: 0.5)),
      ]),
    Case(
      name: "an update at the first sample", elements: [bed("5.1"), object(0), object(1)],
      updates: [ObjectUpdate(plane: 6, at: 0, state: state(5))]),
    Case(
      name: "everything between everything",
      elements: [
        object(0), bed("stereo"), .scene(order: 1), object(2), bed("5.1"), .scene(order: 2),
      ],
      updates: movement(0) + movement(7)),
  ]

  private static func bed(_ name: String) -> Programme.Element {
    .bed(ChannelLayout(name: name) ?? .mono)
  }

  private static func object(_ number: Int, gain: Double = 1) -> Programme.Element {
    .object(name: "Object \(number)", start: state(number, gain: gain))
  }

  private static func objects(_ count: Int) -> [Programme.Element] {
    (0..<count).map { object($0) }
  }

  private static func state(_ number: Int, gain: Double = 1) -> ObjectState {
    let place = Double(number % 7) / 3 - 1
    return ObjectState(
      position: .cartesian(x: place, y: -place * 0.75, z: Double(number % 4) / 4), gain: gain)
  }

  /// Two ramps and a jump.
  private static func movement(_ plane: Int) -> [ObjectUpdate] {
    let start = Int64(100 + 11 * plane)
    return [
      ObjectUpdate(plane: plane, at: start, ramp: 1536, state: state(plane + 1)),
      ObjectUpdate(plane: plane, at: start + 1536, ramp: 32, state: state(plane + 2, gain: 0.7)),
      ObjectUpdate(plane: plane, at: start + 9000, state: state(plane + 3)),
    ]
  }

  /// The job succeeds only when its own proof finds everything as it was meant.
  @Test("a stored bed with objects passes its own proof", arguments: cases)
  func whatIsStoredIsWhatWasMade(given: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.wav")
    let made = given.made
    let report = try made.store(at: path)
    #expect(report.outputs[0].verified)
    #expect(report.outputs[0].samples == Int64(made.frames))
    #expect(report.outputs[0].render?.layout == made.programme.contents)
    // Samples lie in the order of the planes, whatever readers make of them.
    #expect(try Decoded(path).planes == made.planes)
  }

  /// Loudspeakers get of the file what they get of the programme, and comparisons and goldens go by that.
  @Test("loudspeakers get the same from the stored file as from the programme", arguments: cases)
  func loudspeakersGetTheSame(given: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.wav")
    _ = try given.made.store(at: path)
    let direct = try RenderedScene.channels(
      ChannelSource(given.made.source, layout: nil, log: DiagnosticLog()))
    let compared = try ComparedFile(path: path, decoding: InputOptions())
    #expect(compared.channels.format.layout.name == "5.1.4")
    let level = Signals.difference(try RenderedScene.channels(compared.channels), direct)
    #expect(level <= -100, "\(level) dB")
  }

  @Test("a bed with objects stored twice holds the same items and samples")
  func aSecondGenerationIsTheFirst() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (folder.file("1.wav"), folder.file("2.wav"))
    _ = try BedAndObjectsTests.cases[0].made.store(at: first)
    let kept = try ObjectFile.kept(first) { _ in }
    var again = MadeProgramme(kept.programme, planes: try RenderedScene.tracks(first))
    again.updates = kept.updates.joined().sorted { $0.at < $1.at }
    _ = try again.store(at: second)
    #expect(try RenderedScene.programme(second) == kept.programme)
    #expect(try RenderedScene.tracks(second) == again.planes)
    #expect(try ObjectFile.kept(second) { _ in }.updates == kept.updates)
  }

  /// Stored metadata don't depend on the blocks and threads that they went through.
  @Test(arguments: [(1, nil), (1, 7), (1, 5000), (2, 5000)] as [(Int, Int?)])
  func metadataAreTheSameForAllBlocksAndThreads(threads: Int, size: Int?) throws {
    // The name of the file is that of the programme.
    let folder = try TemporaryFolder()
    let second = try TemporaryFolder()
    let (usual, other) = (folder.file("out.wav"), second.file("out.wav"))
    let made = BedAndObjectsTests.cases[9].made
    _ = try made.store(at: usual) { $0.policy.threads = 2 }
    _ = try made.store(at: other) {
      $0.policy.threads = threads
      $0.blockSize = size
    }
    #expect(try document(usual) == document(other))
  }

  /// The bytes from the document on, which lies behind the samples.
  private func document(_ path: String) throws -> Data {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let start = try #require(bytes.range(of: Data("axml".utf8), options: .backwards))
    return bytes[start.lowerBound...]
  }

  /// Loudspeakers' gains fade from state to state, so they hear the end of a ramp that is cut short otherwise;
  /// positions are the same.
  @Test func rampsThatAreCutShortCanBeStored() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("out.wav")
    let made = MadeProgramme(
      [BedAndObjectsTests.bed("5.1"), BedAndObjectsTests.object(0)],
      updates: (0..<20).map { number in
        ObjectUpdate(
          plane: 6, at: Int64(1000 * number + 3), ramp: 1536,
          state: BedAndObjectsTests.state(number))
      })
    #expect(try made.store(at: path).outputs[0].verified)
    let stored = try RenderedScene.channels(
      ComparedFile(path: path, decoding: InputOptions()).channels)
    let direct = try RenderedScene.channels(
      ChannelSource(made.source, layout: nil, log: DiagnosticLog()))
    let level = Signals.difference(stored, direct)
    #expect(level <= -25, "\(level) dB")
  }

  /// Levels belong to the object that they were measured of, whatever stands before it.
  @Test func levelsAreThoseOfTheRightObjects() throws {
    let folder = try TemporaryFolder()
    let given = BedAndObjectsTests.cases[9].made
    let report = try given.store(at: folder.file("out.wav"))
    let scene = try #require(report.inputs[0].scene)
    let (first, other) = (try #require(scene[0].samplePeak), try #require(scene[3].samplePeak))
    #expect(abs(first + 20) < 0.1 && abs(other + 20) < 0.1)
    for number in [1, 2, 4, 5] { #expect(scene[number].samplePeak == nil) }
  }

  /// All loudspeaker channels that layouts have can be stored beside an object.
  @Test(arguments: ChannelLayout.knownNames) func everyLayoutCanBeABed(name: String) throws {
    let folder = try TemporaryFolder()
    let made = MadeProgramme(
      [BedAndObjectsTests.bed(name), BedAndObjectsTests.object(3)], frames: 480)
    #expect(try made.store(at: folder.file("out.wav")).outputs[0].verified)
    let alone = MadeProgramme([BedAndObjectsTests.bed(name)], frames: 480)
    #expect(try alone.store(at: folder.file("bed.wav")).outputs[0].verified)
  }
}
