// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite(
  .tags(.media), .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"))
struct SpectrumTests {
  /// Ranges of frames that the oracle holds.
  static let ranges: [(RealStream, ClosedRange<Int>)] = [
    (.channelCheck, 0...47), (.channelCheck, 96...131), (.channelCheck, 240...263),
    (.channelCheck, 276...281), (.channelCheck, 312...323), (.channelCheck, 348...355),
    (.channelCheck, 408...415), (.channelCheck, 576...589), (.channelCheck, 690...695),
    (.sample, 0...18),
  ]

  private func oracle(_ stream: RealStream, _ kind: String, _ range: ClosedRange<Int>) throws
    -> [Float]
  {
    let name = String(
      format: "%@.%@.%03d-%03d.f32.gz", stream.rawValue, kind, range.lowerBound, range.upperBound)
    return Signals.floats(try Oracle.unpacked(name))
  }

  @Test(
    "spectra and samples of real frames are the oracle's within −100 dB", .tags(.system),
    .fullRunOnly, arguments: ranges)
  func spectraAndSamplesAreTheOracles(stream: RealStream, range: ClosedRange<Int>) throws {
    let frames = try stream.frames()
    let spectra = try oracle(stream, "spec", range)
    let samples = try oracle(stream, "imdct", range)
    let rate = try AC4TableOfContents(rawFrame: frames[0].rawFrame).frameRate
    let walk = try FrameWalk(rate)
    let assembler = SpectrumAssembler(walk.reader.spectra.sizes, channels: 2)
    let bank = TransformBank(walk.reader.spectra.sizes)
    let channels = (0..<2).map { _ in OverlapAdd(walk.reader.spectra.sizes, bank) }
    var output = [Float](repeating: 0, count: 2048)
    var worst = (spectrum: Double.infinity, samples: Double.infinity)
    #expect(spectra.count == range.count * 4096)
    for index in 0...range.upperBound {
      _ = try walk.read(frames[index].rawFrame)
      guard range.contains(index) else { continue }
      assembler.assemble(walk.reader.spectra, sequenceCounter: 0)
      for channel in 0..<2 {
        let start = ((index - range.lowerBound) * 2 + channel) * 2048
        let wanted = Array(spectra[start..<start + 2048])
        let found = Array(UnsafeBufferPointer(start: assembler.spectrum(channel), count: 2048))
        channels[channel].process(
          walk.reader.spectra.tracks[channel].layout, assembler.spectrum(channel), into: &output)
        guard wanted.contains(where: { $0 != 0 }) else {
          #expect(found == wanted)
          continue
        }
        worst.spectrum = min(worst.spectrum, Signals.ratio(found, wanted))
        // The overlap before the first frame is unknown.
        guard index > range.lowerBound || index == 0 else { continue }
        worst.samples = min(
          worst.samples, Signals.ratio(output, Array(samples[start..<start + 2048])))
      }
    }
    #expect(worst.spectrum >= 100)
    #expect(worst.samples >= 100)
  }

  /// The transform against the formula of the standard.
  @Test(
    "the inverse transform is the standard's formula",
    arguments: [2048, 1920, 1536, 1024, 960, 768, 512, 480, 384, 256, 240, 192, 128, 120, 96])
  func transformIsTheFormula(length: Int) {
    var noise = SeededNoise(seed: UInt64(length))
    let lines = noise.samples(length)
    var found = [Float](repeating: 0, count: 2 * length)
    InverseMDCT(length: length).transform(lines, into: &found)
    let cosines = (0..<8 * length).map { cos(.pi / Double(4 * length) * Double($0)) }
    let wanted = (0..<2 * length).map { time in
      var sum = 0.0
      for line in 0..<length {
        let phase = (2 * time + 1 + length) * (2 * line + 1)
        sum += Double(lines[line]) * cosines[phase % (8 * length)]
      }
      return Float(sum / Double(length))
    }
    let ratio = Signals.ratio(found, wanted)
    #expect(ratio > 110)
    let slope = TransformBank.slope(length: length).values
    for place in 0..<length {
      #expect(
        abs(slope[place] * slope[place] + slope[length - 1 - place] * slope[length - 1 - place] - 1)
          < 1e-6)
    }
  }
}
