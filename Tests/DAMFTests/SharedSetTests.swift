// SPDX-License-Identifier: Apache-2.0
import ADM
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import DAMF

/// The sets beside the checkout: two with twins in ADM, and broken ones with verdicts.
@Suite(.tags(.media), .enabled(if: SharedSets.folder != nil, "../shared is missing"))
struct SharedSetTests {
  @Test(
    "a set has the elements and changes of its twin in ADM", arguments: SharedSets.expected.good)
  func setsAreTheirTwins(good: SharedSets.Good) throws {
    let log = DAMFLog()
    let set = try SharedSets.open(good.set, log)
    #expect(log.findings.isEmpty)
    #expect(set.audio.frames == good.frames)
    #expect(set.scene.channels.map(\.id) == good.idOfChannel)
    let twin = try SharedSets.twin(good.twin)
    #expect(twin.planes.map { $0.terms.terms.map(\.track) } == (0..<good.channels).map { [$0] })
    #expect(twin.elements.count == set.scene.elements.count)
    for plane in set.scene.timelines.indices {
      try compare(set.scene.timelines[plane], twin.timelines[plane].timeline, frames: good.frames)
      guard case .object(let name, _) = set.scene.elements[plane],
        case .object(let other, _) = twin.elements[plane]
      else {
        Issue.record("no objects")
        return
      }
      #expect(name == other)
    }
  }

  /// Compares all changes and states at every seventh sample; positions have 10 digits in the twin.
  private func compare(
    _ found: MasterTimeline, _ twin: ItemTimeline, frames: Int64
  ) throws {
    var twin = twin
    var events: [ItemTimeline.Event] = []
    while let event = try twin.advance() { events.append(event) }
    // The twin's object begins with its first block, and ends with the sound.
    #expect(events.first?.at == 0)
    if let start = events.first?.motion.state { #expect(isNear(found.start, start)) }
    let theirs = events.dropFirst().filter { $0.at < frames }
    let ours = found.events
    #expect(ours.map(\.at) == theirs.map(\.at))
    #expect(zip(ours, theirs).allSatisfy { ($0.motion.ramp - $1.motion.ramp).magnitude < 1e-6 })
    let samples = Array(stride(from: Int64(0), to: frames, by: 7))
    var (motion, clock, next) = (ObjectMotion(restingIn: twin.start), Int64(0), 0)
    let differing = zip(samples, found.states(at: samples)).first { sample, state in
      while next < events.count, events[next].at <= sample {
        (motion, clock) = (events[next].motion, events[next].at)
        next += 1
      }
      return !isNear(state, motion.advanced(by: Int(sample - clock)).state)
    }
    #expect(differing == nil)
  }

  private func isNear(_ one: ObjectState, _ other: ObjectState) -> Bool {
    let numbers = { (state: ObjectState) in
      state.position.coordinates + [
        state.gain, state.extent.width, state.extent.height, state.extent.depth, state.diffuse,
      ]
    }
    return one.rules == other.rules
      && zip(numbers(one), numbers(other)).allSatisfy { ($0 - $1).magnitude < 1e-6 }
  }

  @Test("objects are where the expectations have them", arguments: SharedSets.expected.good)
  func objectsAreWhereExpected(good: SharedSets.Good) throws {
    let set = try SharedSets.open(good.set, DAMFLog())
    for probe in good.probes ?? [] {
      let state = set.scene.timelines[0].states(at: [probe.sample])[0]
      #expect(zip(state.position.coordinates, probe.pos).allSatisfy { ($0 - $1).magnitude < 2e-6 })
      #expect((state.extent.width - probe.size).magnitude < 2e-6)
      #expect((state.rules.lock != nil) == probe.channelLock)
    }
    for (id, object) in good.objects ?? [:] {
      let plane = set.scene.channels.firstIndex { "\($0.id)" == id } ?? 0
      let state = set.scene.timelines[plane].start
      #expect(state.position.coordinates == object.pos)
      #expect((state.gain - object.gain).magnitude < 1e-12 && state.extent.width == object.size)
      #expect((state.rules.lock != nil) == object.channelLock)
    }
  }

  @Test("broken sets get their verdicts", arguments: SharedSets.expected.broken)
  func brokenSetsGetTheirVerdicts(broken: SharedSets.Broken) throws {
    let log = DAMFLog()
    if broken.verdict == "refuse" {
      let error = #expect(throws: DAMFError.self) { try SharedSets.open(broken.set, log) }
      #expect(error?.code.rawValue == broken.code, "\(error?.description ?? "")")
    } else {
      #expect(try SharedSets.open(broken.set, log).scene.elements.count == 3)
      #expect(log.findings.map(\.code.rawValue) == [broken.code])
    }
  }
}

/// The sets, and what is expected of them (`expected.json`).
enum SharedSets {
  /// A good set.
  struct Good: Decodable, Sendable, CustomTestStringConvertible {
    struct Probe: Decodable, Sendable {
      let sample: Int64
      let pos: [Double]
      let size: Double
      let channelLock: Bool
    }
    struct Object: Decodable, Sendable {
      let pos: [Double]
      let gain: Double
      let size: Double
      let channelLock: Bool
    }
    let set: String
    let twin: String
    let frames: Int64
    let channels: Int
    let idOfChannel: [Int]
    let probes: [Probe]?
    let objects: [String: Object]?
    var testDescription: String { self.set }
  }

