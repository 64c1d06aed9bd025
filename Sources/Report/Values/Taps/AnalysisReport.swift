// SPDX-License-Identifier: Apache-2.0
extension RenderReport {
  /// The analysis of an output's samples (`--analyze`).
  public struct Analysis: Sendable, Codable, Equatable {
    /// A curve over time.
    public struct Curve: Sendable, Codable, Equatable {
      /// Length of a step, seconds.
      public var intervalSeconds: Double
      /// Its values.
      public var values: Curves.Curve

      /// A curve.
      public init(intervalSeconds: Double, values: Curves.Curve) {
        self.intervalSeconds = intervalSeconds
        self.values = values
      }
    }

    /// Levels of one channel.
    public struct Channel: Sendable, Codable, Equatable {
      /// The loudspeaker that it is for.
      public var name: String
      /// Largest sample, dBFS; absent for silence.
      public var peak: Double?
      /// Mean, dBFS of a full-scale square wave; absent for silence.
      public var rms: Double?
      /// Peak over mean, dB; absent for silence.
      public var crestDB: Double?
      /// Mean of the samples; full scale is 1.
      public var dcOffset: Double
      /// Runs of three and more samples at full scale.
      public var clippedRuns: Int64
      /// Samples of the longest one.
      public var longestRun: Int64
      /// Peak of each step, dBFS.
      public var peaks: Curve
      /// RMS of each step, dBFS.
      public var levels: Curve

      /// Levels.
      public init(
        name: String, peak: Double?, rms: Double?, crestDB: Double?, dcOffset: Double,
        clippedRuns: Int64, longestRun: Int64, peaks: Curve, levels: Curve
      ) {
        self.name = name
        self.peak = peak
        self.rms = rms
        self.crestDB = crestDB
        self.dcOffset = dcOffset
        self.clippedRuns = clippedRuns
        self.longestRun = longestRun
        self.peaks = peaks
        self.levels = levels
      }
    }

    /// How left and right go together.
    public struct Phase: Sendable, Codable, Equatable {
      /// The two channels.
      public var channels: [String]
      /// Mean correlation over the steps that aren't silent, -1 to 1; absent for silence.
      public var mean: Double?
      /// Lowest correlation of a step.
      public var lowest: Double?
      /// Start of that step, seconds.
      public var lowestAtSeconds: Double?
      /// Share of the steps with a correlation below 0, 0 to 1.
      public var shareBelowZero: Double?
      /// Loss of the mean energy by a mono downmix, dB: 0 for equal channels, 3.01 for unrelated ones.
      public var monoLossDB: Double?
      /// Number of steps in 20 equal ranges from -1 to 1.
      public var histogram: [Int64]
      /// Correlation of each step.
      public var correlation: Curve

      /// A phase.
      public init(
        channels: [String], mean: Double?, lowest: Double?, lowestAtSeconds: Double?,
        shareBelowZero: Double?, monoLossDB: Double?, histogram: [Int64], correlation: Curve
      ) {
        self.channels = channels
        self.mean = mean
        self.lowest = lowest
        self.lowestAtSeconds = lowestAtSeconds
        self.shareBelowZero = shareBelowZero
        self.monoLossDB = monoLossDB
        self.histogram = histogram
        self.correlation = correlation
      }
    }

    /// Runs in which all channels are silent.
    public struct Silence: Sendable, Codable, Equatable {
      /// One run.
      public struct Run: Sendable, Codable, Equatable {
        /// Its first sample.
        public var first: Int64
        /// Its length in samples.
        public var samples: Int64

        /// A run.
        public init(first: Int64, samples: Int64) {
          self.first = first
          self.samples = samples
        }
      }

      /// Samples below this level are silent, dBFS.
      public var thresholdDBFS: Double
      /// Least length of a run, seconds.
      public var leastSeconds: Double
      /// Number of runs.
      public var count: Int64
      /// Their samples together.
      public var samples: Int64
      /// The first 1000 of them.
      public var runs: [Run]

      /// Runs of silence.
      public init(
        thresholdDBFS: Double, leastSeconds: Double, count: Int64, samples: Int64, runs: [Run]
      ) {
        self.thresholdDBFS = thresholdDBFS
        self.leastSeconds = leastSeconds
        self.count = count
        self.samples = samples
        self.runs = runs
      }
    }

    /// The upper end of the content in frequency.
    public struct BandLimit: Sendable, Codable, Equatable {
      /// Highest frequency with content, Hz; absent where it can't be told.
      public var highestHz: Double?
      /// `steep`, `gentle`, `none` or `unknown`.
      public var edge: String
      /// Fall of the level at the edge, dB; absent where there is none.
      public var dropDB: Double?
      /// `certain`, `likely` or `unclear`.
      public var doubt: String
      /// All of it as one sentence.
      public var sentence: String

      /// An end of the band.
      public init(
        highestHz: Double?, edge: String, dropDB: Double?, doubt: String, sentence: String
      ) {
        self.highestHz = highestHz
        self.edge = edge
        self.dropDB = dropDB
        self.doubt = doubt
        self.sentence = sentence
      }
    }

    /// Path of the picture.
    public var spectrogram: String?
    /// Levels of each channel.
    public var levels: [Channel]?
    /// How left and right go together.
    public var phase: Phase?
    /// Runs of silence.
    public var silence: Silence?
    /// Upper end of the content in frequency.
    public var bandLimit: BandLimit?

    /// Nothing yet.
    public init() {}
  }
}
