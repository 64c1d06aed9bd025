/// The delays of measured responses, whichever unit their file has them in.
struct MeasuredDelays: Sendable {
  /// The unit of the file's numbers.
  enum Unit: String, Sendable {
    /// All 0, or none given.
    case none
    /// Samples, as AES69-2015 has them.
    case samples
    /// Seconds, as some files have them nonetheless.
    case seconds
  }

  /// measurement × ear, in samples.
  let samples: [Double]
  /// Unit of the file.
  let unit: Unit

  /// Longest plausible delay, in seconds.
  static let longest = 0.1

  /// The delays `stored` in a file with responses at `rate` Hz; `nil` when one isn't finite or
  /// longer than ``longest``.
  ///
  /// A largest value below 0.05 means seconds: as samples it would be too short to matter, and no
  /// set has delays of 50 ms.
  init?(stored: [Double], rate: Int) {
    let largest = stored.reduce(0) { max($0, $1.magnitude) }
    let unit: Unit = largest == 0 ? .none : (largest < 0.05 ? .seconds : .samples)
    let samples = unit == .seconds ? stored.map { $0 * Double(rate) } : stored
    let limit = MeasuredDelays.longest * Double(rate)
    guard samples.allSatisfy({ $0.isFinite && $0.magnitude <= limit }) else { return nil }
    self.samples = samples
    self.unit = unit
  }

  /// No delays for `count` responses.
  init(none count: Int) {
    samples = [Double](repeating: 0, count: count)
    unit = .none
  }
}
