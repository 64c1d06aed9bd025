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

  /// What was measured; complete when the run has ended.
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
    // What lies before the meter's first step is let go.
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
