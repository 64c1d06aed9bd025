// SPDX-License-Identifier: Apache-2.0
import AudioCore

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

  /// A change of the dialogue against the rest.
  public struct DialogueGain: Sendable, Codable, Equatable {
    /// The change, dB.
    public var gainDB: Double
    /// The channels that were changed: those that the file calls dialogue, or the centre.
    public var of: DialogueSource
    /// Part of the programme's K-weighted energy that these channels had, 0…1; absent for objects.
    public var share: Double?
    /// Loudness of the dialogue before the change, LUFS.
    public var dialogueBefore: Double?
    /// Programme less dialogue loudness before the change, LU.
    public var ldrBefore: Double?

    /// A change by `gainDB` of the channels `of`.
    public init(gainDB: Double, of: DialogueSource) { (self.gainDB, self.of) = (gainDB, of) }
  }

  /// The work of the normaliser.
  public struct Loudness: Sendable, Codable, Equatable {
    /// The activity of a limiter.
    public struct Limiter: Sendable, Codable, Equatable {
      /// Largest gain reduction, dB.
      public var maxReductionDB: Double
      /// Part of the time with any reduction, 0…1.
      public var activeFraction: Double
      /// The gentlest response that reached the target.
      public var response: LimiterResponse

      /// Activity of a limiter.
      public init(maxReductionDB: Double, activeFraction: Double, response: LimiterResponse) {
        self.maxReductionDB = maxReductionDB
        self.activeFraction = activeFraction
        self.response = response
      }
    }

    /// The set of programmes that share one gain.
    public struct Album: Sendable, Codable, Equatable {
      /// Number of programmes in the set.
      public var tracks: Int
      /// The loudness that was brought to the target.
      public var reference: AlbumReference
      /// Integrated loudness of the whole delivered set, LUFS.
      public var integrated: Double?
      /// Largest true peak of the delivered set, dBTP.
      public var truePeak: Double?

      /// An album.
      public init(tracks: Int, reference: AlbumReference, integrated: Double?, truePeak: Double?) {
        self.tracks = tracks
        self.reference = reference
        self.integrated = integrated
        self.truePeak = truePeak
      }
    }

    /// The loudness that the file states for what is rendered, beside what is measured of it.
    public struct Stated: Sendable, Codable, Equatable {
      /// Layout that it is stated for, `binaural` for headphones.
      public var layout: String
      /// Loudness that the file states, LUFS.
      public var integrated: Double
      /// The rendered programme before the gain, LUFS.
      public var measured: Double?
      /// `measured` − `integrated`, LU.
      public var differenceLU: Double?
      /// Whether both must be equal. A part of the programme, another HRTF set than the author's and another downmix than
      /// the file's may be louder or quieter.
      public var comparable: Bool

      /// A stated loudness.
      public init(layout: String, integrated: Double, measured: Double?, comparable: Bool) {
        self.layout = layout
        self.integrated = integrated
        self.measured = measured
        differenceLU = measured.map { $0 - integrated }
        self.comparable = comparable
      }
    }

    /// The source of a gain.
    public enum Mode: String, ReportWord {
      /// The loudness of the rendered programme.
      case measured
      /// A level that the bitstream states.
      case metadata
      /// Nothing is normalised.
      case off
    }

    /// Source of the gain.
    public var mode: Mode
    /// Target, LUFS; absent when off.
    public var target: Double?
    /// The rendered programme before the gain.
    public var input: Levels
    /// The one gain, dB.
    public var gainDB: Double
    /// How the gain came about; absent when off.
    public var outcome: GainOutcome?
    /// Activity of the limiter; absent when it wasn't needed.
    public var limiter: Limiter?
    /// The delivered programme, measured on the file that was read back.
    public var output: Levels
    /// `true` where mono was measured as two equal channels (+3.01 LU); absent otherwise.
    public var dualMono: Bool?
    /// The gain that the measured loudness of this programme asks for (target − loudness), dB.
    public var measuredGainDB: Double?
    /// The gain that Dolby's output reference level asks for (target − dialnorm), dB.
    public var dialnormGainDB: Double?
    /// `measuredGainDB` − `dialnormGainDB`: how far dialnorm and measurement are apart.
    public var differenceDB: Double?
    /// Loudness that the file states for what is rendered; absent where it states none.
    public var stated: Stated?
    /// The set this programme was normalised with.
    public var album: Album?
    /// The loudness that `target` is of; absent where it is that of the whole.
    public var anchor: LoudnessAnchor?
    /// Loudness of the delivered dialogue; absent where none was looked for.
    public var dialogue: DialogueLoudness?
    /// Loudness of the dialogue before the gain, LUFS.
    public var inputDialogue: Double?
    /// Loudness of the delivered programme every 100 ms.
    public var series: Series?

    /// A normalisation.
    public init(
      mode: Mode, target: Double?, input: Levels, gainDB: Double, outcome: GainOutcome? = nil,
      limiter: Limiter?, output: Levels, measuredGainDB: Double? = nil,
      dialnormGainDB: Double? = nil, differenceDB: Double? = nil, stated: Stated? = nil,
      album: Album? = nil, series: Series? = nil
    ) {
      self.mode = mode
      self.target = target
      self.input = input
      self.gainDB = gainDB
      self.outcome = outcome
      self.limiter = limiter
      self.output = output
      self.measuredGainDB = measuredGainDB
      self.dialnormGainDB = dialnormGainDB
      self.differenceDB = differenceDB
      self.stated = stated
      self.album = album
      self.series = series
    }
  }
}

