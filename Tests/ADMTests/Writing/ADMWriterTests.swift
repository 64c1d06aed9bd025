// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ADM

@Suite struct ADMWriterTests {
  private let length: Int64 = 60_000

  /// The motions that `blocks` ask for, by the rules of objects (``ObjectMotion``).
  private func wanted(_ blocks: [WrittenBlock], at sample: Int64) -> ObjectState? {
    guard let first = blocks.first, sample >= first.start else { return nil }
    var motion = ObjectMotion(restingIn: first.state)
    var clock = first.start
    for block in blocks.dropFirst() where block.start <= sample {
      let before = motion.advanced(by: Int(block.start - clock)).state
      motion = ObjectMotion(from: before, to: block.state, ramp: block.ramp)
      clock = block.start
    }
    return motion.advanced(by: Int(sample - clock)).state
  }

  private func numbers(_ state: ObjectState) -> [Double] {
    let extent = state.extent
    let rest = [state.gain, extent.width, extent.height, extent.depth, state.diffuse]
    switch state.position {
    case .polar(let direction, let distance):
      return [direction.azimuth, direction.elevation, distance] + rest
    case .cartesian(let x, let y, let z): return [x, y, z] + rest
    }
  }

  private func isNear(_ one: ObjectState?, _ other: ObjectState?) -> Bool {
    guard let one, let other else { return one == other }
    let gaps = zip(numbers(one), numbers(other)).map { ($0 - $1).magnitude }
    // Azimuths 360° apart are the same.
    let turn = min(gaps[0], (gaps[0] - 360).magnitude)
    return one.rules == other.rules && turn < 1e-7 && gaps.dropFirst().allSatisfy { $0 < 1e-7 }
  }

  /// The blocks of each channel are counted from 1 (ITU-R BS.2076, 5.4.1).
  @Test("written blocks are numbered from 1 in each channel")
  func blocksAreNumberedFromOne() throws {
    var maker = RandomObject(seed: 5)
    let objects = (0..<3).map { _ in maker.blocks(length) }
    let programme = WrittenProgramme(
      name: "Random", sampleRate: 48_000, length: length,
      elements: objects.map { .object(name: "Object", $0) })
    let text = String(decoding: try ADMWriter(programme).document, as: UTF8.self)
    let blocks = text.matches(of: /audioBlockFormatID="AB_([0-9a-fA-F]{8})_([0-9a-fA-F]{8})"/)
    var numbers: [Substring: [Int]] = [:]
    for block in blocks { numbers[block.1, default: []].append(Int(block.2, radix: 16) ?? -1) }
    #expect(numbers.count == 3 && blocks.count >= objects.reduce(0) { $0 + $1.count })
    #expect(numbers.values.allSatisfy { $0 == Array(1...$0.count) }, "\(numbers)")
  }

  @Test(
    "random objects have their written states at the edges of all blocks when they are read again",
    arguments: [44100, 48000, 96000, 22051])
  func randomObjectsMoveAsTheyWereWritten(rate: Int) throws {
    for seed in 0..<25 {
      var maker = RandomObject(seed: UInt64(seed))
      let objects = (0..<3).map { _ in maker.blocks(length) }
      let programme = WrittenProgramme(
        name: "Random", sampleRate: rate, length: length,
        elements: objects.enumerated().map { .object(name: "Object \($0.offset)", $0.element) })
      let read = try ReadBack(programme)
      #expect(read.findings.isEmpty, "\(read.findings.map(\.message))")
      try #require(read.selection.items.count == 3)
      for (item, blocks) in objects.enumerated() {
        let edges = blocks.flatMap { [$0.start, $0.start + Int64($0.ramp)] }
        for sample in edges.flatMap({ $0 - 1...$0 + 1 }) where (0..<length).contains(sample) {
          let (got, needed) = (read.state(of: item, at: sample), wanted(blocks, at: sample))
          #expect(isNear(got, needed), "seed \(seed), object \(item), sample \(sample)")
        }
        // Jumps and resting states come back as they were, to the last bit.
        for (block, next) in zip(blocks, blocks.dropFirst())
        where block.start + Int64(block.ramp) < next.start {
          #expect(read.state(of: item, at: next.start - 1) == block.state)
        }
      }
    }
  }

