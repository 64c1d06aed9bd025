// SPDX-License-Identifier: Apache-2.0

/// The content of a listening page (`pinna.audition/1`).
public struct AuditionReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.audition/1"

  /// One way in which every excerpt is rendered.
  public struct Way: Sendable, Codable, Equatable {
    /// `w1`, `w2` and so on.
    public var id: String
    /// Name for people, such as `kemar, medium room`.
    public var label: String
    /// The arguments of `pinna render` that give it; those of a finished file are empty.
    public var flags: String
    /// How a finished file is played, as a sentence; absent for what is rendered.
    public var played: String?
    /// `headphones`, `speakers` or `none`; `file` for a finished file.
    public var endpoint: String
    /// SHA-256 of the HRTF set; absent where nothing is virtualised.
    public var sha256: String?
    /// Whether test sounds were rendered with it, whose places the tournament asks for.
    public var hasPlaces: Bool

    /// A way.
    package init(
      id: String, label: String, flags: String, endpoint: String, sha256: String? = nil,
      hasPlaces: Bool = false
    ) {
      self.id = id
      self.label = label
      self.flags = flags
      self.endpoint = endpoint
      self.sha256 = sha256
      self.hasPlaces = hasPlaces
    }
  }

  /// A stretch of an input.
  public struct Excerpt: Sendable, Codable, Equatable {
    /// `e1`, `e2` and so on.
    public var id: String
    /// The input's name.
    public var input: String
    /// `motion`, `dialogue`, `quiet` or `whole`, why it was chosen; `asked` where the user did.
    public var reason: String
    /// Start in the input, seconds.
    public var startSeconds: Double
    /// Length in seconds.
    public var seconds: Double
    /// Loudness that all ways were brought to, LUFS.
    public var target: Double
    /// Largest difference between the loudness of two ways, LU.
    public var spreadLU: Double
    /// The levels of each way, in the order of the ways.
    public var levels: [Level]

    /// An excerpt.
    package init(
      id: String, input: String, reason: String, startSeconds: Double, seconds: Double,
      target: Double, levels: [Level]
    ) {
      self.id = id
      self.input = input
      self.reason = reason
      self.startSeconds = startSeconds
      self.seconds = seconds
      self.target = target
      self.levels = levels
      let loudness = levels.map(\.integrated)
      spreadLU = (loudness.max() ?? 0) - (loudness.min() ?? 0)
    }
  }

  /// The level of one way of an excerpt.
  public struct Level: Sendable, Codable, Equatable {
    /// The way's `id`.
    public var way: String
    /// The gain that brought it to the target, dB.
    public var gainDB: Double
    /// Integrated loudness as it is played, LUFS, measured on the file that was read back.
    public var integrated: Double
    /// True peak as it is played, dBTP.
    public var truePeak: Double
    /// SHA-256 of the samples as they are played.
    public var pcmSHA256: String

    /// A level.
    package init(
      way: String, gainDB: Double, integrated: Double, truePeak: Double, pcmSHA256: String
    ) {
      self.way = way
      self.gainDB = gainDB
      self.integrated = integrated
      self.truePeak = truePeak
      self.pcmSHA256 = pcmSHA256
    }
  }

  /// A test sound within the medium of places.
  public struct Place: Sendable, Codable, Equatable {
    /// `front`, `back`, `up` or `down`.
    public var name: String
    /// `depth` or `height`: places of one axis are told apart.
    public var axis: String
    /// Start in the medium, seconds.
    public var startSeconds: Double
    /// Length in seconds.
    public var seconds: Double

    /// A place.
    package init(name: String, axis: String, startSeconds: Double, seconds: Double) {
      self.name = name
      self.axis = axis
      self.startSeconds = startSeconds
      self.seconds = seconds
    }
  }

  /// Always `pinna.audition/1`.
  public var schema = AuditionReport.schemaName
  /// Identifier by which results belong to the page: a digest of the ways and the samples.
  public var id: String
  /// The page's title.
  public var title: String
  /// Version of Pinna.
  public var pinna: String
  /// Rate of all media, Hz.
  public var rate: Int
  /// Arguments that all ways share, about how the inputs are opened and what becomes of LFE; empty for none.
  public var inputFlags: String
  /// The ways, two to eight.
  public var ways: [Way]
  /// The excerpts.
  public var excerpts: [Excerpt]
  /// The test sounds; empty where no way has them.
  public var places: [Place]
  /// Sentences that the renders reported, each once.
  public var notes: [String]
  /// Folder beside the page that holds the media; absent where they are inside the page.
  public var folder: String?

  /// A page's content.
  package init(
    id: String, title: String, pinna: String, rate: Int, inputFlags: String = "", ways: [Way],
    excerpts: [Excerpt], places: [Place] = [], notes: [String] = []
  ) {
    self.id = id
    self.title = title
    self.pinna = pinna
    self.rate = rate
    self.inputFlags = inputFlags
    self.ways = ways
    self.excerpts = excerpts
    self.places = places
    self.notes = notes
  }

  /// All arguments that give `way`.
  public func command(_ way: Way) -> String {
    [inputFlags, way.flags].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
