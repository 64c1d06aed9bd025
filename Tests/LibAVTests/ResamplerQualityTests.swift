// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import Signal
import TestSupport
import Testing

/// Tones through the converter, measured by a plain DFT in Double: the pass band, its edge, images and aliases.
@Suite struct ResamplerQualityTests {
  /// Rates of discs, films and speech, large steps, and a ratio (44101) whose filter phases are interpolated.
  private static let pairs = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 48_000), (48_000, 96_000), (96_000, 44_100),
    (192_000, 48_000), (88_200, 48_000), (48_000, 8_000), (8_000, 48_000), (11_025, 48_000),
    (48_000, 44_101), (44_101, 48_000),
  ]
  /// Goal for aliases, and for images and the noise of Float32 together, in dB of the tone.
  private static let floor = -135.0

  /// The second from 0.1 s on of `tone` at another rate; the filter's ends at 8 kHz take 16 ms.
  private func second(
    of tone: CoherentTone, _ rateIn: Int, _ rateOut: Int
  ) throws -> ArraySlice<Float> {
    let planes = try StageVerifier.run(
      Resampler(to: AudioFormat(sampleRate: rateOut, layout: .mono)),
      format: AudioFormat(sampleRate: rateIn, layout: .mono),
      signal: [tone.samples(rate: rateIn, seconds: 1.2)], blockSize: 0)
    return planes[0][rateOut / 10..<rateOut / 10 + rateOut]
  }

  /// The tone at `part` of the lower of both bands.
  private func tone(_ part: Double, _ rateIn: Int, _ rateOut: Int) -> CoherentTone {
    CoherentTone(primeFrom: Int(part * Double(min(rateIn, rateOut)) / 2))
  }

  /// Frequencies in Hz at which the images of a tone at `frequency` lie: around the multiples of the input's rate,
  /// those above the output's band mirrored into it.
  private func images(_ frequency: Int, _ rateIn: Int, _ rateOut: Int) -> [Int] {
    let multiples: [Int] = (1...8).map { $0 * rateIn }
    let sides: [Int] = multiples.map { $0 - frequency } + multiples.map { $0 + frequency }
    let mirrored: [Int] = sides.map { min($0 % rateOut, rateOut - $0 % rateOut) }
    return mirrored.filter { $0 != frequency }
  }

  @Test(
    "a tone within the new band has no image above −139 dB, and all images and the noise together lie below −135 dB",
    .tags(.slow), arguments: pairs)
  func imagesAreGone(rateIn: Int, rateOut: Int) throws {
    for part in [0.05, 0.5, 0.9, 0.95, 0.98, 0.99] {
      let tone = tone(part, rateIn, rateOut)
      let second = try second(of: tone, rateIn, rateOut)
      let rest = tone.levels(in: second).rest
      #expect(rest < ResamplerQualityTests.floor, "\(tone.frequency) Hz")
      for image in images(tone.frequency, rateIn, rateOut) {
        #expect(tone.level(at: image, in: second) < -139, "\(tone.frequency) Hz at \(image) Hz")
      }
    }
  }

  @Test(
    "nothing above −135 dB is left of a tone above the new band", .tags(.slow),
    arguments: pairs.filter { $0.0 > $0.1 })
  func aliasesAreGone(rateIn: Int, rateOut: Int) throws {
    for part in [1.001, 1.01, 1.05, 1.4, 1.9, 2.7, 3.6] {
      let tone = tone(part, rateIn, rateOut)
      guard tone.frequency < rateIn / 2 else { continue }
      let second = try second(of: tone, rateIn, rateOut)
      let power = second.reduce(0.0) { $0 + Double($1) * Double($1) }
      let whole = CoherentTone.amplitude * CoherentTone.amplitude * Double(rateOut) / 2
      let level = 10 * log10(power / whole)
      #expect(level < ResamplerQualityTests.floor, "\(tone.frequency) Hz")
    }
  }

  @Test(
    "the band is flat within 0.0001 dB up to 92.5 %, 0.1 dB down at 93.9 % and 6 dB down at 96 %",
    arguments: pairs)
  func thePassBandIsFlat(rateIn: Int, rateOut: Int) throws {
    func gain(_ part: Double) throws -> Double {
      let tone = CoherentTone(frequency: Int(part * Double(min(rateIn, rateOut)) / 2))
      return tone.levels(in: try second(of: tone, rateIn, rateOut)).tone
    }
    for part in [0.01, 0.3, 0.8, 0.9, ConversionFilter.passBand] {
      #expect(try gain(part).magnitude < 1e-4, "\(part) of the band")
    }
    #expect(try (-0.11 ... -0.07).contains(gain(0.9385)))
    #expect(try (-6.2 ... -5.9).contains(gain(0.96)))
  }
}
