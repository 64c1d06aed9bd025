// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

/// Spectral extension against plain code in double precision.
@Suite struct ExtensionTests {
  private static func configuration(_ noise: inout SeededNoise) -> ASPXConfiguration {
    var value = ASPXConfiguration()
    value.isCoarse = Bool.random(using: &noise)
    value.start = Int.random(in: 0...7, using: &noise)
    value.stop = Int.random(in: 0...3, using: &noise)
    value.isHighTemplate = Bool.random(using: &noise)
    value.interpolates = Bool.random(using: &noise)
    value.preflattens = Bool.random(using: &noise)
    value.limits = Bool.random(using: &noise)
    value.noiseGroups = Int.random(in: 0...3, using: &noise)
    value.envelopeBits = Int.random(in: 0...1, using: &noise)
    value.resolutionMode = Int.random(in: 0...3, using: &noise)
    return value
  }

  /// All 2048 settings of frequencies and noise groups, all offsets, both families of rates.
  @Test("A-SPX has the band tables of the standard's steps for all settings")
  func bandsAreThoseOfTheSteps() throws {
    var compared = 0
    for code in 0..<256 {
      var settings = ASPXConfiguration()
      settings.start = code & 7
      settings.stop = code >> 3 & 3
      settings.isHighTemplate = code >> 5 & 1 == 1
      settings.noiseGroups = code >> 6 & 3
      for offset in 0..<8 {
        for is48kHz in [true, false] {
          let slow = SlowBands(settings, offset, goal: is48kHz ? 43 : 46)
          let fast = try? ASPXBands(settings, offset: offset, is48kHz: is48kHz)
          #expect((slow == nil) == (fast == nil), "\(settings) \(offset)")
          guard let slow, let fast else { continue }
          compared += 1
          #expect(fast.signalHigh == slow.high)
          #expect(fast.signalLow == slow.low)
          #expect(fast.noise == slow.noise)
          #expect(fast.patches.map(\.source) == slow.patches.map(\.start))
          #expect(fast.patches.map(\.count) == slow.patches.map(\.count))
          #expect(fast.limiter == slow.limiter)
        }
      }
    }
    #expect(compared > 2000)
  }

  /// Intervals with random settings, borders, levels, filtering and sinusoids.
  @Test(
    "an A-SPX interval with random settings has the samples of the standard's steps",
    arguments: [2048, 1536, 1024, 960, 384]) func intervalsAreThoseOfTheSteps(length: Int)
    throws
  {
    var noise = SeededNoise(seed: UInt64(length))
    let timing = FrameTiming(length: length)
    var worst = Double.infinity
    var intervals = 0
    while intervals < 120 {
      let settings = ExtensionTests.configuration(&noise)
      let offset = Int.random(in: 0..<6, using: &noise)
      guard let bands = try? ASPXBands(settings, offset: offset, is48kHz: true),
        let slowBands = SlowBands(settings, offset, goal: 43)
      else { continue }
      let generator = HighBandGenerator(timing)
      let adjuster = EnvelopeAdjuster()
      var state = ASPXInterval()
      var slow = SlowExtension()
      for _ in 0..<4 {
        let signal = SubbandSignal(timing)
        ExtensionTests.fill(signal, timing, &noise)
        let channel = ASPXChannel()
        channel.framing = ExtensionTests.framing(settings, timing, &noise)
        let levels = ASPXLevels()
        ExtensionTests.choose(channel, levels, bands, &noise)
        let first = channel.framing.start * timing.slotsPerStep
        let last = channel.framing.end * timing.slotsPerStep
        let wanted = slow.process(
          ExtensionTests.input(settings, slowBands, channel, levels, timing, signal))
        generator.generate(signal, channel, bands, slots: first..<last, &state)
        adjuster.adjust(
          signal,
          EnvelopeAdjuster.Interval(
            channel: channel, levels: levels, bands: bands, slotsPerStep: timing.slotsPerStep,
            end: timing.intervalEnd), &state)
        var found: [Float] = []
        for slot in first..<last {
          for band in bands.crossover..<bands.end {
            found.append(signal.generatedReal.row(band)[slot])
            found.append(signal.generatedImaginary.row(band)[slot])
          }
        }
        let flat = wanted.flatMap { $0.flatMap { [Float($0.x), Float($0.y)] } }
        worst = min(worst, Signals.ratio(found, flat))
        #expect(found.count == flat.count)
        intervals += 1
      }
    }
    #expect(worst > 80)
  }

  private static func fill(
    _ signal: SubbandSignal, _ timing: FrameTiming, _ noise: inout SeededNoise
  ) {
    for band in 0..<64 {
      let size = Float(3000 / (1 + band))
      var tone: Float = 0
      for slot in -4..<timing.slots + timing.lookAhead {
        tone = 0.7 * tone + Float.random(in: -size...size, using: &noise)
        signal.real.row(band)[slot] = tone
        signal.imaginary.row(band)[slot] = Float.random(in: -size...size, using: &noise)
      }
    }
  }

  private static func framing(
    _ settings: ASPXConfiguration, _ timing: FrameTiming, _ noise: inout SeededNoise
  ) -> ASPXFraming {
    while true {
      let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &noise) }
      let framing = bytes.withUnsafeBufferPointer { buffer -> ASPXFraming? in
        var bits = BitReader(buffer)
        return try? ASPXFraming(
          &bits, settings, steps: timing.steps, isIFrame: true, previousEnd: timing.steps)
      }
      if let framing { return framing }
    }
  }

  private static func choose(
    _ channel: ASPXChannel, _ levels: ASPXLevels, _ bands: ASPXBands, _ noise: inout SeededNoise
  ) {
    for group in 0..<bands.noiseCount {
      channel.filtering[group] = UInt8.random(in: 0...3, using: &noise)
    }
    if Bool.random(using: &noise) {
      channel.sinusoids = UInt32.random(in: 0..<1 << UInt32(bands.highCount), using: &noise)
    }
    for place in 0..<levels.signal.count {
      levels.signal.base[place] = 64 * exp2(Float.random(in: 0...20, using: &noise))
    }
    for place in 0..<levels.noise.count {
      levels.noise.base[place] = exp2(Float.random(in: -6...4, using: &noise))
    }
  }

  private static func input(
    _ settings: ASPXConfiguration, _ bands: SlowBands, _ channel: ASPXChannel,
    _ levels: ASPXLevels, _ timing: FrameTiming, _ signal: SubbandSignal
  ) -> SlowExtension.Input {
    func rows(_ store: Buffer<Float>, _ count: Int) -> [[Double]] {
      (0..<count).map { row in
        (0..<ASPXLevels.rowLength).map { Double(store.base[row * ASPXLevels.rowLength + $0]) }
      }
    }
    return SlowExtension.Input(
      configuration: settings, bands: bands, framing: channel.framing,
      filtering: (0..<8).map { Int(channel.filtering[$0]) },
      sinusoids: (0..<32).map { channel.sinusoids >> UInt32($0) & 1 == 1 },
      signal: rows(levels.signal, channel.framing.envelopes),
      noise: rows(levels.noise, channel.framing.noiseEnvelopes),
      slotsPerStep: timing.slotsPerStep, end: timing.slots + timing.lookAhead,
      low: { slot, band in
        SIMD2(Double(signal.real.row(band)[slot]), Double(signal.imaginary.row(band)[slot]))
      })
  }
}
