// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Signal
import TestSupport
import Testing

@testable import AC4
@testable import AC4References

@Suite(
  .tags(.media, .system), .fullRunOnly,
  .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"))
struct DecoderTests {
  @Test(
    "decoding gives as many samples as the frames last",
    arguments: [(RealStream.channelCheck, 1_732_608), (.sample, 36_480)])
  func givesAsManySamplesAsTheFramesLast(stream: RealStream, count: Int) throws {
    let decoded = try DecodedStream.finished(try stream.frames().map(\.rawFrame))
    #expect(decoded.format == AudioFormat(sampleRate: 48_000, layout: .stereo))
    #expect(decoded.planes.map(\.count) == [count, count])
    #expect(decoded.planes.allSatisfy { $0.allSatisfy(\.isFinite) })
  }

  /// With the other decoder's timing (no alignment, no look-ahead, intervals cut at the frame's end)
  /// everything below the crossover must come out alike.
  @Test(
    "below the crossover samples are the oracle's in the oracle's timing",
    arguments: [(RealStream.channelCheck, 420), (.sample, 19)])
  func lowBandIsTheOraclesInItsTiming(stream: RealStream, count: Int) throws {
    let frames = try stream.frames().prefix(count).map(\.rawFrame)
    let planes = try DecodedStream.coded(frames) {
      $0.alignmentDelay = 0
      $0.controlDelay = 0
      $0.lookAhead = 0
      $0.cutsIntervals = true
    }
    let name =
      stream == .channelCheck ? "ChannelCheck.librempeg.24bit.flac" : "sample.librempeg.51200.flac"
    let reference = try DecodedStream.reference(name)
    let crossover = stream == .channelCheck ? 48 : 24
    for channel in 0..<2 {
      let wanted = Array(reference[channel].prefix(count * 2048))
      let ratio = Signals.ratio(
        DecodedStream.subbands(planes[channel], below: crossover),
        DecodedStream.subbands(wanted, below: crossover))
      if stream == .channelCheck { #expect(ratio >= 100) } else { #expect(ratio >= 40) }
    }
  }

  /// The other decoder times companding and noise in another way, so only a bound can be asked for;
  /// coming nearer to it is no fault. The lag is that of the alignment and the look-ahead it lacks.
  @Test(
    "the difference from another decoder is no more than its timing explains",
    arguments: RealStream.allCases)
  func isNoFartherFromTheOtherDecoderThanItsTimingExplains(stream: RealStream) throws {
    let planes = try DecodedStream.coded(try stream.frames().map(\.rawFrame))
    let name =
      stream == .channelCheck ? "ChannelCheck.librempeg.24bit.flac" : "sample.librempeg.51200.flac"
    let reference = try DecodedStream.reference(name)
    let lowest = stream == .channelCheck ? 28.0 : 11
    for channel in 0..<2 {
      #expect(planes[channel].count == reference[channel].count)
      let ratios = [735, 736, 737].map { lag in
        Signals.ratio(
          Array(planes[channel].dropFirst(lag)), Array(reference[channel].dropLast(lag)))
      }
      #expect(ratios[1] >= lowest)
      #expect(ratios[1] > ratios[0] && ratios[1] > ratios[2])
    }
  }

  @Test(
    "samples agree with another implementation of the standard's text",
    arguments: [(RealStream.channelCheck, 300), (.sample, 19)])
  func agreesWithTheOtherImplementationOfTheText(stream: RealStream, count: Int) throws {
    let planes = try DecodedStream.coded(try stream.frames().prefix(count).map(\.rawFrame))
    let name =
      stream == .channelCheck
      ? "ChannelCheck.guide_chain.first300frames.24bit.flac"
      : "sample.guide_chain.51200.24bit.flac"
    let reference = try DecodedStream.reference(name)
    let crossover = stream == .channelCheck ? 48 : 24
    for channel in 0..<2 {
      let whole = Signals.ratio(planes[channel], reference[channel])
      let low = Signals.ratio(
        DecodedStream.subbands(planes[channel], below: crossover),
        DecodedStream.subbands(reference[channel], below: crossover))
      #expect(low >= 100)
      #expect(whole >= 60)
    }
  }

  /// White noise through analysis and synthesis.
  @Test(
    "analysis and synthesis give white noise back within −75 dB",
    arguments: [6, 8, 12, 15, 16, 24, 30, 32])
  func filterBankGivesBackWhatItGot(slots: Int) {
    let bank = FilterBank(slots: slots)
    let analysis = QMFAnalysis(bank)
    let synthesis = QMFSynthesis(bank)
    let real = SlotRows(rows: 64, history: 0, slots: slots)
    let imaginary = SlotRows(rows: 64, history: 0, slots: slots)
    var noise = SeededNoise(seed: 3)
    let length = slots * 64
    let input = noise.samples(length * 40)
    var output: [Float] = []
    var frame = [Float](repeating: 0, count: length)
    for start in stride(from: 0, to: input.count, by: length) {
      analysis.process(
        Array(input[start..<start + length]), real: real, imaginary: imaginary, offset: 0)
      synthesis.process(into: &frame, scale: 1) {
        (UnsafePointer(real.row($0)), UnsafePointer(imaginary.row($0)))
      }
      output += frame
    }
    let ratios = [576, 577, 578].map {
      Signals.ratio(Array(output.dropFirst($0)), Array(input.dropLast($0)))
    }
    #expect(ratios[1] >= 75)
    #expect(ratios[0] < 10 && ratios[2] < 10)
  }
}
