extension RenderReport {
  /// Loudness figures of a programme.
  public struct Levels: Sendable, Codable, Equatable {
    /// Integrated loudness, LUFS.
    public var integrated: Double?
    /// Maximum momentary loudness, LUFS.
    public var momentaryMax: Double?
    /// Maximum short-term loudness, LUFS.
    public var shortTermMax: Double?
    /// Loudness range, LU.
    public var range: Double?
    /// Maximum true peak, dBTP.
    public var truePeak: Double?
    /// True peak of each channel, dBTP.
    public var channelTruePeaks: [Double?]
    /// Maximum sample peak, dBFS.
    public var samplePeak: Double?
    /// Whether the programme is shorter than 400 ms and was measured ungated as one block.
    public var short: Bool

    /// Levels.
    public init(
      integrated: Double?, momentaryMax: Double?, shortTermMax: Double?, range: Double?,
      truePeak: Double?, channelTruePeaks: [Double?], samplePeak: Double?, short: Bool
    ) {
      self.integrated = integrated
      self.momentaryMax = momentaryMax
      self.shortTermMax = shortTermMax
      self.range = range
      self.truePeak = truePeak
      self.channelTruePeaks = channelTruePeaks
      self.samplePeak = samplePeak
      self.short = short
    }
  }

  /// What the normaliser did.
  public struct Loudness: Sendable, Codable, Equatable {
    /// What the limiter did.
    public struct Limiter: Sendable, Codable, Equatable {
      /// Largest gain reduction, dB.
      public var maxReductionDB: Double
      /// Part of the time with any reduction, 0…1.
      public var activeFraction: Double
      /// `gentle`, `fast` or `hard`: the gentlest response that reached the target.
      public var response: String

      /// Activity of a limiter.
      public init(maxReductionDB: Double, activeFraction: Double, response: String) {
        self.maxReductionDB = maxReductionDB
        self.activeFraction = activeFraction
        self.response = response
      }
    }

    /// `measured` or `off`.
    public var mode: String
    /// Target, LUFS; absent when off.
    public var target: Double?
    /// The rendered programme before the gain.
    public var input: Levels
    /// The one gain, dB.
    public var gainDB: Double
    /// What the limiter did; absent when it wasn't needed.
    public var limiter: Limiter?
    /// The delivered programme, measured on the file that was read back.
    public var output: Levels
    /// The gain Dolby's output reference level would have asked for (target − dialnorm), dB.
    public var dialnormGainDB: Double?

    /// A normalisation.
    public init(
      mode: String, target: Double?, input: Levels, gainDB: Double, limiter: Limiter?,
      output: Levels, dialnormGainDB: Double?
    ) {
      self.mode = mode
      self.target = target
      self.input = input
      self.gainDB = gainDB
      self.limiter = limiter
      self.output = output
      self.dialnormGainDB = dialnormGainDB
    }
  }
}