  /// A set with one fault.
  struct Broken: Decodable, Sendable, CustomTestStringConvertible {
    let set: String
    let verdict: String
    let code: String
    var testDescription: String { self.set }
  }

  struct Expected: Decodable, Sendable {
    var good: [Good] = []
    var broken: [Broken] = []
  }

  /// Folder of the sets, if it is here.
  static let folder: String? = SharedMedia.beside("damf/sets")

  /// All sets; none when they aren't here.
  static let expected: Expected = {
    guard let data = FileManager.default.contents(atPath: (folder ?? "") + "/expected.json"),
      let all = try? JSONDecoder().decode(Expected.self, from: data)
    else { return Expected() }
    return all
  }()

  /// The set whose root is at `path` below the folder.
  static func open(_ path: String, _ log: DAMFLog) throws -> MasterSet {
    let root = URL(fileURLWithPath: (folder ?? "/nowhere") + "/" + path)
    let place = { (name: String) in root.deletingLastPathComponent().appending(path: name) }
    let folder = MasterFolder(
      has: { FileManager.default.fileExists(atPath: place($0).path) },
      bytes: { name, _ in [UInt8](try Data(contentsOf: place(name))) },
      source: { ByteSource([UInt8](try Data(contentsOf: place($0)))) })
    return try MasterSet(root.lastPathComponent, in: folder, log: log)
  }

  /// The scene of a twin.
  static func twin(_ path: String) throws -> SceneLayout {
    let bytes = [UInt8](
      try Data(contentsOf: URL(fileURLWithPath: (folder ?? "/nowhere") + "/" + path)))
    let log = FindingLog()
    let container = try ADMContainer(
      FileBytes(size: Int64(bytes.count)) { Array(bytes[Int($0)...].prefix($1)) }, findings: log)
    let document = try container.document.flatMap {
      try DocumentParser.parse($0, findings: log)
    }
    let selection = try Selection(
      document, container.channels, channels: container.file.format.channels,
      request: SelectionRequest(), findings: log)
    let names = (document?.objects ?? []).reduce(into: [ElementID: String]()) {
      $0[$1.id] = $1.name
    }
    let modes = container.dolby?.headphoneModes.map(\.wanted) ?? []
    return try SceneLayout(
      selection, states: ItemStates(version: document?.version ?? 2, modes: modes), names: names,
      rate: container.file.format.rate)
  }
}
