// SPDX-License-Identifier: Apache-2.0
import Signal

/// Frame rate and frame length of a stream (TS 103 190-1, 4.3.3.2.5 and Tables 83, 84).
package struct AC4FrameRate: Sendable, Equatable {
  /// `frame_rate_index`, 0…13.
  package let index: Int
  /// Whether the stream belongs to the 48 kHz family; 44.1 kHz otherwise.
  package let is48kHz: Bool

  private let row: FrameRateRow

  /// The rate with this index in the 48 kHz or 44.1 kHz family.
  /// - Throws: ``AC4Error/damaged(_:)`` for the reserved ones: 14, 15, and all but 13 at 44.1 kHz.
  package init(index: Int, is48kHz: Bool) throws(AC4Error) {
    guard FrameRateRow.all.indices.contains(index), is48kHz || index == 13 else {
      throw .damaged("frame rate \(index) of the \(is48kHz ? "48" : "44.1") kHz family is reserved")
    }
    self.index = index
    self.is48kHz = is48kHz
    row = FrameRateRow.all[index]
  }

  /// Sampling rate of the decoder's output in Hz, 48000 or 44100.
  package var sampleRate: Int { is48kHz ? 48_000 : 44_100 }
  /// Samples per frame at the coded rate, `frame_len_base`.
  package var codedFrameLength: Int { row.length }
  /// Output samples for every ``resampleDown`` coded ones.
  package var resampleUp: Int { row.up }
  /// Coded samples for every ``resampleUp`` output ones.
  package var resampleDown: Int { row.down }
  /// Ticks per second of an MP4 track in which a frame lasts a whole number of ticks
  /// (TS 103 190-2, Table E.1).
  package var mediaTimescale: Int { row.isFractional ? sampleRate * 5 : sampleRate }
  /// Ticks of ``mediaTimescale`` that a frame lasts.
  package var frameDuration: Int {
    row.length * row.up * (row.isFractional ? 5 : 1) / row.down
  }
  /// Frames per second as a fraction.
  package var framesPerSecond: (numerator: Int, denominator: Int) {
    let common = AC4FrameRate.commonDivisor(mediaTimescale, frameDuration)
    return (mediaTimescale / common, frameDuration / common)
  }

  /// Output samples of the first `count` frames, rounded down.
  package func samples(inFrames count: Int64) -> Int64 {
    let perFrame = Int64(row.length * row.up)
    return count * perFrame / Int64(row.down)
  }

  /// The frame rate of codec frames, `parts` of which make up one transport frame of this rate
  /// (`frame_rate_multiply_info`).
  func divided(by parts: Int) throws(AC4Error) -> AC4FrameRate {
    guard parts > 1 else { return self }
    let length = row.length / parts
    let match = FrameRateRow.all.firstIndex {
      $0.length == length && $0.up == row.up && $0.down == row.down
    }
    guard let match else { throw .damaged("a frame rate factor of \(parts) at rate \(index)") }
    return try AC4FrameRate(index: match, is48kHz: is48kHz)
  }

  /// The frame rate of codec frames that are spread over `count` transport frames of this rate each
  /// (`frame_rate_fractions_info`).
  func joined(_ count: Int) throws(AC4Error) -> AC4FrameRate {
    switch (count, index) {
    case (1, _): return self
    case (2, 5...9): return try AC4FrameRate(index: index - 5, is48kHz: is48kHz)
    case (2, 10...12): return try AC4FrameRate(index: index - 3, is48kHz: is48kHz)
    case (4, 10...12): return try AC4FrameRate(index: index - 8, is48kHz: is48kHz)
    default: throw .damaged("frames at rate \(index) in \(count) parts")
    }
  }

  /// Whether a frame may hold several codec frames (`frame_rate_multiply_info` has a flag).
  var mayMultiply: Bool { index <= 4 || (7...9).contains(index) }
  /// Whether a codec frame may be spread over several frames (`frame_rate_fractions_info` has a flag).
  var mayDivide: Bool { (5...12).contains(index) }

  /// Slots and delays of frames of this length.
  var timing: FrameTiming { FrameTiming(length: row.length) }

  private static func commonDivisor(_ first: Int, _ second: Int) -> Int {
    second == 0 ? first : commonDivisor(second, first % second)
  }
}

