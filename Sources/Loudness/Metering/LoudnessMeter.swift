// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// Measures programme loudness, loudness range and peaks of a stream.
///
/// Implements ITU-R BS.1770-5 (Annex 1 loudness, Annex 2 true peak), EBU R 128, EBU Tech 3341 and
/// EBU Tech 3342. Keeps one number per 100 ms of programme. The result doesn't depend on how the
/// stream is cut into blocks. Not thread-safe; one owner at a time.
package final class LoudnessMeter {
  private let format: AudioFormat
  private let measuresTruePeak: Bool
  private let stepLength: Int
  private let weighted: WeightedChannels
  private let peaks: [TruePeakMeter]
  private let keepsFigures: Bool
  private var momentary = MomentaryWindow()
  /// Weighted sums of squares of the whole steps so far.
  private(set) var steps: [Double] = []
  /// Figures of the steps so far; empty unless they are kept.
  package private(set) var figures = StepFigures()
  /// Largest momentary energy that ended in the current step.
  private var stepMomentary = 0.0
  private var stepEnergy = 0.0
  private var stepPosition = 0
  /// Tenths of the current 100 ms step that are complete.
  private var tenths = 0
  private var samples: Int64 = 0

  /// A meter for audio of `format`.
  ///
  /// With `dualMono`, a mono programme counts as if played by two loudspeakers (+3.01 LU); other
  /// layouts are measured as they are. `measuresTruePeak` off saves its cost. `keepsFigures` keeps
  /// ``figures``. Without `needsLoudness`, a format that has an ``obstacle(_:)`` is measured as far as it can be: the
  /// sample peak alone, without a figure of loudness or true peak.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` for any other format that has one.
  package init(
    format: AudioFormat, measuresTruePeak: Bool = true, dualMono: Bool = false,
    keepsFigures: Bool = false, needsLoudness: Bool = true
  ) throws {
    if needsLoudness { try LoudnessMeter.check(format) }
    let obstacle = LoudnessMeter.obstacle(format)
    self.format = format
    self.measuresTruePeak = measuresTruePeak && obstacle == nil
    self.keepsFigures = keepsFigures
    stepLength = LoudnessMeter.stepLength(at: format.sampleRate)
    // Channels without a weight cost nothing.
    var weights = (0..<format.channels).map { channel in
      obstacle == nil ? format.layout.loudnessWeight(at: channel) : 0
    }
    if dualMono && weights.count == 1 { weights[0] *= 2 }
    weighted = WeightedChannels(sampleRate: format.sampleRate, weights: weights)
    let interpolates = self.measuresTruePeak
    peaks = (0..<format.channels).map { _ in
      TruePeakMeter(sampleRate: format.sampleRate, interpolates: interpolates)
    }
  }

  /// Why loudness and true peak of `format` can't be measured; `nil` where they can.
  package static func obstacle(_ format: AudioFormat) -> String? {
    guard AudioFormat.sampleRates.contains(format.sampleRate) else {
      return "loudness can't be measured at \(format.sampleRate) Hz"
    }
    guard format.layout.unnamed == 0 else {
      return "loudness can't be measured of channels that belong to no known loudspeakers"
    }
    return nil
  }

  /// Measures the next block, of any length.
  /// - Throws: ``MediaError`` of kind `damaged` when a sample isn't finite, of kind `internal` when
  ///   the channel count is wrong. The meter is of no use after that.
  package func add(_ buffer: AudioBuffer) throws {
    guard buffer.channels == format.channels else {
      throw MediaError(
        .internal, "the meter got \(buffer.channels) channels, not \(format.channels)")
    }
    for (channel, meter) in peaks.enumerated() {
      let plane = buffer.channel(channel)
      guard let base = plane.baseAddress else { continue }
      guard addPeaks(base, count: plane.count, to: meter) else {
        throw MediaError(
          .damaged,
          "channel \(channel + 1) has samples that aren't finite numbers near sample \(samples):"
            + " decode the input again or repair it")
      }
    }
    var position = 0
    while position < buffer.frames {
      let count = min(buffer.frames - position, nextTenth - stepPosition)
      weighted.add(buffer, start: position, count: count)
      position += count
      stepPosition += count
      if stepPosition == nextTenth { closeTenth() }
    }
    samples += Int64(buffer.frames)
  }

  /// The statistics of all samples so far. Ends the measurement: call once, after the last block.
  package func statistics() -> LoudnessStatistics {
    let rest = finish()
    let programme = ProgrammeEnergy(
      steps: steps, rest: rest, stepLength: stepLength,
      largestMomentary: momentary.largest, samples: samples)
    let channelPeaks = peaks.map { measuresTruePeak ? Decibels.peakLevel($0.truePeak) : nil }
    return LoudnessStatistics(
      programmes: [programme], channelTruePeaks: channelPeaks,
      truePeak: channelPeaks.compactMap { $0 }.max(), truePeakTime: truePeakTime,
      samplePeak: Decibels.peakLevel(peaks.map(\.samplePeak).max() ?? 0))
  }

  /// The measurement of all samples so far. Ends it: call once, after the last block.
  package func measurement() -> LoudnessMeasurement { statistics().measurement }

  /// Largest magnitude (linear) of the samples, and of what lies between them, since the beginning or since
  /// ``forgetPeaks()``; without the run-out of the filter after the last sample.
  var peaksSoFar: (sample: Float, between: Float) {
    (peaks.map(\.samplePeak).max() ?? 0, peaks.map(\.truePeak).max() ?? 0)
  }

  /// Forgets the peaks so far, but not the samples that the next ones are made of.
  func forgetPeaks() { peaks.forEach { $0.forgetPeaks() } }

  /// Ends the measurement and answers the energy behind the last whole step; the peaks are complete then.
  func finish() -> Double {
    peaks.forEach { $0.finish() }
    return stepEnergy + weighted.takeEnergy()
  }

  /// Refuses a `format` that has an ``obstacle(_:)``.
  static func check(_ format: AudioFormat) throws {
    guard let obstacle = obstacle(format) else { return }
    let cure =
      format.layout.unnamed > 0
      ? "say which with \(setting: .inputLayout)" : "resample to 8000 to 384000 Hz"
    throw MediaError(.unsupportedFeature, "\(obstacle): \(cure)")
  }

  /// Samples in 100 ms at `sampleRate` Hz, to the nearest.
  package static func stepLength(at sampleRate: Int) -> Int { max(1, (sampleRate + 5) / 10) }

  /// Measures the peaks in steps of 100 ms, so that the step with the largest one is known.
  private func addPeaks(
    _ plane: UnsafeMutablePointer<Float>, count: Int, to meter: TruePeakMeter
  ) -> Bool {
    var position = 0
    while position < count {
      let (step, offset) = (Int(samples) + position).quotientAndRemainder(dividingBy: stepLength)
      let length = min(count - position, stepLength - offset)
      guard meter.add(plane + position, count: length, step: step) else { return false }
      if keepsFigures { figures.note(peak: meter.latestPeak, step: step) }
      position += length
    }
    return true
  }

  /// Seconds from the beginning to the middle of the 100 ms in which the true peak first lies.
  private var truePeakTime: Double? {
    guard measuresTruePeak, let largest = peaks.max(by: { $0.truePeak < $1.truePeak }),
      largest.truePeak > 0
    else { return nil }
    return (Double(largest.peakStep) + 0.5) * LoudnessSeries.interval
  }

  /// Position in the current step where its next tenth ends. Tenths of a step that isn't a
  /// multiple of ten samples differ by one sample, but forty of them always make 400 ms.
  private var nextTenth: Int { stepLength * (tenths + 1) / 10 }

  private func closeTenth() {
    let energy = weighted.takeEnergy()
    momentary.add(energy)
    stepMomentary = max(stepMomentary, momentary.latest)
    stepEnergy += energy
    tenths += 1
    guard tenths == 10 else { return }
    steps.append(stepEnergy)
    if keepsFigures { figures.add(momentary: stepMomentary) }
    stepEnergy = 0
    stepMomentary = 0
    stepPosition = 0
    tenths = 0
    weighted.flushTiny()
  }
}

