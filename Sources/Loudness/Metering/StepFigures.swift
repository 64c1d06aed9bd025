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
