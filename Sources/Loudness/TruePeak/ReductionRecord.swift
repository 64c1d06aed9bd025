import Signal

/// What a limiter took away from a programme, as a whole and over time.
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
