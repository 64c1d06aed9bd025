// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// The seeds that `make fuzz` begins with, some of which other tests render: short synthetic streams and
/// mutations of them, so that nothing of anybody's programme is in the repository.
@Suite struct FuzzSeedTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/Seeds/AC4")

  private static func streams() throws -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for (index, mode) in [0, 1, 4].compactMap(AC4ChannelMode.init(rawValue:)).enumerated() {
      for index48 in [1, 13] {
        let rate = try AC4FrameRate(index: index48, is48kHz: true)
        var stream = SyntheticStream(rate, mode, seed: UInt64(7 + index))
        var noise = SeededNoise(seed: UInt64(70 + index))
        let name = "\(mode.channels)-channels-rate-\(rate.index)"
        add(name, &noise, to: &all) { stream.next().raw }
      }
    }
    try addCoupled(to: &all)
    addMixed(to: &all)
    try addObjects(to: &all)
    try addImmersive(to: &all)
    for (name, frames) in try DownmixTests.streams() {
      all[name] = frames.flatMap(synchronised)
    }
    var spread = SyntheticStream(
      try AC4FrameRate(index: 2, is48kHz: true), .stereo, seed: 78)
    for number in 0..<6 {
      let isIFrame = number % 3 == 0
      let frame = spread.next(isIFrame: isIFrame)
      all["spread-whole", default: []] += synchronised(frame.raw)
      for part in try spread.spread(frame, number: number, isIFrame: isIFrame, over: 4) {
        all["spread-over-4", default: []] += synchronised(part)
      }
    }
    var fast = SyntheticStream(
      try AC4FrameRate(index: 13, is48kHz: true), .stereo, seed: 77, rateMultiplier: 0)
    all["rate-96000"] = (0..<4).flatMap { _ in synchronised(fast.next().raw) }
    return all
  }

  /// A stream in each coupled codec mode.
  private static func addCoupled(to all: inout [String: [UInt8]]) throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let cases: [(mode: Int, codec: CodecMode, values: [[Int]])] = [
      (1, .partlyCoupled, [[20, 3]]), (1, .coupled, [[12, 5]]),
      (4, .partlyCoupled, [[20, 3], [12, 5]]),
      (4, .widelyCoupled, [[16, 20, 2, 3, 1, 9, -2, 1, 8, 4, 4]]),
      (6, .coupled, [[20, 3], [12, 5]]),
    ]
    for (place, test) in cases.enumerated() {
      guard let mode = AC4ChannelMode(rawValue: test.mode) else { continue }
      let settings = CoupledElement.Settings(
        codec: test.codec, firstSubband: test.codec == .partlyCoupled ? 6 : 0,
        values: test.values)
      var stream = SyntheticStream(rate, mode, seed: UInt64(40 + place)) {
        CoupledElement($0, $1, settings, addsToSurrounds: false)
      }
      var noise = SeededNoise(seed: UInt64(90 + place))
      add("\(mode.channels)-channels-\(test.codec)", &noise, to: &all) { stream.next().raw }
    }
  }

  /// Presentations of several substreams, of bitstream versions 2 and 0.
  private static func addMixed(to all: inout [String: [UInt8]]) {
    let parts = [
      MixedStream.Part(mode: .stereo, content: 1),
      MixedStream.Part(mode: .mono, content: 4, isDialogue: true, maximumGain: 1, pans: [10]),
      MixedStream.Part(mode: .mono, content: 2, scales: [10, 3, nil, 220]),
    ]
    for isOld in [false, true] {
      var stream = MixedStream(3, parts, seed: isOld ? 61 : 60, isOld: isOld)
      var noise = SeededNoise(seed: isOld ? 63 : 62)
      let mix = MixedStream.Mix(gains: [8, 4, 0], scales: [20, 5, 10, 20])
      add("mixed-version-\(isOld ? 0 : 2)", &noise, to: &all) { stream.next(mix).raw }
    }
  }

  /// 7.1.4 in each codec mode.
  private static func addImmersive(to all: inout [String: [UInt8]]) throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let mode = AC4ChannelMode(rawValue: 12) ?? .mono
    for codec in [CodecMode.simple, .extended, .partlyCoupled, .coupled, .joint] {
      let settings = CoupledElement.Settings(
        codec: codec, firstSubband: codec == .partlyCoupled ? 6 : 0,
        values: codec.isCoupled ? [[20, 3], [12, 5], [16, 2], [8, 1]] : [])
      var stream = SyntheticStream(rate, mode, seed: UInt64(110 + codec.rawValue)) { length, _ in
        ImmersiveElement(length, settings)
      }
      var noise = SeededNoise(seed: UInt64(120 + codec.rawValue))
      add("12-channels-\(codec)", &noise, to: &all) { stream.next().raw }
    }
  }

  /// Objects with all that their syntax has: an I-frame, and two that refer to it.
  private static func addObjects(to all: inout [String: [UInt8]]) throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let cases: [(name: String, settings: ObjectStream.Settings)] = [
      ("moving", .init(signals: 3, objects: 4, moves: true, dialogue: [1])),
      ("extended", .init(signals: 2, objects: 5, hasLFE: false, isExtended: true, bedCode: 0)),
      ("over-a-bed", .init(signals: 5, objects: 6, isStatic: true, moves: true)),
      ("alternative", .init(signals: 1, objects: 2, moves: true, isAlternative: true)),
    ]
    for (place, test) in cases.enumerated() {
      var stream = ObjectStream(test.settings, rate: rate, seed: UInt64(80 + place))
      var noise = SeededNoise(seed: UInt64(85 + place))
      var number = 0
      add("objects-\(test.name)", &noise, to: &all) {
        number += 1
        return stream.next(isIFrame: number == 1).raw
      }
    }
  }

  /// Three frames, as they are and with flipped bits.
  private static func add(
    _ name: String, _ noise: inout SeededNoise, to all: inout [String: [UInt8]],
    frame: () -> [UInt8]
  ) {
    let bytes = (0..<3).flatMap { _ in synchronised(frame()) }
    all[name] = bytes
    var mutated = bytes
    for _ in 0..<12 {
      mutated[Int.random(in: 4..<mutated.count, using: &noise)] ^=
        1 << UInt8.random(in: 0..<8, using: &noise)
    }
    all[name + "-mutated"] = mutated
  }

  /// A frame without CRC behind its sync word (ETSI TS 103 190-1, annex G).
  private static func synchronised(_ raw: [UInt8]) -> [UInt8] {
    [0xAC, 0x40, UInt8(raw.count >> 8), UInt8(raw.count & 255)] + raw
  }

  /// `PINNA_RENEW_SEEDS=1` writes them anew, which fails that run.
  @Test("the committed seeds of AC-4 are the streams that the tests write")
  func theCommittedSeedsAreTheseStreams() throws {
    let isRenewing = ProcessInfo.processInfo.environment["PINNA_RENEW_SEEDS"] != nil
    for (name, bytes) in try FuzzSeedTests.streams() {
      let url = FuzzSeedTests.folder.appendingPathComponent(name + ".ac4")
      if isRenewing { try Data(bytes).write(to: url) }
      #expect(try Array(Data(contentsOf: url)) == bytes, "\(name)")
    }
    #expect(!isRenewing, "the seeds are written anew; run the test again")
  }

  @Test("each undamaged seed of AC-4 gives samples from its first frame")
  func wholeSeedsDecode() throws {
    for (name, bytes) in try FuzzSeedTests.streams()
    where !name.hasSuffix("mutated") && name != "spread-over-4" {
      var scanner = AC4FrameScanner()
      scanner.push(bytes)
      scanner.finish()
      let found = scanner.next()
      let first = try #require(found)
      let decoder = try AC4Decoder(rawFrame: first.rawFrame)
      let output = AudioBuffer(channels: decoder.planes)
      try decoder.decode(rawFrame: first.rawFrame, into: output)
      #expect(output.frames > 0, "\(name)")
    }
  }
}
