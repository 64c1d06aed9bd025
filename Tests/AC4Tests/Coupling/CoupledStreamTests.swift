// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Whole streams in the coupled codec modes: every signal goes to its channels with its gains.
@Suite struct CoupledStreamTests {
  struct Case: CustomTestStringConvertible {
    let mode: Int
    let codec: CodecMode
    var addsToSurrounds = false

    var testDescription: String { "mode \(mode), \(codec), \(addsToSurrounds)" }
  }

  static let cases: [Case] =
    [1, 3, 4].flatMap { mode in
      [CodecMode.partlyCoupled, .coupled].map { Case(mode: mode, codec: $0) }
    }
    + [3, 4].map { Case(mode: $0, codec: .widelyCoupled) }
    + (5...10).flatMap { mode in
      [CodecMode.partlyCoupled, .coupled].flatMap { codec in
        (mode < 7 ? [false] : [false, true]).map {
          Case(mode: mode, codec: codec, addsToSurrounds: $0)
        }
      }
    }

  private static let length = 2048

  @Test(
    "a stream in a coupled mode has the samples of the standard's formulas", .tags(.slow),
    .fullRunOnly, arguments: cases) func isTheFormula(_ test: Case) throws
  {
    let mode = try #require(AC4ChannelMode(rawValue: test.mode))
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    for seed in 1...3 {
      var noise = SeededNoise(seed: UInt64(100 * test.mode + 10 * test.codec.rawValue + seed))
      let settings = CoupledStreamTests.settings(test, mode, &noise)
      var stream = SyntheticStream(
        rate, mode, seed: UInt64(seed), addsToSurrounds: test.addsToSurrounds
      ) {
        CoupledElement($0, $1, settings, addsToSurrounds: test.addsToSurrounds)
      }
      // Settings of the first frame go on in the ones that only send differences.
      let frames = (0..<7).map { stream.next(isIFrame: $0 % 4 == 0) }
      let decoder = try AC4Decoder(rawFrame: frames[0].raw)
      let output = AudioBuffer(channels: mode.channels)
      for frame in frames { try decoder.decode(rawFrame: frame.raw, into: output) }
      decoder.flush(into: output)
      #expect(output.frames == frames.count * CoupledStreamTests.length)
      let tracks = (0..<mode.channels).map { channel -> [Double] in
        guard frames[0].lines[channel].isEmpty else {
          return SlowTransform.formula(frames, channel, CoupledStreamTests.length)
        }
        return [Double](repeating: 0, count: output.frames)
      }
      let gains = CoupledStreamTests.gains(test, mode, settings)
      let crossover = try SyntheticExtension.bands().crossover
      let below = 0..<max(0, settings.firstSubband - 2)
      let above = (settings.firstSubband == 0 ? 0 : settings.firstSubband + 2)..<crossover - 3
      for (subbands, rows) in [(below, gains.below), (above, gains.above)] where !subbands.isEmpty {
        let meter = SubbandRatio(subbands, of: tracks)
        for channel in 0..<mode.channels {
          let found = Array(output.channel(mode.places[channel]))
          let wanted = SubbandRatio.mix(tracks, rows[channel], count: found.count)
          let ratio = meter.decibels(found, wanted)
          #expect(ratio > 64, "channel \(channel), subbands \(subbands): \(ratio) dB")
        }
      }
    }
  }

  /// Decodes frames of which the fifth can't be read.
  private static func concealingTheFifth(
    _ frames: [[UInt8]]
  ) throws -> (decoder: AC4Decoder, output: AudioBuffer) {
    let decoder = try AC4Decoder(rawFrame: frames[0])
    let output = AudioBuffer(channels: 2)
    for (number, frame) in frames.enumerated() {
      if number == 4 {
        decoder.conceal(into: output)
      } else {
        try decoder.decode(rawFrame: frame, into: output)
      }
    }
    decoder.flush(into: output)
    return (decoder, output)
  }

  /// The power of both channels from a sample on, never 0.
  private static func powers(_ output: AudioBuffer, from: Int) -> [Double] {
    (0..<2).map { output.channel($0)[from...].reduce(1e-30) { $0 + Double($1 * $1) } }
  }

  /// A frame that can't be read keeps its sound where it was. With alpha 1 (index 24) everything is in the left
  /// channel, with alpha −1 (index 8) in the right one.
  @Test(
    "an unreadable frame of a coupled stream keeps sound in its channel",
    arguments: [(24, 0), (8, 1)]) func concealsInPlace(alpha: Int, side: Int) throws
  {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let settings = CoupledElement.Settings(codec: .coupled, values: [[alpha, 0]])
    var stream = SyntheticStream(rate, .stereo, seed: 3) {
      CoupledElement($0, $1, settings, addsToSurrounds: false)
    }
    let frames = (0..<8).map { _ in stream.next() }
    let (_, output) = try CoupledStreamTests.concealingTheFifth(frames.map(\.raw))
    #expect(output.frames == 8 * 2048)
    let from = 2 * 2048
    let powers = CoupledStreamTests.powers(output, from: from)
    #expect(powers[side] > 0.1)
    #expect(10 * log10(powers[side] / powers[1 - side]) > 60)
  }

