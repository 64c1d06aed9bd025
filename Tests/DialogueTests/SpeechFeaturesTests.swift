// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Dialogue
@testable import Signal

/// Tones whose pitch moves as a rule says.
private enum HarmonicTone {
  /// Samples at `rate` Hz of a tone with harmonics up to 3.4 kHz, `semitones` above 150 Hz as a function of time in seconds.
  static func samples(rate: Int, seconds: Double, semitones: (Double) -> Double) -> [Float] {
    var phase = 0.0
    return (0..<Int(seconds * Double(rate))).map { index in
      let pitch = 150 * pow(2, semitones(Double(index) / Double(rate)) / 12)
      phase += pitch / Double(rate)
      var sum = 0.0
      for harmonic in 1...Int(3400 / pitch) {
        sum += sin(2 * .pi * Double(harmonic) * phase) / Double(harmonic)
      }
      return Float(0.2 * sum)
    }
  }

  /// For each frame 1 where its pitch glides.
  static func glides(_ samples: [Float], rate: Int) -> [Double] {
    let windows = FrameWindows(sampleRate: rate)
    let spectra = FrameSpectra(length: windows.length)
    let tracker = PitchTracker(sampleRate: windows.sampleRate, length: windows.length)
    var counter = GlideCounter()
    var glides: [Double] = []
    func note(_ pitch: PitchTracker.Pitch) { counter.add(pitch) { glides.append($0) } }
    func take(_ samples: UnsafePointer<Float>, _ offsets: [Int]) {
      spectra.analyse(samples, offsets)
      tracker.add(spectra.powers, count: offsets.count, note)
    }
    windows.add(samples, count: samples.count, take)
    windows.finish(take)
    tracker.finish(note)
    counter.finish(windows.frames) { glides.append($0) }
    return glides
  }
}

@Suite struct SpeechFeaturesTests {
  /// Something like speech: a gliding tone that comes and goes, over noise.
  private static func babble(rate: Int, seconds: Double) -> [Float] {
    var noise = SeededNoise(seed: 62)
    let tone = HarmonicTone.samples(rate: rate, seconds: seconds) { time in
      4 * sin(2 * .pi * 1.3 * time) + 2 * sin(2 * .pi * 0.4 * time)
    }
    return zip(tone, noise.samples(tone.count, peak: 0.003)).enumerated().map { index, pair in
      let time = Double(index) / Double(rate)
      return pair.0 * Float(max(0, sin(2 * .pi * 2.1 * time))) + pair.1
    }
  }

