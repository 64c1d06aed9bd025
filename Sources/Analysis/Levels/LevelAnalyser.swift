// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Level of one channel in one step, or in a whole programme.
package struct ChannelLevel: Sendable, Codable, Equatable {
  /// Largest magnitude of a sample, dBFS; `nil` for digital silence.
  package var peakDBFS: Double?
  /// Root of the mean square, dBFS: 0 for a square wave at full scale, −3.01 for a sine; `nil` for digital
  /// silence.
  package var rmsDBFS: Double?

  /// Peak above RMS, dB: 0 for a square wave, 3.01 for a sine; `nil` for digital silence.
  package var crestDB: Double? {
    guard let peakDBFS, let rmsDBFS else { return nil }
    return peakDBFS - rmsDBFS
  }
}

/// Levels of all channels in one step of 100 ms.
package struct LevelRow: Sendable, Equatable {
  /// Start of the step, in seconds.
  package let startSeconds: Double
  package let channels: [ChannelLevel]

  /// The names of the columns: `time_s`, then peak, RMS and crest of each channel, e.g. `peak_FL`.
  package static func csvHeader(_ layout: ChannelLayout) -> String {
    let names = layout.channelNames.map { "peak_\($0),rms_\($0),crest_\($0)" }
    return (["time_s"] + names).joined(separator: ",")
  }

  /// The row as a line of CSV without its end: seconds with three decimals, dB with two. Silence is
  /// `-inf`, and its crest an empty field.
  package var csv: String {
    let fields = channels.map { level in
      "\(TableText.level(level.peakDBFS)),\(TableText.level(level.rmsDBFS)),"
        + TableText.reading(level.crestDB, places: 2)
    }
    return ([TableText.time(startSeconds)] + fields).joined(separator: ",")
  }
}

/// Levels of a whole programme.
package struct LevelFindings: Sendable, Codable, Equatable {
  /// The findings in one channel.
  package struct Channel: Sendable, Codable, Equatable {
    /// Name of the speaker, e.g. `FL`.
    package var name: String
    package var level: ChannelLevel
    /// Mean of all samples; full scale is ±1.
    package var dcOffset: Double
    /// Number of runs of at least three successive samples at full scale, of the same sign.
    package var clippedRuns: Int64
    /// Length of the longest of these runs, in samples; 0 when there is none.
    package var longestRunSamples: Int64
    /// Number of samples that were infinite or no number; they count as 0 in everything else.
    package var invalidSamples: Int64
    /// Peaks over time, dBFS.
    package var peakCurve: StepCurve
    /// RMS over time, dBFS.
    package var rmsCurve: StepCurve
  }

  /// Length in samples.
  package var samples: Int64
  /// One for each channel, in the layout's order.
  package var channels: [Channel]
}

/// Measures peak, RMS and crest of each channel in steps of 100 ms, and DC offset and clipping of the whole.
package final class LevelAnalyser: Analyser {
  /// Magnitude from which a sample counts as clipped: full scale of 16 bits, whose greatest value is one step
  /// below 1.
  package static let clippingLevel: Float = 1 - 1 / 32_768
  /// Successive samples that make a clipped run; one or two are peaks that happen to reach full scale.
  package static let clippingRun: Int64 = 3

  private let format: AudioFormat
  private let onRow: (LevelRow) throws -> Void
  private let clock: StepClock
  private var totals: [ChannelSums]
  private var clips: [ClipCounter]
  private var curves: [(peak: StepCurveBuilder, rms: StepCurveBuilder)]

  /// An analyser of sound in `format`; `onRow` gets each step as soon as it is complete.
  package init(_ format: AudioFormat, onRow: @escaping (LevelRow) throws -> Void = { _ in }) {
    self.format = format
    self.onRow = onRow
    clock = StepClock(format)
    totals = Array(repeating: ChannelSums(), count: format.channels)
    clips = Array(repeating: ClipCounter(), count: format.channels)
    let empty = StepCurveBuilder(intervalSeconds: clock.seconds)
    curves = Array(repeating: (empty, empty), count: format.channels)
  }

  /// Takes the next block.
  /// - Throws: ``MediaError`` of kind `internal` for another number of channels, or what `onRow` throws.
  package func add(_ block: AudioBuffer) throws {
    try check(block, format)
    try clock.add(block, measure)
  }

  /// Answers the levels of everything.
  /// - Throws: what `onRow` throws.
  package func finish() throws -> LevelFindings {
    try clock.finish(measure)
    for index in clips.indices { clips[index].close() }
    let channels = totals.indices.map { index in
      LevelFindings.Channel(
        name: format.layout.channelNames[index], level: totals[index].level,
        dcOffset: totals[index].mean, clippedRuns: clips[index].runs,
        longestRunSamples: clips[index].longest, invalidSamples: totals[index].invalid,
        peakCurve: curves[index].peak.curve, rmsCurve: curves[index].rms.curve)
    }
    return LevelFindings(samples: totals.first?.samples ?? 0, channels: channels)
  }

  /// Measures one step, which is in one piece, so that the order of all sums is fixed.
  private func measure(_ step: AudioBuffer, _ start: Double) throws {
    var levels: [ChannelLevel] = []
    for index in 0..<format.channels {
      let plane = UnsafeBufferPointer(step.channel(index))
      var sums = ChannelSums()
      sums.add(plane)
      totals[index].add(sums)
      clips[index].add(plane, peak: sums.peak)
      curves[index].peak.add(sums.level.peakDBFS)
      curves[index].rms.add(sums.level.rmsDBFS)
      levels.append(sums.level)
    }
    try onRow(LevelRow(startSeconds: start, channels: levels))
  }
}