/// Largest energy of any 400 ms window, read every 10 ms.
///
/// A reading every 100 ms can miss 0.58 LU of a 400 ms burst, which EBU Tech 3341 (test case 13)
/// doesn't allow.
struct MomentaryWindow {
  /// Steps of 10 ms in a window.
  static let steps = 40

  /// Largest window energy so far (weighted sum of squares); 0 before the first full window.
  private(set) var largest = 0.0
  /// Energy of the window that ended last; 0 before the first full window.
  private(set) var latest = 0.0
  /// The last ``steps`` energies, four to an element.
  private var ring = [SIMD4<Double>](repeating: SIMD4(), count: steps / 4)
  private var position = 0
  private var filled = 0

  /// Adds the energy of the next 10 ms.
  mutating func add(_ energy: Double) {
    ring[position / 4][position % 4] = energy
    position = (position + 1) % MomentaryWindow.steps
    filled = min(filled + 1, MomentaryWindow.steps)
    guard filled == MomentaryWindow.steps else { return }
    // The whole window is summed each time, so that rounding errors don't accumulate.
    var sums = SIMD4<Double>()
    for four in ring { sums += four }
    let sum: Double = sums.sum()
    latest = sum
    if sum > largest { largest = sum }
  }
}

/// Two figures of each 100 ms of a programme, by which a search for a limiter's gain knows where to look.
package struct StepFigures: Sendable {
  /// Largest sample magnitude in each step, in any channel.
  private(set) var peaks: [Float] = []
  /// Largest weighted sum of squares of any 400 ms that end in the step; 0 before the first of them.
  private(set) var momentary: [Float] = []

  /// Raises the peak of `step`.
  mutating func note(peak: Float, step: Int) {
    while peaks.count <= step { peaks.append(0) }
    if peak > peaks[step] { peaks[step] = peak }
  }

  /// Adds the largest momentary energy of the next whole step.
  mutating func add(momentary energy: Double) { momentary.append(Float(energy)) }
}
