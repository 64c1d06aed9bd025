// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Verify

/// Spectral distances, tilt and bandwidth just inside and just outside of their limits.
@Suite struct SpectrumLayerTests {
  /// Only the limits that a test sets.
  private func limits(_ change: (inout ComparisonTolerance) -> Void) -> ComparisonTolerance {
    var tolerance = ComparisonTolerance.transparent
    (tolerance.spectralPeak, tolerance.spectralSustained) = (1000, 1000)
    (tolerance.spectralMean, tolerance.tilt, tolerance.cutoff) = (1000, 1000, 0)
    change(&tolerance)
    return tolerance
  }

  private func noise(_ seconds: Double = 2) -> [Float] {
    var noise = SeededNoise(seed: 31)
    return noise.samples(Int(seconds * 48_000), peak: 0.25)
  }

  /// `plane` with a gain in dB from one sample on to before another.
  private func louder(_ plane: [Float], _ decibels: Double, _ range: Range<Int>? = nil) -> [Float] {
    let gain = Float(pow(10, decibels / 20))
    return plane.enumerated().map { (range?.contains($0) ?? true) ? $1 * gain : $1 }
  }

  /// Six tones an octave from 100 Hz to 23 kHz; `level` is the level of each in dB by its frequency.
  private func tones(_ level: (Double) -> Double = { _ in 0 }) -> [Float] {
    let count = 48_000
    var plane = [Double](repeating: 0, count: count)
    for step in 0..<47 {
      let frequency = 100 * pow(2, Double(step) / 6)
      let amplitude = 0.02 * pow(10, level(frequency) / 20)
      let angle = 2 * Double.pi * frequency / 48_000
      for index in 0..<count {
        plane[index] += amplitude * sin(angle * Double(index) + Double(step))
      }
    }
    return plane.map { Float($0) }
  }

  @Test("equal spectra pass with distances below 1e-6 dB")
  func equalSpectraPass() throws {
    for tolerance in ComparisonTolerance.all {
      let result = try Comparing.spectrum([noise()], [noise()], tolerance)
      #expect(result.status == .passed)
      // One transform makes both spectra; its rounding differs by less than a millionth of a decibel.
      for name in ["peak", "sustained", "mean", "tilt"] {
        #expect(abs(result.value(name) ?? 1) < 1e-6, "\(name)")
      }
      #expect(result.value("cutoff") == nil)
    }
  }

  @Test("a mean distance of 0.49 dB passes a limit of 0.5 dB, and one of 0.51 dB fails")
  func theMeanHasALimit() throws {
    let tolerance = limits { $0.spectralMean = 0.5 }
    let inside = try Comparing.spectrum([noise()], [louder(noise(), 0.49)], tolerance)
    #expect(inside.status == .passed && abs((inside.value("mean") ?? 0) - 0.49) < 0.005)
    let outside = try Comparing.spectrum([noise()], [louder(noise(), -0.51)], tolerance)
    #expect(outside.sentence.contains("0.51 dB on average"), "\(outside.sentence)")
  }

  @Test("a distance of 1.49 dB over 100 ms passes a limit of 1.5 dB, and one of 1.51 dB fails")
  func hundredMillisecondsHaveALimit() throws {
    let tolerance = limits { $0.spectralSustained = 1.5 }
    let range = 48_000..<64_000
    let inside = try Comparing.spectrum([noise()], [louder(noise(), 1.49, range)], tolerance)
    #expect(inside.status == .passed, "\(inside.sentence)")
    let outside = try Comparing.spectrum([noise()], [louder(noise(), 1.51, range)], tolerance)
    #expect(outside.sentence.contains("1.51 dB over 100 ms"), "\(outside.sentence)")
  }