extension RenderReport {
  /// Loudness over time: one pair of values for each 100 ms step of the programme.
  public struct Series: Sendable, Codable, Equatable {
    /// Length of a step, seconds.
    public var intervalSeconds: Double
    /// Momentary loudness (400 ms) at the end of each step, LUFS; `nil` before the first full
    /// window and for silence.
    public var momentary: [Double?]
    /// Short-term loudness (3 s) at the end of each step, LUFS; `nil` before the first full window
    /// and for silence.
    public var shortTerm: [Double?]

    /// A series of steps of `intervalSeconds`.
    public init(
      intervalSeconds: Double = 0.1, momentary: [Double?] = [], shortTerm: [Double?] = []
    ) {
      self.intervalSeconds = intervalSeconds
      self.momentary = momentary
      self.shortTerm = shortTerm
    }
  }
}

/// Loudness of one file (`pinna.measure/2`).
public struct MeasureReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.measure/2"

  /// Always `pinna.measure/2`.
  public var schema = MeasureReport.schemaName
  /// The track measured.
  public var input: RenderReport.Input
  /// Valid samples per channel.
  public var samples: Int64
  /// The figures.
  public var levels: RenderReport.Levels
  /// Names of the channels, in the order of the channel figures.
  public var channels: [String]
  /// Remarks on possible faults of the input.
  public var degradations: [Diagnostic]
  /// Loudness every 100 ms; `nil` when it wasn't asked for.
  public var series: RenderReport.Series?
  /// The relative gate of the integrated loudness, LUFS; `nil` when nothing passes the absolute one.
  public var relativeGate: Double?
  /// Loudness of the dialogue; `nil` when it wasn't asked for.
  public var dialogue: DialogueLoudness?
  /// SHA-256 of the file; only with `--series`, and not for streams.
  public var sha256: String?
  /// Date and time of the measurement (ISO 8601, UTC); only with `--series`.
  public var date: String?

  /// Programme loudness to true peak ratio, LU.
  public var peakToLoudness: Double? { levels.peakToLoudness }

  /// A measurement of `input`.
  public init(
    input: RenderReport.Input, samples: Int64, levels: RenderReport.Levels, channels: [String],
    degradations: [Diagnostic], series: RenderReport.Series? = nil, relativeGate: Double? = nil
  ) {
    self.input = input
    self.samples = samples
    self.levels = levels
    self.channels = channels
    self.degradations = degradations
    self.series = series
    self.relativeGate = relativeGate
  }
}

extension RenderReport.Levels {
  /// Programme loudness to true peak ratio, LU; `nil` for silence.
  var peakToLoudness: Double? {
    guard let truePeak, let integrated else { return nil }
    return truePeak - integrated
  }
}

/// Several files measured as one programme, and each by itself (`pinna.measure-album/1`).
public struct MeasureAlbumReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.measure-album/1"

  /// Always `pinna.measure-album/1`.
  public var schema = MeasureAlbumReport.schemaName
  /// Figures of all files together (EBU Tech 3341: the gates see the blocks of all of them); without peaks of channels
  /// where the files differ in these.
  public var album: RenderReport.Levels
  /// The files, in order.
  public var tracks: [MeasureReport]
  /// Loudness of the dialogue of all files together, without passages; `nil` when it wasn't asked for.
  public var dialogue: DialogueLoudness?

  /// The figures `album` of all `tracks` together.
  public init(album: RenderReport.Levels, tracks: [MeasureReport]) {
    self.album = album
    self.tracks = tracks
  }

  /// Programme loudness to true peak ratio, LU.
  public var peakToLoudness: Double? { album.peakToLoudness }

  /// Length of all files together, seconds.
  var seconds: Double {
    tracks.reduce(0) { $0 + (PageText.seconds($1.samples, rate: $1.input.rate) ?? 0) }
  }
}

/// The outcome for a music file that was to get loudness tags (`pinna.tag/1`).
public struct TagReport: Sendable, Codable, Equatable {
  /// How a file ended.
  public enum State: String, Sendable, Codable, CaseIterable {
    /// Tagged now.
    case tagged
    /// Tagged so already, and no byte of it was changed.
    case unchanged
    /// Its loudness tags are gone.
    case removed
    /// Tagged already, and the tags weren't to be made anew.
    case skipped
    /// A dry run wrote nothing.
    case planned
    /// Left as it was; `error` says why.
    case failed
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.tag/1"

  /// Always `pinna.tag/1`.
  public var schema = TagReport.schemaName
  /// Path as given, or as found in a folder.
  public var path: String
  /// How the file ended.
  public var state: State
  /// Integrated loudness, LUFS; absent where it wasn't measured, or no block passes the gates.
  public var integrated: Double?
  /// Gain of the track to the reference, dB.
  public var trackGainDB: Double?
  /// Largest magnitude of the track, 1 is full scale.
  public var trackPeak: Double?
  /// Gain of the album to the reference, dB.
  public var albumGainDB: Double?
  /// Largest magnitude of the album, 1 is full scale.
  public var albumPeak: Double?
  /// Loudness that the gains lead to, LUFS; Opus states them to −23 LUFS all the same. Absent where there are no gains.
  public var reference: Double?
  /// Sentences on what couldn't be kept, and on what players make of the file.
  public var notes: [String] = []
  /// Failure; only for `failed`.
  public var error: RenderReport.Failure?

  /// A file in this state.
  public init(path: String, state: State) {
    self.path = path
    self.state = state
  }
}
