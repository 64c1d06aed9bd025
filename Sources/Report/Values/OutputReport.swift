// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension RenderReport {
  /// A file written.
  public struct Output: Sendable, Codable, Equatable {
    /// Path as given; `-` for standard output.
    public var path: String
    /// `wav`, `rf64`, `flac`, `ogg`, `mp4`, `fmp4` or `hls`.
    public var format: String
    /// Kind of the endpoint.
    public var endpoint: EndpointKind
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
    /// Tracks copied into the file besides its own sound.
    public var tracks: [CopiedTrack]?
    /// Work of the renderer; absent for a copy.
    public var render: Render?
    /// The user's own processing, in the order in which the sound passed it; absent where there is none.
    public var taps: [Tap]?
    /// Analysis of its samples; absent where none was asked for.
    public var analysis: Analysis?
    /// Work of the normaliser; absent for a copy.
    public var loudness: Loudness?
    /// The output's curves, besides those of the delivered loudness in `loudness`.
    public var curves: Curves?

    /// An output.
    public init(
      path: String, format: String, endpoint: EndpointKind, samples: Int64, pcmSHA256: String,
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
    /// The kind of a copied track.
    public enum Kind: String, ReportWord {
      /// Pictures.
      case video
      /// Sound.
      case audio
      /// Text or bitmap subtitles.
      case subtitles
      /// Attachments and data.
      case other
    }

    /// Kind of the track.
    public var kind: Kind
    /// Codec in the source.
    public var codec: String
    /// Number of pictures, frames or texts.
    public var count: Int
    /// SHA-256 of their bytes, read back and compared; `nil` for subtitles that are written in another
    /// format.
    public var sha256: String?
    /// Language tag.
    public var language: String?

    /// A track.
    public init(kind: Kind, codec: String, count: Int, sha256: String?, language: String?) {
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
    /// How long its stages were busy, in their order; absent for a copy. A run with two threads waits for the longer of `read` and `render`, and
    /// of `write` and `account`.
    public var stages: [StageCost]?

    /// A stage of a run. With two threads `read` goes on beside `render`, and `account` beside `write`.
    public enum Stage: String, Sendable, ReportWord {
      /// Opening the input, and planning.
      case open
      /// Reading, decoding and trimming.
      case read
      /// Taps, renderer, rate conversion, meters and the spool.
      case render
      /// Solving the gain, with trials of the limiter.
      case solve
      /// Gain, limiter, rounding, encoding and writing.
      case write
      /// Meters and checksum of what is written.
      case account
      /// Reading the file back.
      case prove
    }

    /// Cost of a stage.
    public struct StageCost: Sendable, Codable, Equatable {
      /// The stage.
      public var stage: Stage
      /// CPU time of the thread that does it, seconds.
      public var cpuSeconds: Double

      /// A cost.
      public init(stage: Stage, cpuSeconds: Double) {
        self.stage = stage
        self.cpuSeconds = cpuSeconds
      }
    }

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
      /// Level of the delivered programme, dB, as `inputDB`.
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
    /// Time of the rendered programme's true peak before the gain, seconds, to ±0.05.
    public var inputTruePeakSeconds: Double?
    /// Time of the delivered programme's true peak, seconds, to ±0.05.
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
