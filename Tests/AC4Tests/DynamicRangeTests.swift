// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite struct DynamicRangeTests {
  /// The curve that ChannelCheck sends for portable devices is the film standard profile.
  @Test(
    "ChannelCheck's curve for portable devices is the film standard profile", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func theSentCurveIsFilmStandard() throws {
    var inspector = AC4Inspector()
    let frame = try RealStream.channelCheck.frames()[0].rawFrame
    let range = try #require(
      try inspector.inspect(rawFrame: frame).presentations[0].dynamicRange)
    guard case .curve(let curve) = range.modes[2].profile else {
      Issue.record("mode 2 has no curve")
      return
    }
    let film = try #require(DRCSettings(profile: 1))
    for level in stride(from: Float(-60), through: 60, by: 0.5) {
      #expect(DRCSettings(curve).gain(at: level) == film.gain(at: level))
    }
  }

  /// The profiles as ETSI TS 103 190-1, 5.7.9, has them: points in dB and dB2, times in ms, thresholds in dB.
  @Test(
    "range control profiles 1…5 have the standard's points, times and thresholds, others don't exist"
  )
  func theProfilesAreTheStandards() {
    let curves: [[(Float, Float)]] = [
      [(-12, 6), (0, 0), (5, 0), (15, -5), (35, -24)],
      [(-22, 6), (-10, 0), (10, 0), (20, -5), (40, -24)],
      [(-24, 12), (0, 0), (5, 0), (15, -5), (35, -24)], [(-34, 12), (-10, 0), (10, 0), (40, -15)],
      [(-19, 15), (0, 0), (5, 0), (15, -5), (35, -24)],
    ]
    let times: [[Float]] = [
      [100, 3000, 10, 1000], [100, 3000, 10, 1000], [100, 10_000, 10, 1000],
      [100, 3000, 10, 1000], [100, 1000, 10, 200],
    ]
    for profile in 1...5 {
      let settings = DRCSettings(profile: profile)
      let points = settings?.points.map { [$0.level, $0.gain] }
      #expect(points == curves[profile - 1].map { [$0.0, $0.1] }, "\(profile)")
      #expect(settings?.times == times[profile - 1], "\(profile)")
      #expect(settings?.thresholds?.attack == (profile == 5 ? 10 : 15), "\(profile)")
      #expect(settings?.thresholds?.release == (profile == 5 ? 10 : 20), "\(profile)")
    }
    #expect(DRCSettings(profile: 0) == nil && DRCSettings(profile: 6) == nil)
  }

  /// Gains in dB of a mono programme, one for each frame of 32 slots (42.7 ms), whose power steps by `step` dB from frame
  /// 600 on. Its level is `start` dB above dialogue before.
  private func gains(start: Double, step: Double, frames: Int, profile: Int = 1) -> [Double] {
    var data = AC4DynamicRange()
    data.isPresent = true
    data.profile = profile
    var curve = AC4DRCMode.film
    curve.id = 0
    data.modes = [curve]
    let controller = DynamicRangeController(.mono, .line, slots: 32, rate: 48_000)
    let frame = SubbandFrame(slots: 32)
    // One subband about 1 kHz, where K-weighting is flat but for its offset.
    let scale = QMF.prototype.reduce(0) { $0 + $1 * $1 } * 64
    return (0..<(600 + frames)).map { index in
      let level = -40 + start + (index < 600 ? 0 : step)
      let value = Float((pow(10, level / 10) * scale).squareRoot()) * QMF.fullScale
      for slot in 0..<32 {
        frame.real.row(2)[slot] = value
        frame.imaginary.row(2)[slot] = 0
      }
      controller.apply(
        DynamicRangeController.Control(data: data, dialnorm: -40), [frame])
      return 20 * log10(Double(frame.real.row(2)[31] / value))
    }
  }

  /// A level that is 24 dB2 too loud is turned down by exactly that: 24 times 20·lg 2 / 6 dB.
  @Test("a level 38 dB above dialogue is turned down by 24 dB2 within 0.05 dB")
  func theGreatestCutIsExact() throws {
    let gain = try #require(gains(start: 38, step: 0, frames: 1).last)
    #expect((gain + 24 * 20 * log10(2) / 6).magnitude < 0.05, "\(gain)")
  }

  /// Steps within the thresholds are followed with 100 ms upwards and 3 s downwards, the times in which the power halves
  /// its distance.
  @Test(
    "a step upwards is followed for 90 % in 8 frames, and one downwards for less than 10 % in 12")
  func stepsAreFollowedInTheStandardsTimes() {
    func way(_ gains: [Double], after frames: Int) -> Double {
      let (first, last) = (gains[599], gains[gains.count - 1])
      return (gains[599 + frames] - first) / (last - first)
    }
    // A frame lasts 42.7 ms. The way is measured in dB of the gain.
    let attack = gains(start: 16, step: 12, frames: 600)
    #expect(way(attack, after: 1) > 0.3 && way(attack, after: 1) < 0.75)
    #expect(way(attack, after: 8) > 0.9)
    let release = gains(start: 28, step: -12, frames: 1500)
    #expect(way(release, after: 12) < 0.1)
    #expect(way(release, after: 70) > 0.02 && way(release, after: 70) < 0.6)
  }

  /// Channels in coded order with the group of each: front and low frequencies, centre, the others (TS 103 190-1,
  /// 5.7.9.3).
  private static let groups: [(mode: AC4ChannelMode, groups: [Int])] = [
    (.mono, [0]), (.stereo, [0, 0]), (.fiveZero, [0, 0, 1, 2, 2]), (.fiveOne, [0, 0, 1, 0, 2, 2]),
  ]

  @Test(
    "gains sent for groups, bands and subframes act on theirs alone, in 1 to 4 bands of mono to 5.1",
    arguments: groups.indices, 0...3)
  func sentGainsActOnTheirOwn(row: Int, configuration: Int) throws {
    let (mode, groups) = DynamicRangeTests.groups[row]
    let borders = [[0], [0], [0, 5], [0, 1, 5, 17]][configuration]
    let isSingle = configuration == 0
    let subframes = isSingle ? 1 : 4
    let count = isSingle ? 1 : (groups.max() ?? 0) + 1
    var sent = AC4DRCMode.film
    (sent.id, sent.profile) = (0, .gains(configuration))
    var data = AC4DynamicRange()
    (data.isPresent, data.modes) = (true, [sent])
    // No two are alike, from −20 dB2 on.
    data.gains = [(0..<count * borders.count * subframes).map { $0 - 20 }]
    let frames = groups.map { _ in SubbandFrame(slots: 32) }
    for frame in frames {
      for band in 0..<QMF.bands {
        for slot in 0..<32 {
          (frame.real.row(band)[slot], frame.imaginary.row(band)[slot]) = (1, -0.5)
        }
      }
    }
    let controller = DynamicRangeController(mode, .line, slots: 32, rate: 48_000)
    controller.apply(DynamicRangeController.Control(data: data, dialnorm: -31), frames)
    for (frame, group) in zip(frames, isSingle ? groups.map { _ in 0 } : groups) {
      for subband in 0..<QMF.bands {
        let band = try #require(borders.lastIndex { $0 <= subband })
        for slot in 0..<32 {
          let place = (group * borders.count + band) * subframes + slot * subframes / 32
          // Six of these units double the amplitude.
          let wanted = Float(pow(2, Double(place - 20) / 6))
          let got = (frame.real.row(subband)[slot], frame.imaginary.row(subband)[slot])
          let error = max((got.0 - wanted).magnitude, (got.1 + wanted / 2).magnitude)
          try #require(error <= 1e-5 * wanted, "subband \(subband), slot \(slot)")
        }
      }
    }
  }

  @Test("range control has the gains of the curve sent") func gainsFollowTheCurve() throws {
    let film = try #require(DRCSettings(profile: 1))
    let points: [(Float, Float)] = [
      (-40, 6), (-12, 6), (-6, 3), (0, 0), (3, 0), (5, 0), (10, -2.5), (15, -5), (25, -14.5),
      (35, -24), (50, -24),
    ]
    for (level, gain) in points { #expect(abs(film.gain(at: level) - gain) < 1e-5) }
  }

  /// A steady tone settles at the gain that its K-weighted level calls for.
  @Test(
    "range control of a steady tone settles at the gain of its K-weighted level",
    arguments: [-40.0, -20, -8, -3]) func steadyTonesSettle(level: Double)
  {
    var data = AC4DynamicRange()
    data.isPresent = true
    data.profile = 1
    var curve = AC4DRCMode.film
    curve.id = 0
    data.modes = [curve]
    let controller = DynamicRangeController(.mono, .line, slots: 32, rate: 48_000)
    let bank = FilterBank(slots: 32)
    let analysis = QMFAnalysis(bank)
    let frame = SubbandFrame(slots: 32)
    let amplitude = Float(pow(10, level / 20) * 32768)
    var before = 0.0
    var after = 0.0
    for block in 0..<600 {
      let tone = (0..<2048).map {
        amplitude * Float(sin(2 * .pi * 997 / 48_000 * Double(block * 2048 + $0)))
      }
      analysis.process(tone, real: frame.real, imaginary: frame.imaginary, offset: 0)
      before = energy(frame)
      controller.apply(
        DynamicRangeController.Control(data: data, dialnorm: -24), [frame])
      after = energy(frame)
    }
    // K-weighting is flat at 997 Hz but for the offset; a tone's power is half its square.
    let relative = Float(level - 3.01 + 24)
    let wanted = Double(DRCSettings(profile: 1)?.gain(at: relative) ?? 0) * 20 * log10(2) / 6
    let found = 10 * log10(after / before)
    #expect(abs(found - wanted) < 0.8)
  }

  private func energy(_ frame: SubbandFrame) -> Double {
    (0..<64).reduce(0.0) { sum, band in
      (0..<32).reduce(sum) {
        $0 + pow(Double(frame.real.row(band)[$1]), 2)
          + pow(Double(frame.imaginary.row(band)[$1]), 2)
      }
    }
  }

  @Test(
    "range control raises quiet passages of a real stream", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func raisesQuietPassages() throws {
    let frames = try RealStream.channelCheck.frames().prefix(400).map(\.rawFrame)
    func decode(_ use: AC4DecoderOptions.DynamicRange) throws -> [Float] {
      let decoder = try AC4Decoder(
        rawFrame: frames[0], options: AC4DecoderOptions(dynamicRange: use))
      let output = AudioBuffer(channels: 2)
      for frame in frames { try decoder.decode(rawFrame: frame, into: output) }
      decoder.flush(into: output)
      return Array(output.channel(0))
    }
    let plain = try decode(.off)
    let line = try decode(.line)
    #expect(plain.count == line.count && line.allSatisfy { $0.isFinite })
    // The change of each 100 ms: the profile is film light, which boosts by 6 dB and cuts by 24 dB
    // at most.
    let changes = stride(from: 0, to: plain.count - 4800, by: 4800).compactMap { start -> Double? in
      let sums = [plain, line].map { samples in
        samples[start..<start + 4800].reduce(0.0) { $0 + Double($1) * Double($1) }
      }
      return sums[0] > 1e-6 ? 10 * log10(sums[1] / sums[0]) : nil
    }
    #expect(changes.allSatisfy { (-24.1...6.1).contains($0) })
    #expect(changes.contains { $0 > 0.5 })
  }
}

extension AC4DRCMode {
  /// A mode that uses the stream's profile.
  fileprivate static var film: AC4DRCMode {
    [UInt8](repeating: 0b000_0_1000, count: 2).withUnsafeBufferPointer { buffer in
      var bits = BitReader(buffer)
      guard let mode = try? AC4DRCMode(&bits, earlier: []) else { preconditionFailure() }
      return mode
    }
  }
}