/// Sums over the samples of one channel.
private struct ChannelSums {
  private(set) var peak: Float = 0
  private(set) var samples: Int64 = 0
  private(set) var invalid: Int64 = 0
  private var sum = 0.0
  private var squares = 0.0

  var mean: Double { samples > 0 ? sum / Double(samples) : 0 }

  var level: ChannelLevel {
    guard squares > 0 else { return ChannelLevel(peakDBFS: Decibels.peakLevel(peak)) }
    return ChannelLevel(
      peakDBFS: Decibels.peakLevel(peak), rmsDBFS: 10 * log10(squares / Double(samples)))
  }

  mutating func add(_ other: ChannelSums) {
    peak = max(peak, other.peak)
    samples += other.samples
    invalid += other.invalid
    sum += other.sum
    squares += other.squares
  }

  /// Adds samples in four lanes, which the compiler can make vectors of.
  mutating func add(_ plane: UnsafeBufferPointer<Float>) {
    guard let base = plane.baseAddress else { return }
    var (sums, powers) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
    var peaks = SIMD4<Float>.zero
    let whole = plane.count / 4 * 4
    for index in stride(from: 0, to: whole, by: 4) {
      var values = UnsafeRawPointer(base + index).loadUnaligned(as: SIMD4<Float>.self)
      let bits = unsafeBitCast(values, to: SIMD4<UInt32>.self) & 0x7FFF_FFFF
      let magnitudes = unsafeBitCast(bits, to: SIMD4<Float>.self)
      let valid = magnitudes .< .infinity
      if !all(valid) {
        values.replace(with: 0, where: .!valid)
        invalid += Int64((0..<4).count { !valid[$0] })
      }
      peaks.replace(with: magnitudes, where: magnitudes .> peaks .& valid)
      let wide = SIMD4<Double>(
        Double(values[0]), Double(values[1]), Double(values[2]), Double(values[3]))
      sums += wide
      powers += wide * wide
    }
    sum += sums.sum()
    squares += powers.sum()
    peak = max(peak, peaks.max())
    for index in whole..<plane.count { add(base[index]) }
    samples += Int64(plane.count)
  }

  private mutating func add(_ sample: Float) {
    guard sample.isFinite else { return invalid += 1 }
    peak = max(peak, sample.magnitude)
    sum += Double(sample)
    squares += Double(sample) * Double(sample)
  }
}

/// Finds runs of clipped samples in one channel.
private struct ClipCounter {
  private(set) var runs: Int64 = 0
  private(set) var longest: Int64 = 0
  private var length: Int64 = 0
  private var isNegative = false

  mutating func add(_ plane: UnsafeBufferPointer<Float>, peak: Float) {
    // Most steps have no sample at full scale; those needn't be looked through.
    guard peak >= LevelAnalyser.clippingLevel else { return close() }
    for sample in plane {
      guard sample.magnitude >= LevelAnalyser.clippingLevel, sample.isFinite else {
        close()
        continue
      }
      if length > 0, isNegative != (sample < 0) { close() }
      isNegative = sample < 0
      length += 1
    }
  }

  /// Ends the current run.
  mutating func close() {
    if length >= LevelAnalyser.clippingRun {
      runs += 1
      longest = max(longest, length)
    }
    length = 0
  }
}
