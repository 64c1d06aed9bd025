// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// A part of a programme as it leaves a limiter.
struct LimitedPart {
  /// The steps measured, the last of which may not be whole.
  var steps = 0..<0
  /// Their energies; the last one lacks where it isn't whole.
  var energies: [Double] = []
  /// Energy behind the last whole step, where the part goes to the programme's end.
  var rest: Double?
  /// Largest momentary energy that ends in them.
  var momentary = 0.0
  /// Largest magnitudes of the samples, and of what lies between them.
  var peaks: (sample: Float, between: Float) = (0, 0)
  /// Samples per channel that were reduced, and the largest reduction in dB.
  var activeSamples: Int64 = 0
  var maxReductionDB = 0.0
}

/// Sends a part of a programme through a limiter and measures it: from before the first peak that needs it to
/// where the gain has come to rest and the meter's filters have forgotten the difference.
struct LimitedRun {
  /// Whole steps of 100 ms before the first peak in which limiter and meter settle: longer than the
  /// limiter's look-ahead, than a momentary window, and than the filters' memory (e^-95 after 0.4 s).
  private static let settling = 4

  /// Measurement; complete when the run has ended.
  private var part = LimitedPart()

  private let limiter: TruePeakLimiter
  private let meter: LoudnessMeter
  private let format: AudioFormat
  private let stepLength: Int
  private let output: AudioBuffer
  /// Number of the sample that comes out of the limiter next, and of the first one measured.
  private var position: Int
  private let measured: Int
  /// Samples of the limiter's latency that are still to come.
  private var late = 0

  /// A run through `limiter`, which is fresh, around the peak in step `peak`; steps before `earliest` were
  /// measured by a run before.
  /// - Throws: ``MediaError`` when limiter or meter can't take the format.
  init(
    around peak: Int, earliest: Int, limiter: TruePeakLimiter, format: AudioFormat, dualMono: Bool
  ) throws {
    self.limiter = limiter
    self.format = try limiter.prepare(format)
    meter = try LoudnessMeter(format: format, dualMono: dualMono, keepsFigures: true)
    stepLength = LoudnessMeter.stepLength(at: format.sampleRate)
    late = limiter.latency
    output = AudioBuffer(channels: format.channels)
    // The limiter judges chunks; they lie where they would for the whole programme.
    let before = max(0, peak - LimitedRun.settling - 1) * stepLength
    position = before / limiter.chunk * limiter.chunk
    let first = (position + stepLength - 1) / stepLength
    measured = first * stepLength
    let valid = position == 0 ? 0 : first + LimitedRun.settling
    part.steps = max(valid, earliest)..<max(valid, earliest)
  }

  /// Runs until nothing is left to limit, and returns what came out. Only that is kept: a limiter and a meter for
  /// each part of a film that is limited would be most of the job's memory.
  /// - Throws: what reading and the limiter throw.
  mutating func run(
    _ programme: NormalizationProgramme, _ bounds: PeakBounds, above threshold: Float
  ) throws -> LimitedPart {
    let end = Int(programme.statistics.samples)
    var taken = position
    var lastActive = part.steps.lowerBound
    var isDone = false
    try programme.read(Int64(position)) { start, block in
      while taken < Int(start) + block.frames, !isDone {
        let step = taken / stepLength
        let until = min(Int(start) + block.frames, (step + 1) * stepLength)
        let active = limiter.activeSamples
        try limiter.process(block, range: taken - Int(start)..<until - Int(start), into: output)
        taken = until
        try measure()
        if limiter.activeSamples > active || !limiter.isIdle { lastActive = step }
        guard taken % stepLength == 0, taken < end else { continue }
        isDone = try isOver(at: step + 1, lastActive, bounds, threshold)
      }
      return !isDone
    }
    try close(atEnd: !isDone)
    return part
  }

  /// Whether the meter has settled since the limiter last worked, and has time to settle before it works again.
  private func isOver(
    at step: Int, _ lastActive: Int, _ bounds: PeakBounds, _ threshold: Float
  ) throws -> Bool {
    guard step > lastActive + LimitedRun.settling + 2 else { return false }
    let next = try bounds.next(from: step - 1, above: threshold) ?? .max
    return next > step + LimitedRun.settling + 2
  }

  /// Measures what came out of the limiter.
  private mutating func measure() throws {
    var dropped = min(late, output.frames)
    late -= dropped
    // Samples before the meter's first step are let go.
    let early = min(max(0, measured - position), output.frames - dropped)
    position += early
    dropped += early
    output.removeFirst(dropped)
    guard output.frames > 0 else { return }
    let valid = part.steps.lowerBound * stepLength
    if position < valid, position + output.frames > valid {
      // The peaks before belong to the steps before, and the first of them to the sudden beginning.
      let rest = AudioBuffer(channels: format.channels)
      rest.append(output, range: valid - position..<output.frames)
      output.truncate(to: valid - position)
      try meter.add(output)
      meter.forgetPeaks()
      try meter.add(rest)
      position += rest.frames
    } else {
      if position == valid { meter.forgetPeaks() }
      try meter.add(output)
    }
    position += output.frames
    output.removeAll()
  }

