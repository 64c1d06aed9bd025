// SPDX-License-Identifier: Apache-2.0
import AudioCore

extension RenderReport {
  /// The input track.
  public struct Input: Sendable, Codable, Equatable {
    /// Path as given.
    public var path: String
    /// Container format.
    public var container: String
    /// Stream index in the container.
    public var stream: Int
    /// Codec name.
    public var codec: String
    /// Codec profile.
    public var profile: String?
    /// Channel layout.
    public var layout: String
    /// Hz.
    public var rate: Int
    /// Language tag.
    public var language: String?
    /// Dialogue normalisation of the bitstream, dB.
    public var dialnorm: Double?
    /// Whether the bitstream carries heavy compression words; they are applied only with `--drc`.
    public var drc: Bool?
    /// Whether the bitstream holds audio objects.
    public var objects: ProgrammeFacts.Presence
    /// How its objects are coded; absent where they aren't, or aren't decoded.
    public var objectCoding: ObjectCodingReport?
    /// Objects and channels that it holds beside its bed and that can't be decoded; absent without any.
    public var undecoded: ProgrammeFacts.Undecoded?
    /// Its objects, loudspeaker channels and sound fields; absent for a bed alone.
    public var scene: [ObjectReport]?
    /// Work of the timeline; absent when the run ended before.
    public var timeline: Timeline?

    /// An input track.
    public init(
      path: String, container: String, stream: Int, codec: String, profile: String?,
      layout: String, rate: Int, language: String?, dialnorm: Double?, drc: Bool?,
      objects: ProgrammeFacts.Presence
    ) {
      self.path = path
      self.container = container
      self.stream = stream
      self.codec = codec
      self.profile = profile
      self.layout = layout
      self.rate = rate
      self.language = language
      self.dialnorm = dialnorm
      self.drc = drc
      self.objects = objects
    }
  }
}

extension RenderReport {
  /// The work of the timeline. All counts are samples per channel at the source rate unless noted.
  public struct Timeline: Sendable, Codable, Equatable {
    /// Start-up samples.
    public struct Priming: Sendable, Codable, Equatable {
      /// Samples dropped.
      public var samples: Int64
      /// Source of the count: `elst`, `itunsmpb`, `packet-table`, `codec-delay`, `first-page`, `lame`,
      /// `opus-header`, `decoder`, `codec-table` or `option`; `unknown` when there is none, and no samples are dropped.
      public var source: PrimingSource

      /// Priming of `samples`.
      public init(samples: Int64, source: PrimingSource) {
        self.samples = samples
        self.source = source
      }
    }

    /// Presentation time of the first output sample in the source.
    public struct Start: Sendable, Codable, Equatable {
      /// Samples.
      public var samples: Int64
      /// Hz.
      public var rate: Int

      /// A start.
      public init(samples: Int64, rate: Int) {
        self.samples = samples
        self.rate = rate
      }
    }

    /// A timestamp jump.
    public struct Gap: Sendable, Codable, Equatable {
      /// `gap`, `overlap` or `discontinuity`.
      public var kind: GapKind
      /// Output sample at which it lies.
      public var position: Int64
      /// Its size in samples.
      public var samples: Int64

      /// A jump.
      public init(kind: GapKind, position: Int64, samples: Int64) {
        self.kind = kind
        self.position = position
        self.samples = samples
      }
    }

    /// Start-up samples.
    public var priming: Priming
    /// Samples dropped at the end.
    public var padding: Int64
    /// Source of the programme's end: `elst`, `sample-table`, `itunsmpb`, `packet-table`, `fact`, `comm`,
    /// `lame`, `discard-padding` or `lossless`; `unknown` when there is none, and all samples are kept.
    public var paddingSource: PaddingSource
    /// Presentation time of the first output sample.
    public var start: Start
    /// Samples decoded; those before a range that decoding doesn't begin with aren't among them.
    public var samplesIn: Int64
    /// Samples delivered to the renderers, at the source's rate.
    public var samplesOut: Int64
    /// Timestamp jumps.
    public var gaps: [Gap]

