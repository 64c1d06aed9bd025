// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// Measures the gated loudness and the sample peak of many channels, each by itself with weight 1 (ITU-R BS.1770-5).
///
/// True peaks aren't measured, because they would double the cost.
/// Memory doesn't grow with the length. The result doesn't depend on how the stream is cut into blocks. Not
/// thread-safe; one owner at a time.
package final class ChannelLevels {
  /// The levels of one channel.
  package struct Levels: Sendable, Equatable {
    /// dBFS; `nil` for silence.
    package var samplePeak: Double?
    /// LUFS; `nil` when nothing passes the gate. Below 400 ms there is no gate.
    package var integrated: Double?
  }

  /// 100 ms steps in a block of the gate.
  private static let width = 4

  private let weighted: WeightedChannels
  private let peaks: [TruePeakMeter]
  private let stepLength: Int
  private var stepPosition = 0
  private var samples: Int64 = 0
  private var steps = 0
  /// The energies of the last ``width`` steps of each channel, in turn.
  private var latest: [Double]
  /// The energies since the last whole step.
  private var energies: [Double]
  private var histograms: [BlockHistogram]

  /// A meter for `channels` channels at `sampleRate` Hz.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` outside ``AudioFormat/sampleRates``.
  package init(channels: Int, sampleRate: Int) throws {
    try LoudnessMeter.check(AudioFormat(sampleRate: sampleRate, layout: .mono))
    weighted = WeightedChannels(
      sampleRate: sampleRate, weights: [Double](repeating: 1, count: channels))
    peaks = (0..<channels).map { _ in TruePeakMeter(sampleRate: sampleRate, interpolates: false) }
    stepLength = LoudnessMeter.stepLength(at: sampleRate)
    latest = [Double](repeating: 0, count: channels * ChannelLevels.width)
    energies = [Double](repeating: 0, count: channels)
    histograms = [BlockHistogram](repeating: BlockHistogram(), count: channels)
  }

  /// Measures the next `count` samples of all channels, for each of which `planes` has a pointer.
  package func add(_ planes: [UnsafePointer<Float>], count: Int) {
    precondition(planes.count == peaks.count, "plane counts differ")
    for (plane, meter) in zip(planes, peaks) { _ = meter.add(plane, count: count) }
    var position = 0
    while position < count {
      let length = min(count - position, stepLength - stepPosition)
      weighted.add(planes, start: position, count: length)
      position += length
      stepPosition += length
      if stepPosition == stepLength { closeStep() }
    }
    samples += Int64(count)
  }

  /// The levels of all channels. Ends the measurement: call once, after the last block.
  package func finish() -> [Levels] {
    weighted.takeEnergies(into: &energies)
    return peaks.indices.map { channel in
      let integrated =
        steps < ChannelLevels.width ? whole(channel) : histograms[channel].integrated
      return Levels(
        samplePeak: Decibels.peakLevel(peaks[channel].samplePeak),
        integrated: integrated.flatMap { $0.isFinite ? $0 : nil })
    }
  }

  /// Loudness of all samples, where they are too few for a block.
  private func whole(_ channel: Int) -> Double? {
    guard samples > 0 else { return nil }
    let first = channel * ChannelLevels.width
    let sum = latest[first..<first + ChannelLevels.width].reduce(energies[channel], +)
    return LoudnessScale.loudness(sum / Double(samples))
  }

  private func closeStep() {
    weighted.takeEnergies(into: &energies)
    for channel in energies.indices {
      let first = channel * ChannelLevels.width
      latest[first + steps % ChannelLevels.width] = energies[channel]
      energies[channel] = 0
      guard steps + 1 >= ChannelLevels.width else { continue }
      let sum = latest[first..<first + ChannelLevels.width].reduce(0, +)
      histograms[channel].add(sum / Double(ChannelLevels.width * stepLength))
    }
    steps += 1
    stepPosition = 0
    weighted.flushTiny()
  }
}

/// Mean squares of the 400 ms blocks of one channel, gathered in bins of 0.1 LU, for a gated loudness in memory that
/// doesn't grow.
///
/// Each bin has the exact sum of its blocks. Only where the relative gate falls inside a bin do its blocks pass or
/// fail together, by their mean.
struct BlockHistogram {
  /// Bins from the absolute gate up to +30 LUFS; louder blocks belong to the last one.
  private static let bins = 1000
  private static let absolute = -70.0

  private var counts = [Int32](repeating: 0, count: bins)
  private var sums = [Double](repeating: 0, count: bins)

  /// Adds a block; one below the absolute gate counts for nothing.
  mutating func add(_ meanSquare: Double) {
    guard let level = LoudnessScale.loudness(meanSquare), level >= BlockHistogram.absolute else {
      return
    }
    let bin = min(BlockHistogram.bins - 1, Int((level - BlockHistogram.absolute) * 10))
    counts[bin] &+= 1
    sums[bin] += meanSquare
  }

  /// Loudness in LUFS of the blocks that pass both gates (ITU-R BS.1770-5, Annex 1); `nil` when none does.
  var integrated: Double? {
    guard let gate = mean(from: 0).map({ $0 * 0.1 }) else { return nil }
    return mean(from: gate).flatMap(LoudnessScale.loudness)
  }

  /// Mean of the blocks in bins whose own mean is at least `gate`.
  private func mean(from gate: Double) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for bin in counts.indices where counts[bin] > 0 && sums[bin] >= gate * Double(counts[bin]) {
      sum += sums[bin]
      count += Double(counts[bin])
    }
    return count > 0 ? sum / count : nil
  }
}