  @Test("beds, objects and a sound field come back as items on their tracks")
  func aProgrammeComesBackAsItsItems() throws {
    let block = WrittenBlock(start: 0, state: ObjectState())
    let programme = WrittenProgramme(
      name: "All", sampleRate: 48000, length: length, bitDepth: 24,
      elements: [
        .bed(name: "Bed", ChannelLayout(name: "7.1.4") ?? .mono), .object(name: "One", [block]),
        .scene(name: "Field", order: 3), .object(name: "Two", [block]),
        .bed(name: "Music", .stereo),
      ])
    let read = try ReadBack(programme)
    #expect(read.findings.isEmpty, "\(read.findings.map(\.message))")
    #expect(read.selection.programme?.name == "All")
    #expect(read.selection.unusedTracks.isEmpty)
    let items = read.selection.items
    #expect(
      items.map(\.kind) == Array(repeating: .directSpeakers, count: 12) + [
        .objects, .hoa, .objects,
      ]
        + [.directSpeakers, .directSpeakers])
    #expect(items.allSatisfy { $0.start == .zero && $0.end?.firstSample(at: 48000) == length })
    // Each channel has the track that its element has in the file.
    let labels = items[..<12].map { item -> (Int, String) in
      let format = item.channels[0].format
      let label = format.details.first?.speaker.labels.first ?? ""
      guard case .track(let track) = item.channels[0].samples else { return (-1, label) }
      return (track, String(label.split(separator: ":").last ?? ""))
    }.sorted { $0.0 < $1.0 }
    #expect(
      labels.map(\.1) == [
        "M+030", "M-030", "M+000", "LFE", "M+135", "M-135", "M+090", "M-090", "U+045", "U-045",
        "U+135", "U-135",
      ])
    #expect(items[12].channels.map(\.samples) == [.track(12)])
    for channel in items[13].channels {
      let scene = try #require(channel.format.details.first?.scene)
      let (order, degree) = (try #require(scene.order), try #require(scene.degree))
      #expect(channel.samples == .track(13 + order * order + order + degree))
    }
    #expect(items[14].channels.map(\.samples) == [.track(29)])
  }

  /// Layouts with a pack of the common definitions, and others, whose channels keep their directions.
  @Test(
    "each known layout comes back with directions, LFE and its common pack",
    arguments: ChannelLayout.knownNames)
  func everyLayoutComesBackWithItsDirections(name: String) throws {
    let layout = try #require(ChannelLayout(name: name))
    let read = try ReadBack(
      WrittenProgramme(
        name: name, sampleRate: 48000, length: 100, elements: [.bed(name: "Bed", layout)]))
    #expect(read.findings.isEmpty, "\(read.findings.map(\.message))")
    #expect(read.selection.items.count == layout.count)
    for item in read.selection.items {
      guard case .track(let track) = item.channels[0].samples else {
        Issue.record("no track")
        continue
      }
      let format = item.channels[0].format
      let place = try #require(format.blocks.first).position
      #expect((format.lowPass != nil) == layout.speakers[track].isLFE)
      guard !layout.speakers[track].isLFE else { continue }
      let direction = layout.direction(at: track)
      #expect(place == Position(direction.azimuth, direction.elevation, 1), "\(track)")
    }
    let common = [
      "mono": "AP_00010001", "stereo": "AP_00010002", "5.1": "AP_00010003", "7.1": "AP_0001000F",
      "5.1.4": "AP_00010005", "7.1.4": "AP_00010017", "22.2": "AP_00010009",
    ]
    let pack = read.selection.items.first?.packs.last?.text ?? ""
    #expect(common[name].map { $0 == pack } ?? true, "\(pack)")
  }

  @Test(
    "names with markup, white space and emoji come back, and a control character becomes U+FFFD")
  func namesAreKept() throws {
    let name = "<Tom & \"Jerry's\"> ]]> \t\n é 🎧"
    let read = try ReadBack(
      WrittenProgramme(
        name: name, sampleRate: 48000, length: 100,
        elements: [.object(name: name + "\u{1}", [WrittenBlock(start: 0, state: ObjectState())])]))
    #expect(read.selection.programme?.name == name)
    #expect(read.selection.items.first?.channels[0].format.name == name + "\u{FFFD}")
  }

  @Test("times of samples and between samples are written as exact fractions on request")
  func timesAreExactFractions() {
    let blocks = BlockWriter(rate: 48000, .fraction)
    #expect(blocks.time(0) == "00:00:00.00000S48000")
    #expect(blocks.time(52801) == "00:00:01.04801S48000")
    let between = WrittenTime(sample: 256, lead: 0.16)
    #expect(between.text(rate: 48000) == "00:00:00.00533S100000")
    // Times that would lie before the beginning begin with it.
    #expect(WrittenTime(sample: 0, lead: 0.5) == WrittenTime(sample: 0))
    #expect(WrittenTime(sample: 1, lead: 0.5) == WrittenTime(samples: 0.5))
    #expect(WrittenTime(samples: 0.1).decimal(rate: 48000) == nil)
    #expect(WrittenTime(samples: 0.48).decimal(rate: 48000) == "0.00001")
    #expect(
      BlockWriter(rate: 192_000, .fraction).time(192_000 * 36_061 - 1) == "10:01:00.191999S192000")
  }

  @Test("ramps are written as jumps, interpolation lengths, whole blocks or two blocks")
  func rampsAreWrittenExactly() {
    let (here, there) = (ObjectState(gain: 0), ObjectState(gain: 1))
    func plans(_ ramp: Double, _ rate: Int) -> [BlockPlan] {
      BlockPlan.list(
        [WrittenBlock(start: 0, state: here), WrittenBlock(start: 100, ramp: ramp, state: there)],
        length: 5000, rate: rate)
    }
    func plan(
      _ start: Int64, _ end: Int64, _ way: BlockPlan.Way, _ state: ObjectState
    ) -> BlockPlan {
      BlockPlan(
        start: WrittenTime(sample: start), duration: WrittenTime(sample: end - start),
        state: state, way: way)
    }
    func rest(_ start: Int64, _ way: BlockPlan.Way, _ state: ObjectState) -> BlockPlan {
      plan(start, 5000, way, state)
    }
    let first = plan(0, 100, .atOnce, here)
    #expect(plans(0, 48000) == [first, rest(100, .atOnce, there)])
    #expect(plans(1536, 48000) == [first, rest(100, .within("0.032"), there)])
    #expect(plans(4900, 48000) == [first, rest(100, .whole, there)])
    #expect(plans(9800, 48000) == [first, rest(100, .whole, ObjectState(gain: 0.5))])
    let ramp = plan(100, 1100, .whole, there)
    #expect(plans(1000, 44100) == [first, ramp, rest(1100, .atOnce, there)])
  }

  private func refusal(_ elements: [WrittenElement], rate: Int = 48000) -> ADMError.Code? {
    #expect(throws: ADMError.self) {
      try ADMWriter(
        WrittenProgramme(name: "", sampleRate: rate, length: 100, elements: elements))
    }?.code
  }

  @Test("empty programmes, impossible values, ears, order 7 and rate 0 are refused when written")
  func whatCannotBeWrittenIsRefused() {
    func object(_ state: ObjectState, start: Int64 = 0) -> [WrittenElement] {
      [.object(name: "Bad", [WrittenBlock(start: start, state: state)])]
    }
    #expect(refusal([]) == .limit)
    #expect(refusal([.object(name: "", [])]) == .value)
    #expect(refusal(object(ObjectState(), start: 100)) == .value)
    #expect(refusal(object(ObjectState(), start: -1)) == .value)
    #expect(refusal(object(ObjectState(gain: .nan))) == .value)
    #expect(refusal(object(ObjectState(gain: -1))) == .value)
    #expect(refusal(object(ObjectState(diffuse: 1.5))) == .value)
    #expect(refusal(object(ObjectState(position: .cartesian(x: .infinity, y: 0, z: 0)))) == .value)
    let ear = ObjectState(rules: ObjectRules(role: .ear(.left)))
    #expect(refusal(object(ear)) == .unsupported)
    #expect(refusal([.scene(name: "", order: 7)]) == .unsupported)
    #expect(refusal([.bed(name: "", .stereo)], rate: 0) == .value)
    let block = WrittenBlock(start: 5, state: ObjectState())
    #expect(refusal([.object(name: "", [block, block])]) == .value)
  }
}
