// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import TestSupport
import Testing

/// The converter keeps the sound's position, length, level and bandwidth.
@Suite struct ResamplerTests {
  private static let pairs = [
    (48_000, 44_100), (44_100, 48_000), (48_000, 96_000), (96_000, 44_100), (8_000, 48_000),
    (48_000, 44_101),
  ]

  private func format(_ rate: Int) -> AudioFormat { AudioFormat(sampleRate: rate, layout: .mono) }

  private func resample(_ signal: [Float], _ rateIn: Int, _ rateOut: Int) throws -> [Float] {
    try StageVerifier.run(
      Resampler(to: format(rateOut)), format: format(rateIn), signal: [signal], blockSize: 0)[0]
  }

  private func tone(_ frequency: Double, _ rate: Int, _ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * Double.pi * frequency * Double($0) / Double(rate))) }
  }

  private func level(_ signal: some Collection<Float>) -> Double {
    let power = signal.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(signal.count)
    return 10 * log10(power * 8 + 1e-30)
  }

  @Test(
    "signals of 1…5000 samples are resampled to the sinc reference within 2e-6, with its length",
    .tags(.slow), .fullRunOnly, arguments: pairs)
  func everyShortProgrammeIsWhole(rateIn: Int, rateOut: Int) throws {
    var noise = SeededNoise(seed: 5)
    let reference = SincReference(from: rateIn, to: rateOut)
    for count in Array(1...300) + [1000, 5000] {
      let signal = noise.samples(count, peak: 0.9)
      let got = try resample(signal, rateIn, rateOut)
      let wanted = reference.resample(signal)
      #expect(got.count == wanted.count, "\(count) samples")
      let worst = zip(got, wanted).map { (Double($0) - $1).magnitude }.max() ?? 1
      #expect(worst < 2e-6, "\(count) samples")
    }
  }

  @Test("an impulse is resampled to its place within half a sample", arguments: pairs)
  func impulsesStayInPlace(rateIn: Int, rateOut: Int) throws {
    for place in [0, 1, 441, 960, 2999] {
      var signal = [Float](repeating: 0, count: 3000)
      signal[place] = 1
      let got = try resample(signal, rateIn, rateOut)
      let peak = got.indices.max { got[$0].magnitude < got[$1].magnitude } ?? -1
      let exact = Double(place) * Double(rateOut) / Double(rateIn)
      #expect((Double(peak) - exact).magnitude <= 0.5 || peak == got.count - 1, "\(place)")
    }
  }

  @Test("tones above the new Nyquist frequency are gone") func whatCantBeKeptIsGone() throws {
    for frequency in [22_100, 22_500, 23_500.0] {
      let got = try resample(tone(frequency, 48_000, 48_000), 48_000, 44_100)
      #expect(level(got[4000..<40_000]) < -90, "\(frequency) Hz")
    }
    let far = try resample(tone(30_000, 96_000, 96_000), 96_000, 44_100)
    #expect(level(far[4000..<40_000]) < -90)
  }

  @Test("a raised rate has no images") func imagesAreGone() throws {
    // 3.5 kHz at 8 kHz has its first image at 4.5 kHz.
    let got = try resample(tone(3_500, 8_000, 8_000), 8_000, 48_000)
    let wanted = tone(3_500, 48_000, 48_000)
    let rest = zip(got, wanted).map { $0 - $1 }
    #expect(level(rest[4000..<40_000]) < -90)
  }

  @Test("tones at 20 Hz…20 kHz keep their level within 0.1 dB when resampled")
  func theAudibleBandIsFlat() throws {
    for frequency in [20, 1_000, 10_000, 20_000.0] {
      for (rateIn, rateOut) in [(48_000, 44_100), (44_100, 48_000), (96_000, 44_100)] {
        let got = try resample(tone(frequency, rateIn, rateIn), rateIn, rateOut)
        #expect(level(got[4410..<39_690]).magnitude < 0.1, "\(frequency) Hz")
      }
    }
  }

  @Test("resampling gives the same bits for blocks of any size", arguments: pairs)
  func blocksDontMatter(rateIn: Int, rateOut: Int) throws {
    var noise = SeededNoise(seed: 9)
    for count in [40, 5000] {
      let signal = [noise.samples(count, peak: 0.9)]
      let different = try StageVerifier.firstDifference(format: format(rateIn), signal: signal) {
        Resampler(to: format(rateOut))
      }
      #expect(different == nil)
    }
  }

  @Test("each of 1 to 24 channels is resampled as it is alone", arguments: [44_100, 96_000])
  func channelsDontDependOnEachOther(rate: Int) throws {
    let different = try ChannelCounts.firstThatDiffers(by: 1e-6) { format in
      Resampler(to: AudioFormat(sampleRate: rate, layout: format.layout))
    }
    #expect(different == nil)
  }

  @Test("mono resampled to stereo at the same rate has its length and no delay")
  func layoutsChangeWithoutDelay() throws {
    let stage = Resampler(to: AudioFormat(sampleRate: 48_000, layout: .stereo))
    let planes = try StageVerifier.run(
      stage, format: format(48_000), signal: [[1, 0, 0.5]], blockSize: 0)
    #expect(planes.allSatisfy { $0.count == 3 && $0[0] > 0.5 && $0[1] == 0 })
  }
}
