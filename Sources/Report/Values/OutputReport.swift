extension RenderReport {
  /// A file written.
  public struct Output: Sendable, Codable, Equatable {
    /// Path as given; `-` for standard output.
    public var path: String
    /// `wav`, `rf64`, `flac`, `ogg`, `fmp4` or `hls`.
    public var format: String
    /// `headphones`, `speakers` or `none`.
    public var endpoint: String
    /// Samples per channel.
    public var samples: Int64
    /// SHA-256 of the samples: as they lie in a WAV file, as 24-bit integers from a lossless
    /// encoding in MP4, as 32-bit floats from a lossy one; of a copy that of the coded frames.
    public var pcmSHA256: String
    /// Whether the file was read back and passed its checks.
    public var verified: Bool
    /// The gain that was applied to all channels, dB.
    public var gainDB: Double
    /// Integrated loudness of the file, LUFS.
    public var integrated: Double?
    /// True peak of the file, dBTP.
    public var truePeak: Double?
    /// Video and subtitles in the file.
    public var tracks: [CopiedTrack]?
    /// What the renderer did; absent for a copy.
    public var render: Render?
    /// The user's own processing, in the order in which the sound passed it; absent where there is none.
    public var taps: [Tap]?
    /// What was found out about its samples; absent where nothing was asked for.
    public var analysis: Analysis?
    /// What the normaliser did; absent for a copy.
    public var loudness: Loudness?
    /// The output's curves, besides those of the delivered loudness in `loudness`.
    public var curves: Curves?

    /// An output.
    public init(
      path: String, format: String, endpoint: String, samples: Int64, pcmSHA256: String,
      verified: Bool, gainDB: Double, integrated: Double?, truePeak: Double?
    ) {
      self.path = path
      self.format = format
      self.endpoint = endpoint
      self.samples = samples
      self.pcmSHA256 = pcmSHA256
      self.verified = verified
      self.gainDB = gainDB
      self.integrated = integrated
      self.truePeak = truePeak
    }
  }

  /// A video or subtitle track in the file.
  public struct CopiedTrack: Sendable, Codable, Equatable {
    /// `video` or `subtitles`.
    public var kind: String
    /// Codec in the source.
    public var codec: String
    /// Number of pictures, or of texts.
    public var count: Int
    /// SHA-256 of the pictures' bytes, read back and compared; `nil` for subtitles, which are
    /// written in another format.
    public var sha256: String?
    /// Language tag.
    public var language: String?

    /// A track.
    public init(kind: String, codec: String, count: Int, sha256: String?, language: String?) {
      self.kind = kind
      self.codec = codec
      self.count = count
      self.sha256 = sha256
      self.language = language
    }
  }

  /// Cost of a job.
  public struct Performance: Sendable, Codable, Equatable {
    /// CPU time, seconds.
    public var cpuSeconds: Double
    /// Elapsed time, seconds.
    public var wallSeconds: Double
    /// Seconds of audio per elapsed second.
    public var realtimeFactor: Double
    /// Largest resident set of the process, MiB.
    public var peakRSSMiB: Double

    /// A cost.
    public init(
      cpuSeconds: Double, wallSeconds: Double, realtimeFactor: Double, peakRSSMiB: Double
    ) {
      self.cpuSeconds = cpuSeconds
      self.wallSeconds = wallSeconds
      self.realtimeFactor = realtimeFactor
      self.peakRSSMiB = peakRSSMiB
    }
  }
}
