// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Signal

/// A constant gain followed by a look-ahead limiter that holds the true peak.
///
/// Design: the gain each sample needs, found between the samples as well (``PeakGainDetector``:
/// ITU-R BS.1770-5, Annex 2, and two eightfold interpolators), is the same for all channels. Its
/// minimum over the look-ahead, released with the time constant of the ``LimiterResponse`` and smoothed by a
/// triangular FIR as long as the look-ahead, multiplies the delayed signal. That is the
/// feed-forward look-ahead limiter of Giannoulis, Massberg and Reiss (J. Audio Eng. Soc. 60(6),
/// 2012) with the minimum, release and box filters of Luff, "Designing a straightforward limiter"
/// (2022). While nothing needs limiting, the output is the input times the gain, bit for bit.
///
/// The output begins with ``latency`` samples of silence and is as much longer than the input.
/// Not thread-safe; one owner at a time.
package final class TruePeakLimiter: AudioStage {
  /// Samples by which the output lags the input (about 6 ms with the gentle response); fixed after
  /// ``prepare(_:)``.
  package private(set) var latency = 0
  /// Largest gain reduction applied, in dB, not below 0; complete after ``finish(into:)``.
  package var maxReductionDB: Double { record.largestDB }
  /// Samples per channel whose gain was reduced; complete after ``finish(into:)``.
  package var activeSamples: Int64 { record.activeSamples }
  /// Largest gain reduction in each 100 ms of the programme, in dB, not below 0; ends with the last
  /// that has any. Complete after ``finish(into:)``.
  package var reductionsDB: [Double] { record.stepsDB }

  private let gain: Float
  private let ceilingDB: Double
  private let detector: PeakGainDetector
  private let response: LimiterResponse
  private var envelope: GainEnvelope
  /// The last ``latency`` samples after gain, then those of the chunk being filled.
  private var line = AudioBuffer(channels: 1)
  private var gains = Buffer<Int64>(0, count: 1)
  /// Samples that are judged together.
  private(set) var chunk = 1024
  /// Position in the output stream of the next sample to be appended.
  private var emitted: Int64 = 0
  private var received: Int64 = 0
  private var record = ReductionRecord(full: 1, stepLength: 4800)
  /// Largest magnitude in the chunk before, whose end the detector still looks at.
  private var previousPeak: Float = 0
  /// Parts of the programme that need no search for peaks; `nil` where nothing is known.
  private let quiet: QuietSteps?

  /// A limiter that applies `gainDB` dB, then keeps the true peak at or below `ceilingDB` dBTP,
  /// reacting as `response` says. `quiet` changes what a run costs, not its output.
  package init(
    gainDB: Double, ceilingDB: Double, response: LimiterResponse = .gentle,
    quiet: QuietSteps? = nil
  ) {
    self.response = response
    self.quiet = quiet
    envelope = GainEnvelope(sampleRate: 48_000, response: response)
    gain = Float(Decibels.amplitude(gainDB))
    self.ceilingDB = ceilingDB
    detector = PeakGainDetector(ceiling: Float(Decibels.amplitude(ceilingDB)))
  }

  /// Whether the gain is at rest: what was taken so far needs no reduction any more.
  var isIdle: Bool { envelope.isIdle }

  /// Fixes the format; the output has the same.
  /// - Throws: ``MediaError`` of kind `unsupported-feature` outside 8–384 kHz, of kind `usage` when
  ///   gain or ceiling isn't a level that can be worked with (±200 dB).
  package func prepare(_ format: AudioFormat) throws -> AudioFormat {
    guard AudioFormat.sampleRates.contains(format.sampleRate) else {
      throw MediaError(
        .unsupportedFeature,
        "the limiter can't work at \(format.sampleRate) Hz: resample to 8000 to 384000 Hz")
    }
    guard gain.isFinite, ceilingDB.magnitude <= 200 else {
      throw MediaError(
        .usage, "the limiter's gain and ceiling must lie within 200 dB of full scale")
    }
    envelope = GainEnvelope(sampleRate: format.sampleRate, response: response)
    record = ReductionRecord(
      full: envelope.full, stepLength: LoudnessMeter.stepLength(at: format.sampleRate))
    latency = envelope.delay + PeakGainDetector.reach
    // Fixed chunks, whatever the blocks that come in, make every decision independent of them.
    chunk = format.sampleRate > 96_000 ? 4096 : 1024
    line = AudioBuffer(channels: format.channels, capacity: latency + chunk)
    line.appendSilence(latency)
    gains = Buffer(PeakGainDetector.one, count: chunk)
    return format
  }

  /// Takes `input`, of any length, and appends what is complete.
  /// - Throws: ``MediaError`` of kind `damaged` when a sample isn't finite after the gain.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    try process(input, range: 0..<input.frames, into: output)
  }

  /// As ``process(_:into:)`` for the samples of `input` in `range` only.
  func process(_ input: AudioBuffer, range: Range<Int>, into output: AudioBuffer) throws {
    var position = range.lowerBound
    while position < range.upperBound {
      let count = min(range.upperBound - position, latency + chunk - line.frames)
      GainStage.append(input, range: position..<position + count, gain: gain, to: line)
      position += count
      received += Int64(count)
      if line.frames == latency + chunk { try runChunk(keeping: chunk, into: output) }
    }
  }

  /// Appends the samples still held back, so that the output is ``latency`` longer than the input.
  /// - Throws: as ``process(_:into:)``.
  package func finish(into output: AudioBuffer) throws {
    while emitted < received + Int64(latency) {
      line.appendSilence(latency + chunk - line.frames)
      let left = received + Int64(latency) - emitted
      try runChunk(keeping: Int(min(Int64(chunk), left)), into: output)
    }
  }

  /// Limits the oldest chunk of the line and appends its first `count` samples to `output`.
  private func runChunk(keeping count: Int, into output: AudioBuffer) throws {
    let peak = try newestPeak()
    var isLimiting = false
    let first = Int(emitted) - PeakGainDetector.reach
    if detector.canExceed(max(peak, previousPeak)),
      quiet?.covers(first..<first + chunk) != true
    {
      let start = latency - PeakGainDetector.reach
      isLimiting = detector.detect(in: line, start: start, count: chunk, into: gains.base)
    }
    previousPeak = peak
    if isLimiting || !envelope.isIdle {
      envelope.run(gains.base, count: chunk)
      apply(count, to: output)
      gains.base.update(repeating: PeakGainDetector.one, count: chunk)
    } else {
      output.append(line, range: 0..<count)
    }
    emitted += Int64(count)
    line.removeFirst(chunk)
  }

  /// Largest magnitude of the chunk that came in last, in any channel.
  private func newestPeak() throws -> Float {
    var largest: Float = 0
    for channel in 0..<line.channels {
      let peak = line.greatestMagnitude(channel: channel, from: latency, count: chunk)
      guard peak.isFinite else {
        throw MediaError(
          .damaged,
          "channel \(channel + 1) has samples that aren't finite numbers before sample \(received):"
            + " decode the input again or repair it")
      }
      largest = max(largest, peak)
    }
    return largest
  }

  /// Appends `count` samples of the line times the smooth gain, and counts the reduction.
  private func apply(_ count: Int, to output: AudioBuffer) {
    let full = envelope.full
    let scale = 1 / Double(full)
    let gains = self.gains.base
    // The first `latency` outputs are the silence before the programme and don't count.
    let silent = Int(max(0, min(Int64(count), Int64(latency) - emitted)))
    record.note(gains, silent..<count, at: Int(emitted) - latency)
    let start = output.grow(by: count)
    for channel in 0..<line.channels {
      guard let source = line.channel(channel).baseAddress,
        let target = output.channel(channel).baseAddress
      else { continue }
      for index in 0..<count {
        let factor = gains[index] == full ? 1 : Float(Double(gains[index]) * scale)
        target[start + index] = source[index] * factor
      }
    }
  }
}

