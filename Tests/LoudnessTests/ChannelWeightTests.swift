// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Loudness
@testable import LoudnessReferences

/// Weights of a layout's channels (ITU-R BS.1770-5, Annex 1, Tables 3 and 4), and measurements of very
/// short programmes.
@Suite struct ChannelWeightTests {
  /// A layout with the weight of each channel, in channel order, `nil` for an LFE.
  struct Case: CustomStringConvertible {
    let layout: String
    let channels: [(name: String, weight: Double?)]
    var description: String { layout }
  }

  /// 1.41 for azimuths of 60° to 120° below 30° of elevation. In 22.2 the front left and right
  /// stand at ±60°; backs at ±135°, heights at 30° and more and bottoms at −30° count once.
  static let cases = [
    Case(layout: "mono", channels: [("M+000", 1)]),
    Case(
      layout: "5.0",
      channels: [
        ("M+030", 1), ("M-030", 1), ("M+000", 1), ("M+110", 1.41), ("M-110", 1.41),
      ]),
    Case(
      layout: "7.1.4",
      channels: [
        ("M+030", 1), ("M-030", 1), ("M+000", 1), ("LFE", nil), ("M+135", 1), ("M-135", 1),
        ("M+090", 1.41), ("M-090", 1.41), ("U+045", 1), ("U-045", 1), ("U+135", 1), ("U-135", 1),
      ]),
    Case(
      layout: "22.2",
      channels: [
        ("M+060", 1.41), ("M-060", 1.41), ("M+000", 1), ("LFE1", nil), ("M+135", 1), ("M-135", 1),
        ("M+030", 1), ("M-030", 1), ("M+180", 1), ("M+090", 1.41), ("M-090", 1.41), ("T+000", 1),
        ("U+045", 1), ("U+000", 1), ("U-045", 1), ("U+135", 1), ("U+180", 1), ("U-135", 1),
        ("LFE2", nil), ("U+090", 1), ("U-090", 1), ("B+000", 1), ("B+045", 1), ("B-045", 1),
      ]),
  ]

  @Test(
    "a tone in one channel reads its mono loudness plus the channel's weight, and none in an LFE",
    arguments: Self.cases)
  func oneChannelAtATimeCountsAsTheTableSays(of entry: Case) throws {
    let format = Signal.format(48_000, entry.layout)
    #expect(format.channels == entry.channels.count)
    let tone = Signal.tone(-20, seconds: 1)
    let mono = Signal.format(48_000, "mono")
    let once = try #require(try Signal.measure([tone], format: mono).integrated)
    for (index, channel) in entry.channels.enumerated() {
      var planes = [[Float]](repeating: Signal.silence(1), count: format.channels)
      planes[index] = tone
      let result = try Signal.measure(planes, format: format)
      let wanted = channel.weight.map { once + Signal.decibels($0) / 2 }
      #expect((result.integrated == nil) == (wanted == nil), "\(channel.name)")
      if let loudness = result.integrated, let wanted {
        #expect((loudness - wanted).magnitude < 1e-9, "\(channel.name)")
      }
      for (other, peak) in result.channelTruePeaks.enumerated() {
        #expect((peak != nil) == (other == index))
      }
    }
  }

  @Test(
    "a tone in all channels reads its mono loudness plus the level of the weights' sum",
    arguments: Self.cases)
  func allChannelsTogetherAddUp(of entry: Case) throws {
    let format = Signal.format(48_000, entry.layout)
    let tone = Signal.tone(-40, seconds: 1)
    let planes = [[Float]](repeating: tone, count: format.channels)
    let mono = Signal.format(48_000, "mono")
    let once = try #require(try Signal.measure([tone], format: mono).integrated)
    let sum = entry.channels.reduce(0) { $0 + ($1.weight ?? 0) }
    let loudness = try #require(try Signal.measure(planes, format: format).integrated)
    #expect((loudness - once - Signal.decibels(sum) / 2).magnitude < 1e-9)
  }

  @Test(
    "silence of any length has neither loudness nor peak in any layout", arguments: Self.cases,
    [0.0, 0.05, 0.3, 5])
  func silenceHasNoValues(of entry: Case, seconds: Double) throws {
    let format = Signal.format(48_000, entry.layout)
    let silence = [[Float]](repeating: Signal.silence(seconds), count: format.channels)
    let result = try Signal.measure(silence, format: format)
    #expect(
      result
        == LoudnessMeasurement(
          channelTruePeaks: [Double?](repeating: nil, count: format.channels),
          isShort: seconds < 0.4, samples: Int64(seconds * 48_000)))
  }

  @Test(
    "a tone of 50 or 300 ms in all channels of a layout reads its weighted level within 0.3 LU",
    arguments: Self.cases, [0.05, 0.3])
  func shortProgrammesAreMeasuredWhole(of entry: Case, seconds: Double) throws {
    let format = Signal.format(48_000, entry.layout)
    let tone = Signal.tone(-20, seconds: seconds)
    let planes = [[Float]](repeating: tone, count: format.channels)
    let result = try Signal.measure(planes, format: format)
    let sum = entry.channels.reduce(0) { $0 + ($1.weight ?? 0) }
    // A 1 kHz sine reads 3.01 dB below its peak; the filters' settling takes off a little.
    let wanted = -23.01 + Signal.decibels(sum) / 2
    #expect((try #require(result.integrated) - wanted).magnitude < 0.3)
    #expect(result.isShort)
    #expect(result.momentaryMax == nil && result.shortTermMax == nil && result.range == nil)
    #expect((try #require(result.samplePeak) + 20).magnitude < 0.01)
  }
}
