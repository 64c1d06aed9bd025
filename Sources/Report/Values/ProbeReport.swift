// SPDX-License-Identifier: Apache-2.0
import AudioCore

/// The content of a file (`pinna.probe/2`).
public struct ProbeReport: Sendable, Codable, Equatable {
  /// One stream.
  public struct Stream: Sendable, Codable, Equatable {
    /// Index in the container.
    public var index: Int
    /// Kind of the stream.
    public var kind: StreamKind
    /// Codec name.
    public var codec: String
    /// Codec profile.
    public var profile: String?
    /// Layout of an audio stream.
    public var layout: String?
    /// Hz, for audio.
    public var rate: Int?
    /// Language tag.
    public var language: String?
    /// Title.
    public var title: String?
    /// Whether the container marks it as default.
    public var isDefault: Bool
    /// Other dispositions that the container sets.
    public var dispositions: [String]
    /// Duration in seconds, as the container says.
    public var seconds: Double?
    /// Mean bit rate in bit/s, as the container or codec says.
    public var bitRate: Int?
    /// Size and rate of the pictures, for video.
    public var pictures: Pictures?
    /// The number by which `-a` chooses an audio track.
    public var audioNumber: Int?

    /// A stream.
    public init(
      index: Int, kind: StreamKind, codec: String, profile: String?, layout: String?, rate: Int?,
      language: String?, title: String?, isDefault: Bool, dispositions: [String],
      seconds: Double?
    ) {
      self.index = index
      self.kind = kind
      self.codec = codec
      self.profile = profile
      self.layout = layout
      self.rate = rate
      self.language = language
      self.title = title
      self.isDefault = isDefault
      self.dispositions = dispositions
      self.seconds = seconds
    }
  }

  /// Pictures of a video stream.
  public struct Pictures: Sendable, Codable, Equatable {
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Pictures a second, averaged over the stream; absent when unknown.
    public var rate: Double?

    /// Pictures of a size in pixels, `rate` a second.
    public init(width: Int, height: Int, rate: Double?) {
      self.width = width
      self.height = height
      self.rate = rate
    }
  }

  /// One chapter.
  public struct Chapter: Sendable, Codable, Equatable {
    /// Start, milliseconds.
    public var start: Int64
    /// End, milliseconds.
    public var end: Int64
    /// Title.
    public var title: String?

    /// A chapter.
    public init(start: Int64, end: Int64, title: String?) {
      self.start = start
      self.end = end
      self.title = title
    }
  }

  /// The audio track a render would take.
  public struct Track: Sendable, Codable, Equatable {
    /// The track.
    public var input: RenderReport.Input
    /// Start-up samples and their source.
    public var priming: RenderReport.Timeline.Priming
    /// Source of the programme's end, as in ``RenderReport/Timeline/paddingSource``.
    public var paddingSource: String
    /// Valid samples per channel: counted with `--deep`, else as the file states.
    public var samples: Int64?
    /// Whether the input is marked as virtualised already.
    public var virtualized: Bool
    /// Presentations of an AC-4 track.
    public var presentations: [Presentation]?
    /// Mixes of an IAMF track.
    public var mixes: [Mix]?
    /// The loudness that MP4 states of the track and of its album (`ludt`); absent where it states none.
    public var loudness: Loudness?

    /// A track.
    public init(
      input: RenderReport.Input, priming: RenderReport.Timeline.Priming, paddingSource: String,
      samples: Int64?, virtualized: Bool, presentations: [Presentation]? = nil,
      mixes: [Mix]? = nil, loudness: Loudness? = nil
    ) {
      self.input = input
      self.priming = priming
      self.paddingSource = paddingSource
      self.samples = samples
      self.virtualized = virtualized
      self.presentations = presentations
      self.mixes = mixes
      self.loudness = loudness
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.probe/2"

  /// Always `pinna.probe/2`.
  public var schema = ProbeReport.schemaName
  /// Path as given.
  public var path: String
  /// Container format.
  public var container: String
  /// Length of the whole file in seconds, as the container states it.
  public var seconds: Double?
  /// Bytes of the file; absent for streams.
  public var bytes: Int64?
  /// All streams.
  public var streams: [Stream]
  /// Chapters.
  public var chapters: [Chapter]
  /// The contents of the playlists, for HTTP Live Streaming only.
  public var playlist: Playlist?
  /// The chosen audio track, when it can be decoded.
  public var track: Track?
  /// Why no track can be decoded.
  public var refusal: RenderReport.Failure?
  /// Remarks on possible faults of the input.
  public var degradations: [Diagnostic]
  /// Choices made for the user.
  public var decisions: [Decision]

  /// A file.
  public init(
    path: String, container: String, streams: [Stream], chapters: [Chapter]
  ) {
    self.path = path
    self.container = container
    self.streams = streams
    self.chapters = chapters
    degradations = []
    decisions = []
  }
}

extension ProbeReport {
  /// The loudness that MP4 states (`ludt`, ISO/IEC 14496-12, 12.2.7), in its steps.
  public struct Loudness: Sendable, Codable, Equatable {
    /// Figures of a track or an album; absent where they aren't stated.
    public struct Figures: Sendable, Codable, Equatable {
      /// Integrated loudness, LUFS.
      public var integrated: Double?
      /// Maximum momentary loudness, LUFS.
      public var momentaryMax: Double?
      /// Maximum short-term loudness, LUFS.
      public var shortTermMax: Double?
      /// Loudness range, LU.
      public var range: Double?
      /// True peak, dBTP.
      public var truePeak: Double?
      /// Sample peak, dBFS.
      public var samplePeak: Double?