extension LimiterResponse {
  /// Half the length of the smoothing window in samples at `sampleRate` Hz.
  func halfWindow(at sampleRate: Int) -> Int {
    switch self {
    case .gentle: return max(8, sampleRate / 400)
    case .fast: return max(8, sampleRate / 2000)
    case .hard: return 8
    }
  }

  /// Samples before a peak over which a limiter at `sampleRate` Hz may already lower the gain, however it reacts.
  package static func longestLookAhead(at sampleRate: Int) -> Int {
    2 * gentle.halfWindow(at: sampleRate) + 2 * GainEnvelope.hold
  }

  /// Release time constant in seconds.
  var release: Double {
    switch self {
    case .gentle: return 0.1
    case .fast: return 0.01
    case .hard: return 0.001
    }
  }
}

/// Multiplies every sample by one constant gain; no latency.
///
/// The gain is rounded to Float once, so the product is the same as that of ``TruePeakLimiter``
/// while it doesn't limit.
package final class GainStage: AudioStage {
  /// Always 0.
  package let latency = 0
  private let gain: Float

  /// A gain of `gainDB` dB.
  package init(gainDB: Double) { gain = Float(Decibels.amplitude(gainDB)) }

  /// Accepts every format and keeps it.
  package func prepare(_ format: AudioFormat) throws -> AudioFormat { format }

  /// Appends `input` times the gain.
  package func process(_ input: AudioBuffer, into output: AudioBuffer) throws {
    GainStage.append(input, range: 0..<input.frames, gain: gain, to: output)
  }

  /// Nothing is held back.
  package func finish(into output: AudioBuffer) throws {}

  /// Appends `range` of `input`, times `gain`, to `output`.
  static func append(_ input: AudioBuffer, range: Range<Int>, gain: Float, to output: AudioBuffer) {
    let start = output.grow(by: range.count)
    for channel in 0..<input.channels {
      guard let source = input.channel(channel).baseAddress,
        let target = output.channel(channel).baseAddress
      else { continue }
      let from = source + range.lowerBound
      let into = target + start
      for index in 0..<range.count { into[index] = from[index] * gain }
    }
  }
}