  private func frames(_ samples: [Float], rate: Int, block: Int) -> SpeechFrames {
    let features = SpeechFeatures(sampleRate: rate)
    samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for start in stride(from: 0, to: samples.count, by: block) {
        features.add(base + start, count: min(block, samples.count - start))
      }
    }
    return features.finish()
  }

  @Test(
    "scores and powers have the same bits for blocks of any size",
    arguments: [8000, 11_025, 13_000, 44_100, 48_000])
  func blocksDontMatter(rate: Int) {
    let samples = SpeechFeaturesTests.babble(rate: rate, seconds: 3.21)
    let whole = frames(samples, rate: rate, block: samples.count)
    #expect(whole.count == samples.count * 50 / rate && whole.scores.count == whole.count)
    #expect((whole.scores.max() ?? 0) > 0.15)
    for block in [1, 256, 480, 1024] {
      #expect(frames(samples, rate: rate, block: block) == whole)
    }
  }

  @Test(
    "scores and powers are those of plain sums in double precision",
    arguments: [8000, 11_025, 13_000, 32_000])
  func featuresAreThePlainOnes(rate: Int) {
    let samples = SpeechFeaturesTests.babble(rate: rate, seconds: 2.5)
    let found = frames(samples, rate: rate, block: 4096)
    let plain = PlainFeatures(samples, rate: rate)
    #expect(found.count == plain.powers.count)
    #expect(zip(found.powers, plain.powers).allSatisfy { abs($0 / $1 - 1) < 1e-4 })
    let differences = zip(found.scores, plain.scores).map { abs($0 - $1) }
    #expect((differences.max() ?? 1) < 1e-4)
  }

  @Test("a slice has the bits of the whole from 0.95 s inside, wherever it begins")
  func framesDependOnTheirNeighboursOnly() {
    let samples = SpeechFeaturesTests.babble(rate: 16_000, seconds: 5)
    let whole = frames(samples, rate: 16_000, block: 4096)
    for first in [13, 64, 77] {
      let slice = frames(Array(samples[(first * 320)..<(220 * 320)]), rate: 16_000, block: 4096)
      let inside = 48..<slice.count - 48
      #expect(inside.count > 40)
      #expect(inside.allSatisfy { slice.scores[$0] == whole.scores[first + $0] })
      #expect(inside.allSatisfy { slice.powers[$0] == whole.powers[first + $0] })
    }
  }

  @Test("10 semitones a second are a held note, 25 a glide, 150 a jump")
  func glidesHaveTheirSpeed() {
    for (speed, wanted) in [(10.0, 0.0), (25, 1), (150, 0)] {
      let seconds = speed > 100 ? 0.3 : 0.6
      let tone = HarmonicTone.samples(rate: 8000, seconds: seconds) { $0 * speed }
      let glides = HarmonicTone.glides(tone, rate: 8000)
      // Windows at the ends reach into silence.
      let inside = glides[5..<glides.count - 5]
      #expect(inside.allSatisfy { $0 == wanted }, "\(speed) semitones a second")
    }
  }

  @Test("a vibrato doesn't count as glides", arguments: [5.5, 5.75, 6.0, 6.25])
  func vibratoSwingsBack(rate: Double) {
    let tone = HarmonicTone.samples(rate: 8000, seconds: 3) { 0.5 * sin(2 * .pi * rate * $0) }
    let glides = HarmonicTone.glides(tone, rate: 8000)
    for start in 10..<glides.count - 61 {
      let part = glides[start..<start + 51].reduce(0, +) / 51
      #expect(part < 0.05)
    }
  }

  @Test("a tone above 400 Hz is no voice")
  func instrumentsAreNoVoices() {
    let tone = HarmonicTone.samples(rate: 8000, seconds: 1) { 20 + 25 * $0 }
    #expect(HarmonicTone.glides(tone, rate: 8000).allSatisfy { $0 == 0 })
  }

  @Test("the low-pass of 48 kHz lets speech through and nothing that folds into it")
  func decimationIsClean() {
    let taps = FrameWindows.lowPass(factor: 6, sampleRate: 48_000).map(Double.init)
    #expect(taps.count == 145)
    func level(_ frequency: Double) -> Double {
      let (real, imaginary) = taps.enumerated().reduce((0.0, 0.0)) { sum, tap in
        let angle = 2 * .pi * frequency / 48_000 * Double(tap.offset)
        return (sum.0 + tap.element * cos(angle), sum.1 + tap.element * sin(angle))
      }
      return 10 * log10(real * real + imaginary * imaginary)
    }
    #expect(level(1000).magnitude < 0.01 && level(2000).magnitude < 0.01)
    #expect((level(3600) + 6.02).magnitude < 0.02)
    for frequency in stride(from: 4300.0, to: 24_000, by: 25) { #expect(level(frequency) < -58) }
  }

  @Test("logarithm and power agree with the C library's")
  func mathsIsExactEnough() {
    for step in -400...400 {
      let value = exp(Double(step) * 0.1731)
      #expect((PlainMaths.log2(value) - log2(value)).magnitude < 2e-9)
      let exponent = Double(step) * 0.0731
      #expect((PlainMaths.exp2(exponent) / exp2(exponent) - 1).magnitude < 1e-15)
    }
    #expect(PlainMaths.log2(1) == 0 && PlainMaths.log2(8) == 3 && PlainMaths.exp2(0) == 1)
    #expect(PlainMaths.exp2(-3) == 0.125)
  }

  @Test("an hour takes at most 32 bytes a frame, and nothing else grows")
  func memoryIsBounded() {
    let features = SpeechFeatures(sampleRate: 8000)
    let silence = [Float](repeating: 0, count: 80_000)
    var largest = 0.0
    for tens in 1...360 {
      features.add(silence, count: silence.count)
      if tens > 3 {
        largest = max(largest, Double(features.bytesKept) / Double(tens * 500))
      }
    }
    // The lists have grown by a quarter just now at most.
    #expect(largest < 32)
    let frames = features.finish()
    #expect(frames.count == 180_000)
    #expect(Double(frames.bytesKept) / 180_000 < 21)
  }
}
