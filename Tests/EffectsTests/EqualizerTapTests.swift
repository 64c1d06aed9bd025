// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Effects
import Foundation
import Signal
import TestSupport
import Testing

/// The equaliser in the chain.
struct EqualizerTapTests {
  private let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
  private static let text = """
    Preamp: -6.2 dB
    Filter 1: ON LSC Fc 105 Hz Gain 6.5 dB Q 0.70
    Filter 2: ON PK Fc 2361 Hz Gain -4.1 dB Q 1.93
    Filter 3: ON PK Fc 36 Hz Gain 2.0 dB Q 6.00
    Filter 4: ON HSC Fc 10000 Hz Gain -3.4 dB Q 0.70
    Channel: L
    Filter 5: ON PK Fc 900 Hz Gain 5.0 dB Q 3.00
    """

  private func tap(_ text: String) throws -> EqualizerTap {
    EqualizerTap(try EqualizerText.read(text, name: "eq.txt")) { _, _ in nil }
  }

  private func signal(_ frames: Int, channels: Int = 2) -> [[Float]] {
    (0..<channels).map { channel in
      (0..<frames).map { index -> Float in
        let low = 0.3 * sin(Double(index * (3 + channel)) * 0.013)
        return Float(low + 0.2 * sin(Double(index) * 1.1))
      }
    }
  }

  /// `plane` at 48 kHz behind `works`, in double precision.
  private func filtered(_ plane: [Float], by works: [Equalizer.Work]) -> [Double] {
    works.reduce(plane.map(Double.init)) { (samples: [Double], work: Equalizer.Work) -> [Double] in
      switch work {
      case .gain(let gain): return samples.map { $0 * pow(10, gain / 20) }
      case .band(let band): return AnalogueFilter(band).run(samples, band, rate: 48_000)
      case .curve:
        Issue.record("there is no curve")
        return samples
      }
    }
  }

  @Test("an equaliser is within −140 dB of double precision")
  func itIsWithin140dBOfDoublePrecision() throws {
    let input = signal(48_000)
    let output = try StageVerifier.run(
      tap(Self.text), format: format, signal: input, blockSize: 480)
    let equalizer = try EqualizerText.read(Self.text, name: "eq.txt")
    for channel in 0..<2 {
      let wanted = filtered(input[channel], by: equalizer.works(on: channel, of: .stereo))
      let peak = wanted.map(\.magnitude).max() ?? 1
      let error = zip(wanted, output[channel]).map { abs($0 - Double($1)) }.max() ?? 1
      #expect(20 * log10(error / peak) <= -140, "channel \(channel)")
    }
  }

  @Test("each of 1 to 24 channels passes its own filters, within 1e-6 of double precision")
  func everyChannelIsFiltered() throws {
    for count in ChannelCounts.all {
      let lines = (1...count).map { number in
        "Channel: \(number)\nFilter: ON PK Fc \(200 * number) Hz Gain \(number % 2 == 0 ? -6 : 5) dB Q 1\n"
      }
      let text = "Preamp: -3 dB\n" + lines.joined()
      let equalizer = try EqualizerText.read(text, name: "eq.txt")
      let layout = ChannelCounts.layout(count)
      let signal = ChannelCounts.noise(count, 1000)
      let output = try StageVerifier.run(
        tap(text), format: AudioFormat(sampleRate: 48_000, layout: layout), signal: signal,
        blockSize: 480)
      for channel in 0..<count {
        let wanted = filtered(signal[channel], by: equalizer.works(on: channel, of: layout))
        let error = zip(wanted, output[channel]).map { abs($0 - Double($1)) }.max() ?? 1
        #expect(error <= 1e-6, "channel \(channel + 1) of \(count)")
      }
    }
  }

  @Test("each of 1 to 24 channels has the same bits behind an equaliser as alone")
  func channelsDontDependOnEachOther() throws {
    let text = Self.text.split(separator: "\n").dropLast(2).joined(separator: "\n")
    #expect(try ChannelCounts.firstThatDiffers { _ in try tap(text) } == nil)
  }

  @Test("a filter for the left channel leaves the right one's samples as they are")
  func aChannelHasItsOwnFilters() throws {
    let input = signal(4000)
    let both = [input[0], input[0]]
    let output = try StageVerifier.run(tap(Self.text), format: format, signal: both, blockSize: 0)
    #expect(output[0] != output[1])
    let right = Self.text.split(separator: "\n").dropLast(2).joined(separator: "\n")
    let same = try StageVerifier.run(tap(right), format: format, signal: both, blockSize: 0)
    #expect(same[0].prefix(4000) == same[1].prefix(4000))
    #expect(same[1].prefix(4000) == output[1].prefix(4000))
  }

  @Test("an equaliser gives the same bits for blocks of any size", arguments: [1, 2, 3, 6])
  func theBitsDontDependOnBlocks(channels: Int) throws {
    let layout = try #require(ChannelLayout.conventional(channels: channels))
    let format = AudioFormat(sampleRate: 44_100, layout: layout)
    let difference = try StageVerifier.firstDifference(
      format: format, signal: signal(5000, channels: channels)
    ) { try tap("Filter: ON PK Fc 1000 Hz Gain 3 dB Q 2") }
    #expect(difference == nil)
  }

  @Test("an equaliser has no latency and gives input plus tail, which ends below 2e-6")
  func lengthIsThatOfInputAndTail() throws {
    let tap = try tap(Self.text)
    let output = try StageVerifier.run(tap, format: format, signal: signal(1000), blockSize: 0)
    #expect(output[0].count == 1000 + tap.tail)
    #expect(tap.latency == 0)
    // The end of the response is far below what can be heard.
    let end = output[0].suffix(100).map(\.magnitude).max() ?? 1
    #expect(end < 2e-6)
  }

  @Test("a filter above half the rate and one for a missing channel are refused by name")
  func filtersThatCantBeAreRefused() throws {
    let low = AudioFormat(sampleRate: 16_000, layout: .stereo)
    let error = #expect(throws: MediaError.self) { try tap(Self.text).prepare(low) }
    #expect(error?.kind == .unsupportedFeature)
    #expect(error?.message.contains("10000.00 Hz") == true)
    let mono = AudioFormat(sampleRate: 48_000, layout: .mono)
    let missing = #expect(throws: MediaError.self) { try tap(Self.text).prepare(mono) }
    #expect(missing?.message.contains("channel FL") == true)
  }
}