  /// A frame that can't be read goes on with the parameters sent last, not with older ones.
  @Test("an unreadable frame keeps the coupling parameters sent last")
  func concealsWithTheLastParameters() throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    // One sound in both streams, first all in the right channel, from the fourth frame on all in the left one.
    var streams = [8, 24].map { alpha in
      let settings = CoupledElement.Settings(codec: .coupled, values: [[alpha, 0]])
      return SyntheticStream(rate, .stereo, seed: 5) {
        CoupledElement($0, $1, settings, addsToSurrounds: false)
      }
    }
    let frames = (0..<8).map { number in
      let both = [streams[0].next(), streams[1].next()]
      return both[number < 3 ? 0 : 1]
    }
    let (decoder, output) = try CoupledStreamTests.concealingTheFifth(frames.map(\.raw))
    // Control data wait a frame, and the fourth frame's are reached at its end.
    let from = 5 * 2048 - decoder.codedDelay + 900
    let powers = CoupledStreamTests.powers(output, from: from)
    #expect(powers[0] > 0.01)
    #expect(10 * log10(powers[0] / powers[1]) > 60)
  }

  /// Frames after a damaged I-frame can't be decoded by the settings of the one before.
  @Test("frames after a damaged I-frame need the next I-frame, and all frames keep their time")
  func lostIFramesTakeTheirSettingsAlong() throws {
    let rate = try AC4FrameRate(index: 13, is48kHz: true)
    let settings = CoupledElement.Settings(codec: .coupled, values: [[24, 0]])
    var stream = SyntheticStream(rate, .stereo, seed: 4) {
      CoupledElement($0, $1, settings, addsToSurrounds: false)
    }
    let frames = (0..<8).map { stream.next(isIFrame: $0 % 3 == 0) }
    let decoder = try AC4Decoder(rawFrame: frames[0].raw)
    let output = AudioBuffer(channels: 2)
    for (number, frame) in frames.enumerated() {
      var raw = frame.raw
      if number == 3 {
        let audio = try AC4TableOfContents(rawFrame: raw).substreams[0]
        for at in audio.lowerBound + 3..<audio.upperBound { raw[at] = 0xFF }
      }
      if (3...5).contains(number) {
        let error = #expect(throws: AC4Error.self) {
          try decoder.decode(rawFrame: raw, into: output)
        }
        if number > 3, case .needsIFrame = error {} else { #expect(number == 3, "\(number)") }
        decoder.conceal(into: output)
      } else {
        try decoder.decode(rawFrame: raw, into: output)
      }
    }
    decoder.flush(into: output)
    #expect(output.frames == 8 * 2048)
  }

  // MARK: Expected output

  static func settings(
    _ test: Case, _ mode: AC4ChannelMode, _ noise: inout SeededNoise
  ) -> CoupledElement.Settings {
    let isCoarse = Bool.random(using: &noise)
    var settings = CoupledElement.Settings(codec: test.codec, values: [])
    settings.bandCode = Int.random(in: 0...3, using: &noise)
    settings.isCoarse = isCoarse
    if test.codec == .partlyCoupled {
      settings.firstSubband = Int.random(in: 4...8, using: &noise)
    }
    func random(_ quantity: ACPLQuantity) -> Int {
      Int.random(in: quantity.range(isCoarse: isCoarse), using: &noise)
    }
    if test.codec == .widelyCoupled {
      settings.values = [
        [random(.alpha), random(.alpha), 0, 0, 0] + (0..<6).map { _ in random(.gamma) }
      ]
    } else {
      settings.values = (0..<(mode == .stereo ? 1 : 2)).map { _ in [random(.alpha), 0] }
    }
    return settings
  }

  /// For each output the gain of each track, below and above the first subband with parameters.
  private static func gains(
    _ test: Case, _ mode: AC4ChannelMode, _ settings: CoupledElement.Settings
  ) -> (below: [[Double]], above: [[Double]]) {
    let count = mode.channels
    var below = (0..<count).map { row in (0..<count).map { row == $0 ? 1.0 : 0 } }
    let shift = mode.hasLFE ? 1 : 0
    let table = settings.isCoarse ? ACPLTables.alphaCoarse : ACPLTables.alphaFine
    let root = 2.0.squareRoot()
    if test.codec == .widelyCoupled {
      let step = (settings.isCoarse ? 3276.0 : 1638) / 16384
      let values = settings.values[0]
      let g = values[5...].map { Double($0) * step * (1 + root) }
      for side in 0..<2 {
        let alpha = Double(table[values[side]])
        let near = side
        let far = 3 + shift + side
        for track in 0..<2 {
          below[near][track] = g[2 * side + track] * (1 + alpha) / 2
          below[far][track] = root * g[2 * side + track] * (1 - alpha) / 2
        }
        below[far][far] = 0
      }
      below[2] = (0..<count).map { $0 < 2 ? root * g[4 + $0] : 0 }
      return (below, below)
    }
    // Pairs as Table 202 and the pseudocode name them.
    let (ls, lb) = (3 + shift, 5 + shift)
    let pairs: [(Int, Int)]
    switch test.mode {
    case 1: pairs = [(0, 1)]
    case 3, 4: pairs = [(0, ls), (1, ls + 1)]
    case 5, 6: pairs = [(ls, lb), (ls + 1, lb + 1)]
    default:
      pairs =
        test.addsToSurrounds ? [(ls, lb), (ls + 1, lb + 1)] : [(0, lb), (1, lb + 1)]
    }
    var above = below
    for (place, pair) in pairs.enumerated() {
      let alpha = Double(table[settings.values[place][0]])
      below[pair.0][pair.1] = 1
      below[pair.1][pair.0] = 1
      below[pair.1][pair.1] = -1
      above[pair.0][pair.0] = 1 + alpha
      above[pair.1][pair.0] = 1 - alpha
      above[pair.1][pair.1] = 0
    }
    let raised = test.mode == 1 ? [] : Array(ls..<count)
    for channel in raised {
      below[channel] = below[channel].map { root * $0 }
      above[channel] = above[channel].map { root * $0 }
    }
    return (below, above)
  }
}
