import AudioCore

/// What a file holds (`pinna.probe/2`).
public struct ProbeReport: Sendable, Codable, Equatable {
  /// One stream.
  public struct Stream: Sendable, Codable, Equatable {
    /// Index in the container.
    public var index: Int
    /// `audio`, `video`, `picture`, `subtitle` or `other`.
    public var kind: String
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

    /// A stream.
    public init(
      index: Int, kind: String, codec: String, profile: String?, layout: String?, rate: Int?,
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

    /// A track.
    public init(
      input: RenderReport.Input, priming: RenderReport.Timeline.Priming, paddingSource: String,
      samples: Int64?, virtualized: Bool, presentations: [Presentation]? = nil,
      mixes: [Mix]? = nil
    ) {
      self.input = input
      self.priming = priming
      self.paddingSource = paddingSource
      self.samples = samples
      self.virtualized = virtualized
      self.presentations = presentations
      self.mixes = mixes
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
