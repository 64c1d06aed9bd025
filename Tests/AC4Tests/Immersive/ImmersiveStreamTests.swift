// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Whole streams of 7.1.4 in every codec mode that is decoded: every signal goes to its loudspeakers with its gains.
@Suite struct ImmersiveStreamTests {
  private static let root = 2.0.squareRoot()

  private static func stream(
    _ codec: CodecMode, _ settings: CoupledElement.Settings, seed: UInt64
  ) throws -> SyntheticStream {
    let mode = try #require(AC4ChannelMode(rawValue: 12))
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    return SyntheticStream(rate, mode, seed: seed) { length, _ in
      ImmersiveElement(length, settings)
    }
  }

  private static func settings(
    _ codec: CodecMode, _ noise: inout SeededNoise
  ) -> CoupledElement.Settings {
    var settings = CoupledElement.Settings(codec: codec, values: [])
    guard codec.isCoupled else { return settings }
    settings.bandCode = Int.random(in: 0...3, using: &noise)
    settings.isCoarse = Bool.random(using: &noise)
    if codec == .partlyCoupled { settings.firstSubband = Int.random(in: 4...8, using: &noise) }
    let range = ACPLQuantity.alpha.range(isCoarse: settings.isCoarse)
    settings.values = (0..<4).map { _ in [Int.random(in: range, using: &noise), 0] }
    return settings
  }

  /// For each channel in the decoder's coded order the gain of each coded signal, below and above the first subband with
  /// parameters (TS 103 190-2, 5.3.3, and the gains behind A-SPX).
  private static func gains(
    _ settings: CoupledElement.Settings
  ) -> (below: [[Double]], above: [[Double]]) {
    if settings.codec == .joint { return (joint, joint) }
    var sums = (0..<12).map { row in (0..<12).map { row == $0 ? 1.0 : 0 } }
    for channel in 0..<3 { sums[channel][channel] = 2 }
    var coupled = sums
    let table = settings.isCoarse ? ACPLTables.alphaCoarse : ACPLTables.alphaFine
    // Surrounds with backs, tops in front with those behind.
    for (place, pair) in [(4, 6), (5, 7), (8, 10), (9, 11)].enumerated() {
      let (own, other) = (ImmersiveElement.places[pair.0], ImmersiveElement.places[pair.1])
      for (row, sign) in [(pair.0, 1.0), (pair.1, -1.0)] {
        sums[row] = [Double](repeating: 0, count: 12)
        sums[row][own] = root
        sums[row][other] = sign * root
        guard settings.codec.isCoupled else { continue }
        let alpha = Double(table[settings.values[place][0]])
        coupled[row] = [Double](repeating: 0, count: 12)
        coupled[row][own] = root * (1 + sign * alpha)
      }
    }
    guard settings.codec.isCoupled else { return (sums, sums) }
    return (settings.codec == .coupled ? coupled : sums, coupled)
  }

  /// The matrix for joint coding with the values that ``ImmersiveElement`` writes: alpha 0, dry values 0.2 and 0.2, and
  /// nothing decorrelated.
  private static let joint: [[Double]] = {
    let scale = 2 + 1 / root
    var rows = (0..<12).map { _ in [Double](repeating: 0, count: 12) }
    rows[2][2] = scale
    rows[3][3] = 1
    for side in 0..<2 {
      rows[side][side] = 0.5 * scale
      rows[8 + side][side] = root * 0.5 * scale
      for (row, share) in [(4, 0.2), (6, 0.2), (10, 0.6)] {
        rows[row + side][4 + side] = root * share * scale
      }
    }
    return rows
  }()

  @Test(
    "7.1.4 in each codec mode has the samples of the standard's formulas", .tags(.slow),
    .fullRunOnly,
    arguments: [CodecMode.simple, .extended, .partlyCoupled, .coupled, .joint], 1...3)
  func isTheFormula(codec: CodecMode, seed: Int) throws {
    var noise = SeededNoise(seed: UInt64(300 + 10 * codec.rawValue + seed))
    let settings = ImmersiveStreamTests.settings(codec, &noise)
    var stream = try ImmersiveStreamTests.stream(codec, settings, seed: UInt64(seed))
    let frames = (0..<7).map { stream.next(isIFrame: $0 % 4 == 0) }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    #expect(decoder.format.layout == ChannelLayout(name: "7.1.4"))
    let output = AudioBuffer(channels: 12)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    #expect(output.frames == 7 * 2048)
    #expect(decoder.unverified == .immersive(codec))
    let tracks = (0..<12).map { signal -> [Double] in
      frames[0].lines[signal].isEmpty
        ? [Double](repeating: 0, count: output.frames)
        : SlowTransform.formula(frames, signal, 2048)
    }
    let gains = ImmersiveStreamTests.gains(settings)
    let crossover = codec == .simple ? 62 : try SyntheticExtension.bands().crossover
    let first = settings.firstSubband
    let below = 0..<max(0, first - 2)
    let above = (first == 0 ? 0 : first + 2)..<crossover - 3
    let layout = decoder.format.layout
    let speakers: [Speaker] = [
      .frontLeft, .frontRight, .frontCenter, .lowFrequency, .sideLeft, .sideRight, .backLeft,
      .backRight, .topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight,
    ]
    for (subbands, rows) in [(below, gains.below), (above, gains.above)] where !subbands.isEmpty {
      let meter = SubbandRatio(subbands, of: tracks)
      for (channel, speaker) in speakers.enumerated() {
        let plane = try #require(layout.speakers.firstIndex(of: speaker))
        let found = Array(output.channel(plane))
        let wanted = SubbandRatio.mix(tracks, rows[channel], count: found.count)
        let ratio = meter.decibels(found, wanted)
        #expect(ratio > 64, "\(speaker), subbands \(subbands): \(ratio) dB")
      }
    }
  }

  /// Channels that are absent by the table of contents don't come out.
  @Test(
    "channels absent from a 7.1.4 stream are left out, and the others sound",
    arguments: [
      (true, 3, "7.1.4"), (false, 3, "5.1.4"), (false, 1, "5.1.2"), (false, 2, "5.1.2"),
      (true, 0, "7.1"), (false, 0, "5.1(side)"),
    ])
  func absentChannelsAreLeftOut(hasBacks: Bool, tops: Int, name: String) throws {
    var noise = SeededNoise(seed: 31)
    let settings = ImmersiveStreamTests.settings(.simple, &noise)
    var stream = try ImmersiveStreamTests.stream(.simple, settings, seed: 8)
    stream.immersion = (hasBacks, tops)
    let frames = (0..<4).map { _ in stream.next() }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let wanted = try #require(ChannelLayout(name: name))
    let found = decoder.format.layout.speakers
    // Tops above the sides stand elsewhere than those in front.
    let expected = wanted.speakers.map { speaker -> Speaker in
      tops == 3
        ? speaker
        : [.topFrontLeft: .topSideLeft, .topFrontRight: .topSideRight][speaker] ?? speaker
    }
    #expect(Set(found) == Set(expected), "\(found)")
    let output = AudioBuffer(channels: decoder.planes)
    for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
    decoder.flush(into: output)
    #expect(output.frames == 4 * 2048)
    for channel in 0..<decoder.planes {
      #expect(output.channel(channel).contains { abs($0) > 1e-4 }, "\(found[channel]) is silent")
    }
  }
}