      /// Figures that are all unknown.
      public init() {}
    }

    /// Figures of the track (`tlou`).
    public var track: Figures?
    /// Figures of its album (`alou`).
    public var album: Figures?

    /// A loudness.
    public init(track: Figures? = nil, album: Figures? = nil) {
      self.track = track
      self.album = album
    }
  }

  /// One presentation of an AC-4 track.
  public struct Presentation: Sendable, Codable, Equatable {
    /// Place in the table of contents, from 0.
    public var index: Int
    /// Its id, if it has one.
    public var id: Int?
    /// Channel mode, e.g. `stereo`; missing for objects.
    public var channels: String?
    /// Whether it is immersive stereo, made for headphones.
    public var immersiveStereo: Bool
    /// Whether it holds audio objects.
    public var objects: Bool
    /// Languages of its substreams.
    public var languages: [String]
    /// Frames a second.
    public var frameRate: Double
    /// Dialogue normalisation, dB.
    public var dialnorm: Double?
    /// Integrated loudness the stream states, LUFS.
    public var integrated: Double?
    /// True peak the stream states, dBTP.
    public var truePeak: Double?
    /// Whether it carries dynamic range control.
    public var dynamicRange: Bool
    /// Whether its dialogue can be enhanced.
    public var dialogueEnhancement: Bool

    /// A presentation.
    public init(
      index: Int, id: Int?, channels: String?, immersiveStereo: Bool, objects: Bool,
      languages: [String], frameRate: Double, dialnorm: Double?, integrated: Double?,
      truePeak: Double?, dynamicRange: Bool, dialogueEnhancement: Bool
    ) {
      self.index = index
      self.id = id
      self.channels = channels
      self.immersiveStereo = immersiveStereo
      self.objects = objects
      self.languages = languages
      self.frameRate = frameRate
      self.dialnorm = dialnorm
      self.integrated = integrated
      self.truePeak = truePeak
      self.dynamicRange = dynamicRange
      self.dialogueEnhancement = dialogueEnhancement
    }
  }
}

extension ProbeReport {
  /// The contents of HTTP Live Streaming playlists (RFC 8216).
  public struct Playlist: Sendable, Codable, Equatable {
    /// One variant stream.
    public struct Variant: Sendable, Codable, Equatable {
      /// URI of its media playlist, as written.
      public var uri: String
      /// Peak bit rate in bits a second.
      public var bandwidth: Int64
      /// The `CODECS` attribute, as written.
      public var codecs: String?
      /// Group of its audio renditions.
      public var audioGroup: String?

      /// A variant.
      public init(uri: String, bandwidth: Int64, codecs: String?, audioGroup: String?) {
        self.uri = uri
        self.bandwidth = bandwidth
        self.codecs = codecs
        self.audioGroup = audioGroup
      }
    }

    /// One audio rendition.
    public struct Rendition: Sendable, Codable, Equatable {
      /// Its group.
      public var group: String
      /// Its name.
      public var name: String
      /// Language tag.
      public var language: String?
      /// Number of channels, as written.
      public var channels: String?
      /// Whether a player takes it unless the listener chooses another.
      public var isDefault: Bool
      /// URI of its media playlist, as written; `nil` when its sound is part of the variants'
      /// streams.
      public var uri: String?

      /// A rendition.
      public init(
        group: String, name: String, language: String?, channels: String?, isDefault: Bool,
        uri: String?
      ) {
        self.group = group
        self.name = name
        self.language = language
        self.channels = channels
        self.isDefault = isDefault
        self.uri = uri
      }
    }

    /// Successive segments with one container and one clock, or successive missing ones.
    public struct Section: Sendable, Codable, Equatable {
      /// Number of the first one, counted from 0.
      public var firstSegment: Int
      /// How many there are.
      public var segments: Int
      /// Duration in seconds, by the playlist.
      public var seconds: Double
      /// Whether the playlist itself marks its segments as missing.
      public var isGap: Bool

      /// A section.
      public init(firstSegment: Int, segments: Int, seconds: Double, isGap: Bool) {
        self.firstSegment = firstSegment
        self.segments = segments
        self.seconds = seconds
        self.isGap = isGap
      }
    }

    /// Variants; empty when a media playlist was given.
    public var variants: [Variant]
    /// Audio renditions.
    public var renditions: [Rendition]
    /// Sections of the chosen media playlist.
    public var sections: [Section]

    /// The content of playlists.
    public init(variants: [Variant], renditions: [Rendition], sections: [Section]) {
      self.variants = variants
      self.renditions = renditions
      self.sections = sections
    }
  }
}