  private mutating func close(atEnd: Bool) throws {
    if atEnd {
      try limiter.finish(into: output)
      try measure()
      part.rest = meter.finish()
    }
    let first = part.steps.lowerBound - measured / stepLength
    let end = meter.steps.count
    part.energies = Array(meter.steps[min(first, end)..<end])
    part.momentary = Double(meter.figures.momentary[min(first, end)..<end].max() ?? 0)
    part.peaks = meter.peaksSoFar
    part.steps = part.steps.lowerBound..<part.steps.lowerBound + part.energies.count
    part.activeSamples = limiter.activeSamples
    part.maxReductionDB = limiter.maxReductionDB
  }
}

/// For each 100 ms of a programme, a bound for the peaks that a limiter would find there at a gain of 1.
///
/// The samples alone bound what lies between them, coarsely. If that bound leaves a doubt, the programme
/// is read once and measured with the limiter's own detector.
final class PeakBounds {
  /// How far below the threshold asked for peaks are measured, so that the next ones need no other reading.
  private static let foresight: Float = 0.95
  /// Factor of a bound that allows for rounding.
  private static let rounding: Float = 1.0001

  private let programme: NormalizationProgramme
  private let stepLength: Int
  private var bounds: [Float]
  /// Above this the bounds are exact.
  private var exactAbove = Float.infinity

  init(_ programme: NormalizationProgramme) {
    self.programme = programme
    stepLength = LoudnessMeter.stepLength(at: programme.format.sampleRate)
    bounds = PeakBounds.coarse(programme.figures.peaks)
  }

  /// Number of the first step at or after `step` whose peaks may be above `threshold`; `nil` for none.
  /// - Throws: what reading the programme throws.
  func next(from step: Int, above threshold: Float) throws -> Int? {
    if threshold < exactAbove { try measure(above: threshold * PeakBounds.foresight) }
    return (step..<max(step, bounds.count)).first { bounds[$0] > threshold }
  }

  /// Largest bound of the steps in `range`.
  func largest(in range: Range<Int>) -> Float { bounds[range].max() ?? 0 }

  /// Number of steps, the last of which may not be whole.
  var count: Int { bounds.count }

  /// The steps without a peak above `threshold`.
  func quiet(below threshold: Float) -> QuietSteps {
    QuietSteps(stepLength: stepLength, isQuiet: bounds.map { $0 <= threshold })
  }

  /// Bounds of the steps: what lies between samples of a step may come from those beside it.
  private static func coarse(_ peaks: [Float]) -> [Float] {
    let norm = PeakGainDetector(ceiling: 1).norm * rounding
    return peaks.indices.map { step in
      peaks[max(0, step - 1)...min(peaks.count - 1, step + 1)].reduce(0, max) * norm
    }
  }

  /// Measures the peaks of all steps whose bounds are above `threshold`.
  private func measure(above threshold: Float) throws {
    let detector = PeakGainDetector(ceiling: threshold)
    var step = 0
    while let first = (step..<bounds.count).first(where: { bounds[$0] > threshold }) {
      let end = (first..<bounds.count).first { bounds[$0] <= threshold } ?? bounds.count
      try measure(first..<end, detector)
      step = end
    }
    exactAbove = threshold
  }

  private func measure(_ steps: Range<Int>, _ detector: PeakGainDetector) throws {
    let (reach, stretch) = (PeakGainDetector.reach, PeakGainDetector.stretch)
    let (first, end) = (steps.lowerBound * stepLength, steps.upperBound * stepLength)
    var found = [Float](repeating: 0, count: steps.count)
    let line = AudioBuffer(channels: programme.format.channels)
    // Number of the first sample in the line, and of the next one that is measured.
    var (origin, position) = (first - reach, first)
    line.appendSilence(max(0, -origin))
    func measureLine() {
      while position < end, position + stretch + reach <= origin + line.frames {
        let bound = detector.bound(in: line, start: position - origin) * PeakBounds.rounding
        for sample in [position, min(end, position + stretch) - 1] {
          let step = sample / stepLength - steps.lowerBound
          found[step] = max(found[step], bound)
        }
        position += stretch
      }
      let used = max(0, min(line.frames, position - reach - origin))
      line.removeFirst(used)
      origin += used
    }
    try programme.read(Int64(max(0, origin))) { start, block in
      let from = max(0, origin + line.frames - Int(start))
      let to = min(block.frames, end + stretch + reach - Int(start))
      if from < to { line.append(block, range: from..<to) }
      measureLine()
      return position < end
    }
    line.appendSilence(stretch + 2 * reach)
    measureLine()
    bounds.replaceSubrange(steps, with: found)
  }
}