    /// A timeline.
    public init(
      priming: Priming, padding: Int64, paddingSource: PaddingSource, start: Start,
      samplesIn: Int64,
      samplesOut: Int64, gaps: [Gap]
    ) {
      self.priming = priming
      self.padding = padding
      self.paddingSource = paddingSource
      self.start = start
      self.samplesIn = samplesIn
      self.samplesOut = samplesOut
      self.gaps = gaps
    }
  }
}

/// An object, a bed, a loudspeaker channel or a sound field of an input.
public struct ObjectReport: Sendable, Codable, Equatable {
  /// A place that is reached at a time.
  public struct Point: Sendable, Codable, Equatable {
    /// Seconds from the file's beginning.
    public var seconds: Double
    /// Azimuth, elevation and distance, or X, Y and Z.
    public var position: [Double]
    /// Linear gain.
    public var gain: Double

    /// A point of a path.
    public init(seconds: Double, position: [Double], gain: Double) {
      self.seconds = seconds
      self.position = position
      self.gain = gain
    }
  }

  /// Identifier of its object, e.g. `AO_1001`.
  public var id: String?
  /// Its name.
  public var name: String?
  /// `object`, `bed`, `speaker`, `ear` or `field`.
  public var type: String
  /// Kinds of its content by which it can be named, e.g. `dialogue`; absent where none is stated.
  public var kinds: [String]?
  /// Changes allowed to a listener; absent where that isn't stated.
  public var interaction: ObjectInteraction?
  /// Tracks of the file that it is made of, from 1; empty for what is decoded from a downmix.
  public var tracks: [Int]
  /// When it first sounds, in seconds.
  public var start: Double?
  /// When it last sounds, in seconds.
  public var end: Double?
  /// Changes of its state.
  public var changes: Int
  /// `polar` (azimuth and elevation in degrees, distance) or `cartesian` (X, Y, Z).
  public var coordinates: String?
  /// Least value of each coordinate while it sounds.
  public var least: [Double]?
  /// Greatest value of each coordinate while it sounds.
  public var greatest: [Double]?
  /// Positions over time; at most 100 points.
  public var path: [Point]?
  /// Sample peak in dBFS of its sound with its gain, before it is panned; absent for silence, for a sound field
  /// and where nothing was rendered.
  public var samplePeak: Double?
  /// Gated loudness in LUFS of the same sound as one channel of weight 1 (ITU-R BS.1770); absent where none
  /// passes the gate, and as above.
  public var integrated: Double?

  /// An object from its values.
  public init(
    name: String?, type: String, tracks: [Int], start: Double?, end: Double?, changes: Int,
    coordinates: String? = nil, least: [Double]? = nil, greatest: [Double]? = nil,
    path: [Point]? = nil
  ) {
    self.name = name
    self.type = type
    self.tracks = tracks
    self.start = start
    self.end = end
    self.changes = changes
    self.coordinates = coordinates
    self.least = least
    self.greatest = greatest
    self.path = path
  }
}

/// The data at the beginning of a track on objects that are coded in a downmix (ETSI TS 103 420, ETSI TS 103 190-2).
public struct ObjectCodingReport: Sendable, Codable, Equatable {
  /// Number of all objects by the headers (`complexity_index_type_a`); absent where they state none.
  public var complexity: Int?
  /// Channels of the bed; absent without one.
  public var bed: String?
  /// Number of objects that can move.
  public var objects: Int
  /// The downmix that they are coded in.
  public var downmix: String
  /// Updates of each object in a second; absent where they come at no fixed rate.
  public var updatesPerSecond: Double?

  /// Facts from their values.
  public init(
    complexity: Int?, bed: String?, objects: Int, downmix: String, updatesPerSecond: Double?
  ) {
    self.complexity = complexity
    self.bed = bed
    self.objects = objects
    self.downmix = downmix
    self.updatesPerSecond = updatesPerSecond
  }
}
