// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal
import TestSupport
import Testing

@testable import JOC
@testable import ObjectMetadata

/// Damaged payloads neither trap nor give values out of range.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct MutationTests {
  /// A payload with a few other bits, perhaps cut.
  private func damaged(_ bytes: [UInt8], _ random: inout SeededNoise) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      // Headers lie in front and decide most.
      let isFront = Bool.random(using: &random)
      let place = Int.random(in: 0..<(isFront ? min(24, bytes.count) : bytes.count), using: &random)
      bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
    }
    return bytes
  }

  private let rounds = Soak.rounds(2500, soak: 250_000)

  private func payloads() throws -> (objects: [[UInt8]], coefficients: [[UInt8]]) {
    var (objects, coefficients): ([[UInt8]], [[UInt8]]) = ([], [])
    for name in CoefficientTests.streams {
      for frame in try JOCOracle.frames(name).prefix(24) {
        try frame.withUnsafeBufferPointer { bytes in
          let container = try #require(MetadataScanner.container(in: bytes))
          for (payload, isObjects) in [(container.objects, true), (container.coefficients, false)] {
            let payload = try #require(payload)
            var bits = payload.bits(in: bytes)
            let copy = try bits.bytes(payload.size)
            if isObjects { objects.append(copy) } else { coefficients.append(copy) }
          }
        }
      }
    }
    for made in try JOCOracle.lines("synthetic.jsonl") {
      let bytes = MadePayload.bytes(hex: made["hex"] as? String ?? "")
      // Made payloads have what streams lack, so they count more often.
      for _ in 0..<10 {
        if made["kind"] as? String == "joc" {
          coefficients.append(bytes)
        } else {
          objects.append(bytes)
        }
      }
    }
    return (objects, coefficients)
  }

  @Test("damaged metadata of objects give places, gains and ramps in their ranges, or are refused")
  func damagedMetadataStayInRange() throws {
    let seeds = try payloads().objects
    var random = SeededNoise(seed: 1)
    let frame = ObjectFrame()
    var used = 0
    for _ in 0..<rounds {
      let bytes = damaged(try #require(seeds.randomElement(using: &random)), &random)
      let isRead = bytes.withUnsafeBufferPointer { bytes in
        (try? ObjectReader.read(BitReader(bytes), size: bytes.count, into: frame)) != nil
      }
      guard isRead else { continue }
      used += 1
      var timeline = ObjectTimeline(Array(repeating: ObjectStates.initial, count: 16))
      timeline.add(frame, start: 0, delay: 0, objects: Array(0..<frame.assignment.count))
      timeline.take(before: .max) { update in
        let places = update.state.position.coordinates
        let fits =
          places.allSatisfy { (-1...1).contains($0) } && (0...6).contains(update.state.gain)
          && (0...2047).contains(update.ramp) && (256..<2400).contains(update.at)
        if !fits { Issue.record("\(update)") }
      }
      _ = try? JOCProgramme(frame)
    }
    #expect(used > rounds / 5, "\(used)")
  }

  @Test("damaged coefficients stay in their range or are refused")
  func damagedCoefficientsStayInRange() throws {
    let seeds = try payloads().coefficients
    var random = SeededNoise(seed: 2)
    let frame = CoefficientFrame()
    let readers = [CoefficientReader(.chained), CoefficientReader(.printed)]
    var used = 0
    for turn in 0..<rounds {
      let bytes = damaged(try #require(seeds.randomElement(using: &random)), &random)
      let isRead = bytes.withUnsafeBufferPointer { bytes in
        (try? readers[turn % 2].read(BitReader(bytes), size: bytes.count, into: frame)) != nil
      }
      guard isRead else { continue }
      used += 1
      #expect((1...8.75).contains(frame.clipGain))
      for object in 0..<frame.count where frame.headers[object].isPresent {
        let header = frame.headers[object]
        for point in 0..<header.points {
          for channel in 0..<frame.channels {
            let codes = frame.codes(object: object, point: point, channel: channel)
            for band in 0..<header.bands
            where frame.coefficient(codes[band], of: object).magnitude > 9.7 {
              Issue.record("object \(object), band \(band)")
            }
          }
        }
      }
    }
    #expect(used > rounds / 5, "\(used)")
  }

  /// Every unit has the payloads of another one.
  @Test("shuffled units are counted as breaks and give bounded sound")
  func payloadsOfOtherUnitsGiveBoundedSound() throws {
    let units = try JOCOracle.frames("made.coding")
    var random = SeededNoise(seed: 4)
    let core = (0..<6).map { _ in random.samples(units.count * 1536) }
    let found = try DecodedProgramme(units.shuffled(using: &random), core, survey: units)
    #expect(found.decoder.findings.breaks > units.count / 2)
    #expect(found.decoder.findings.heldCoefficients == 0)
    for plane in 0..<found.programme.sources.count {
      let peak = found.plane(plane).reduce(0) { max($0, $1.magnitude) }
      #expect(peak.isFinite && peak > 0 && peak < 9.61 * 7 * 8.75 * 4, "plane \(plane)")
    }
  }

  /// Bits change anywhere between the first payload and the end of the container.
  @Test("240 units with four other bits each give all frames and bounded sound")
  func damagedUnitsGiveBoundedSound() throws {
    let units = try JOCOracle.frames("made.coding")
    var random = SeededNoise(seed: 3)
    let planes = (0..<6).map { _ in random.samples(24 * 1536) }
    let damagedUnits = try (0..<240).map { index -> [UInt8] in
      var unit = units[index % 24]
      let container = try #require(
        unit.withUnsafeBufferPointer { MetadataScanner.container(in: $0) })
      let first = try #require(container.objects?.start)
      for _ in 0..<4 {
        let bit = Int.random(in: first..<container.end, using: &random)
        unit[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      }
      return unit
    }
    let core = planes.map { plane in (0..<10).flatMap { _ in plane } }
    let found = try DecodedProgramme(damagedUnits, core, survey: units)
    #expect(found.decoder.findings.heldCoefficients > 20)
    #expect(found.decoder.findings.heldCoefficients < 220)
    #expect(found.block.frames == 240 * 1536)
    for plane in 0..<found.programme.sources.count {
      let peak = found.plane(plane).reduce(0) { max($0, $1.magnitude) }
      // Coefficient times channels times gain, and what the bank's filters add.
      #expect(peak.isFinite && peak < 9.61 * 7 * 8.75 * 4, "plane \(plane)")
    }
  }
}
