import AudioCore

/// For each 100 ms of a programme, a bound for the peaks that a limiter would find there at a gain of 1.
///
/// The samples alone bound what lies between them, coarsely. Where that bound leaves a doubt, the programme
/// is read once and measured with the limiter's own detector.
final class PeakBounds {
  /// How far below the threshold asked for peaks are measured, so that the next ones need no other reading.
  private static let foresight: Float = 0.95
  /// What rounding may add to a bound.
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

  /// What lies between samples of a step may come from those beside it.
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