  @Test("a distance of 2.99 dB for a moment passes a limit of 3 dB, and one of 3.01 dB fails")
  func aMomentHasALimit() throws {
    let tolerance = limits { $0.spectralPeak = 3 }
    // As long as two windows, so that one of them lies inside.
    let range = 48_000..<48_000 + 4 * 2048
    let inside = try Comparing.spectrum([noise()], [louder(noise(), 2.99, range)], tolerance)
    #expect(inside.status == .passed, "\(inside.sentence)")
    let outside = try Comparing.spectrum([noise()], [louder(noise(), 3.01, range)], tolerance)
    #expect(outside.sentence.contains("3.01 dB for a moment"), "\(outside.sentence)")
  }

  @Test(
    "a tilt of 0.045 dB an octave passes a limit of 0.05, and 0.055 fails as brighter or duller",
    arguments: [1.0, -1])
  func theTiltHasALimit(sign: Double) throws {
    let tolerance = limits { $0.tilt = 0.05 }
    func tilted(_ slope: Double) -> [Float] { tones { sign * slope * log2($0 / 1000) } }
    let inside = try Comparing.spectrum([tones()], [tilted(0.045)], tolerance)
    #expect(inside.status == .passed, "\(inside.sentence)")
    #expect(abs((inside.value("tilt") ?? 0) - sign * 0.045) < 0.003)
    let outside = try Comparing.spectrum([tones()], [tilted(0.055)], tolerance)
    #expect(outside.sentence.hasPrefix("TEST is \(sign > 0 ? "brighter" : "duller")"))
  }

  @Test(
    "content up to 17 kHz passes a cutoff of 15.5 kHz, and content up to 14 kHz fails as low-pass")
  func contentMayEndAboveTheLimitOnly() throws {
    func ending(_ top: Double) -> [Float] { tones { $0 > top ? -60 : 0 } }
    let tolerance = limits { $0.cutoff = 15_500 }
    let inside = try Comparing.spectrum([tones()], [ending(17_000)], tolerance)
    #expect(inside.status == .passed, "\(inside.sentence)")
    #expect((inside.value("cutoff") ?? 0) > 15_500)
    let outside = try Comparing.spectrum([tones()], [ending(14_000)], tolerance)
    #expect(outside.fault?.rank == .cause)
    #expect(outside.sentence.contains("kHz is missing in TEST (low-pass)"), "\(outside.sentence)")
  }

  @Test("content missing below 300 Hz fails as high-pass from 280 to 300 Hz")
  func contentMustBeginWhereItDid() throws {
    let result = try Comparing.spectrum([tones()], [tones { $0 < 300 ? -60 : 0 }], limits { _ in })
    #expect(result.sentence.contains("Hz is missing in TEST (high-pass)"), "\(result.sentence)")
    // The tone at 283 Hz is the last that is missing; it lies at the end of a band.
    let words = result.sentence.split(separator: " ")
    let place = try #require(words.firstIndex(of: "about"))
    let hertz = try #require(Double(words[place + 1]))
    #expect((280...300).contains(hertz), "\(result.sentence)")
  }

  @Test("silence has the spectrum of silence, and fails against noise either way")
  func silenceIsLikeSilenceOnly() throws {
    let silence = [Float](repeating: 0, count: 96_000)
    #expect(try Comparing.spectrum([silence], [silence], .exact).status == .passed)
    #expect(try Comparing.spectrum([silence], [noise()], .lossy).status == .failed)
    #expect(try Comparing.spectrum([noise()], [silence], .lossy).status == .failed)
  }

  @Test("one channel 0.6 dB off fails a limit of 0.5 dB beside an equal one")
  func theWorstChannelCounts() throws {
    let tolerance = limits { $0.spectralMean = 0.5 }
    let result = try Comparing.spectrum(
      [noise(), noise()], [noise(), louder(noise(), 0.6)], tolerance)
    #expect(result.status == .failed)
  }

  @Test("two different programmes of 500 samples have no spectrum and pass")
  func aProgrammeShorterThanAWindowHasNoSpectrum() throws {
    let short = [Float](repeating: 0.5, count: 500)
    #expect(try Comparing.spectrum([short], [short.map { -$0 * 0.1 }], .exact).status == .passed)
  }
}