/// One row of the frame rate table (TS 103 190-1, Tables 83 and 84).
struct FrameRateRow: Sendable, Equatable {
  /// `frame_len_base`.
  let length: Int
  /// Output samples for every ``down`` coded ones.
  let up: Int
  /// Coded samples for every ``up`` output ones.
  let down: Int

  /// Whether a frame doesn't last a whole number of output samples.
  var isFractional: Bool { length * up % down != 0 }

  /// Rows by `frame_rate_index`.
  static let all: [FrameRateRow] = [
    FrameRateRow(length: 1920, up: 1001, down: 960),
    FrameRateRow(length: 1920, up: 25, down: 24),
    FrameRateRow(length: 2048, up: 15, down: 16),
    FrameRateRow(length: 1536, up: 1001, down: 960),
    FrameRateRow(length: 1536, up: 25, down: 24),
    FrameRateRow(length: 960, up: 1001, down: 960),
    FrameRateRow(length: 960, up: 25, down: 24),
    FrameRateRow(length: 1024, up: 15, down: 16),
    FrameRateRow(length: 768, up: 1001, down: 960),
    FrameRateRow(length: 768, up: 25, down: 24),
    FrameRateRow(length: 512, up: 15, down: 16),
    FrameRateRow(length: 384, up: 1001, down: 960),
    FrameRateRow(length: 384, up: 25, down: 24),
    FrameRateRow(length: 2048, up: 1, down: 1),
  ]
}

/// The slots, delays and look-ahead that follow from the length of a frame
/// (TS 103 190-1, 5.6.2 and Tables 189 to 192).
struct FrameTiming: Sendable, Equatable {
  /// Samples per frame at the coded rate.
  let length: Int
  /// Samples by which the transform's output is delayed, so that control data fit its slots (`d_pcm`).
  var alignmentDelay: Int
  /// Frames by which control data are delayed (`d_ctrl`).
  var controlDelay: Int
  /// QMF slots of look-ahead for high-frequency generation (`ts_offset_hfgen`).
  var lookAhead: Int
  /// Whether intervals are cut at the end of their frame. The standard lets them reach beyond it; tests cut
  /// them to compare with a decoder that does.
  var cutsIntervals = false
  /// QMF slots per A-SPX slot (`num_ts_in_ats`).
  let slotsPerStep: Int

  /// The timing of frames of `length` samples: 384, 512, 768, 960, 1024, 1536, 1920 or 2048.
  init(length: Int) {
    self.length = length
    slotsPerStep = length >= 1536 ? 2 : 1
    lookAhead = length >= 1536 ? 6 : 3
    controlDelay = length >= 1536 ? 1 : length >= 768 ? 2 : 4
    // The standard's tables put control data at the middle of their frame: half the prototype filter (288),
    // d_pcm and the look-ahead add up to d_ctrl − ½ frames.
    alignmentDelay = length * (2 * controlDelay - 1) / 2 - 288 - QMF.bands * lookAhead
  }

  /// QMF slots per frame.
  var slots: Int { length / QMF.bands }
  /// A-SPX slots per frame (`num_aspx_timeslots`).
  var steps: Int { slots / slotsPerStep }
  /// QMF slot after the last one that an interval may reach.
  var intervalEnd: Int { cutsIntervals ? slots : slots + min(lookAhead, SubbandSignal.tail) }
  /// Samples by which everything after the transform delays the signal.
  var delay: Int { alignmentDelay + QMF.delay + QMF.bands * lookAhead }
}
