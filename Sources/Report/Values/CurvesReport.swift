extension RenderReport {
  /// Curves of one output for pictures, of bounded size: a long programme gets longer steps, each
  /// with its least and greatest value.
  public struct Curves: Sendable, Codable, Equatable {
    /// Most steps that a curve has.
    public static let mostSteps = 2000

    /// One curve.
    public struct Curve: Sendable, Codable, Equatable {
      /// Greatest value in each step; `nil` where there is none.
      public var highest: [Double?]
      /// Least value in each step; absent when every step holds a single value.
      public var lowest: [Double?]?

      /// A curve.
      public init(highest: [Double?], lowest: [Double?]? = nil) {
        self.highest = highest
        self.lowest = lowest
      }

      /// Combines `width` successive `values` into each step; a last, shorter step takes the rest.
      public init(_ values: [Double?], width: Int) {
        guard width > 1 else {
          self.init(highest: values)
          return
        }
        var highest: [Double?] = []
        var lowest: [Double?] = []
        for start in stride(from: 0, to: values.count, by: width) {
          let step = values[start..<min(values.count, start + width)].compactMap { $0 }
          highest.append(step.max())
          lowest.append(step.min())
        }
        self.init(highest: highest, lowest: lowest)
      }
    }

    /// Level over frequency, on average over the programme.
    public struct Spectrum: Sendable, Codable, Equatable {
      /// Middle of each third of an octave, Hz.
      public var frequenciesHz: [Double]
      /// Level of the rendered programme before the gain, dB: the mean of the channels, with 0 for a
      /// sine at full scale in all of them; `nil` for silence.
      public var inputDB: [Double?]
      /// The same of the delivered programme.
      public var outputDB: [Double?]

      /// A spectrum.
      public init(frequenciesHz: [Double], inputDB: [Double?], outputDB: [Double?]) {
        self.frequenciesHz = frequenciesHz
        self.inputDB = inputDB
        self.outputDB = outputDB
      }
    }

    /// Length of a step, seconds; a multiple of 0.1.
    public var intervalSeconds: Double
    /// Momentary loudness (400 ms) of the rendered programme before the gain, LUFS.
    public var inputMomentary: Curve
    /// Short-term loudness (3 s) of the rendered programme before the gain, LUFS.
    public var inputShortTerm: Curve
    /// Largest gain reduction by the limiter in each step, dB, 0 or more; absent when the limiter
    /// wasn't
    /// needed.
    public var gainReductionDB: [Double]?
    /// Where the true peak of the rendered programme lies before the gain, seconds, to ±0.05.
    public var inputTruePeakSeconds: Double?
    /// Where the true peak of the delivered programme lies, seconds, to ±0.05.
    public var outputTruePeakSeconds: Double?
    /// Level over frequency; absent for programmes too short for it.
    public var spectrum: Spectrum?

    /// Curves of steps of `intervalSeconds`.
    public init(intervalSeconds: Double, inputMomentary: Curve, inputShortTerm: Curve) {
      self.intervalSeconds = intervalSeconds
      self.inputMomentary = inputMomentary
      self.inputShortTerm = inputShortTerm
    }

    /// The number of readings in a step, such that `count` readings need at most ``mostSteps``
    /// steps.
    public static func width(for count: Int) -> Int { max(1, (count + mostSteps - 1) / mostSteps) }
  }
}