/// The 100 ms of a programme in which a limiter of one gain and one ceiling finds no peak to lower.
package struct QuietSteps: Sendable, Equatable {
  /// Samples in a step of 100 ms.
  let stepLength: Int
  /// One value for each step.
  let isQuiet: [Bool]

  /// Whether no sample in `range` of the programme needs a lower gain. Nothing is known of what lies
  /// before and after the programme, where an interpolator still rings.
  func covers(_ range: Range<Int>) -> Bool {
    let (first, last) = (range.lowerBound / stepLength, (range.upperBound - 1) / stepLength)
    guard range.lowerBound >= 0, last < isQuiet.count else { return false }
    return isQuiet[first...last].allSatisfy { $0 }
  }
}

/// The gain reduction of a limiter over a programme, as a whole and over time.
struct ReductionRecord {
  /// Samples per channel whose gain was reduced.
  private(set) var activeSamples: Int64 = 0
  /// Largest gain reduction in dB, not below 0.
  var largestDB: Double { steps.min().map(reductionDB) ?? 0 }
  /// Largest gain reduction in each step of the programme, in dB, not below 0; ends with the last step
  /// that has any.
  var stepsDB: [Double] { steps.map(reductionDB) }

  /// The integer that stands for a gain of 1.
  private let full: Int64
  /// Samples in a step of 100 ms.
  private let stepLength: Int
  /// Smallest gain in each step so far.
  private var steps: [Int64] = []

  /// An empty record; gains are integers of which `full` stands for 1.
  init(full: Int64, stepLength: Int) {
    self.full = full
    self.stepLength = stepLength
  }

  /// Counts the reduction by those of `gains` that lie in `range`; the first of all of them belongs to
  /// sample `first` of the programme.
  mutating func note(_ gains: UnsafePointer<Int64>, _ range: Range<Int>, at first: Int) {
    var start = range.lowerBound
    while start < range.upperBound {
      let step = (first + start) / stepLength
      let end = min(range.upperBound, (step + 1) * stepLength - first)
      var least = full
      for index in start..<end where gains[index] < full {
        activeSamples += 1
        if gains[index] < least { least = gains[index] }
      }
      if least < full {
        while steps.count <= step { steps.append(full) }
        steps[step] = min(steps[step], least)
      }
      start = end
    }
  }

  private func reductionDB(_ gain: Int64) -> Double {
    gain < full ? -Decibels.level(Double(gain) / Double(full)) : 0
  }
}
