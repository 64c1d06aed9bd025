/// What a listening page plays (`pinna.audition/1`).
package struct AuditionReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  package static let schemaName = "pinna.audition/1"

  /// One way in which every excerpt is rendered.
  package struct Way: Sendable, Codable, Equatable {
    /// `w1`, `w2` and so on.
    package var id: String
    /// What people call it, such as `kemar, medium room`.
    package var label: String
    /// The arguments of `pinna render` that give it; those of a finished file are empty.
    package var flags: String
    /// How a finished file is played, as a sentence; absent for what is rendered.
    package var played: String?
    /// `headphones`, `speakers` or `none`; `file` for a finished file.
    package var endpoint: String
    /// SHA-256 of the HRTF set; absent where nothing is virtualised.
    package var sha256: String?
    /// Whether test sounds were rendered with it, whose places the tournament asks for.
    package var hasPlaces: Bool

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
  package struct Excerpt: Sendable, Codable, Equatable {
    /// `e1`, `e2` and so on.
    package var id: String
    /// The input's name.
    package var input: String
    /// `motion`, `dialogue`, `quiet` or `whole`, why it was chosen; `asked` where the user did.
    package var reason: String
    /// Where it begins in the input, seconds.
    package var startSeconds: Double
    /// Length in seconds.
    package var seconds: Double
    /// Loudness that all ways were brought to, LUFS.
    package var target: Double
    /// Largest difference between the loudness of two ways, LU.
    package var spreadLU: Double
    /// The levels of each way, in the order of the ways.
    package var levels: [Level]

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
  package struct Level: Sendable, Codable, Equatable {
    /// The way's `id`.
    package var way: String
    /// The gain that brought it to the target, dB.
    package var gainDB: Double
    /// Integrated loudness as it is played, LUFS, measured on the file that was read back.
    package var integrated: Double
    /// True peak as it is played, dBTP.
    package var truePeak: Double
    /// SHA-256 of the samples as they are played.
    package var pcmSHA256: String

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
  package struct Place: Sendable, Codable, Equatable {
    /// `front`, `back`, `up` or `down`.
    package var name: String
    /// `depth` or `height`: places of one axis are told apart.
    package var axis: String
    /// Where it begins in the medium, seconds.
    package var startSeconds: Double
    /// Length in seconds.
    package var seconds: Double

    /// A place.
    package init(name: String, axis: String, startSeconds: Double, seconds: Double) {
      self.name = name
      self.axis = axis
      self.startSeconds = startSeconds
      self.seconds = seconds
    }
  }

  /// Always `pinna.audition/1`.
  package var schema = AuditionReport.schemaName
  /// What results are known to belong to: a digest of the ways and the samples.
  package var id: String
  /// The page's title.
  package var title: String
  /// Version of Pinna.
  package var pinna: String
  /// Rate of all media, Hz.
  package var rate: Int
  /// Arguments that all ways share, about how the inputs are opened and what becomes of LFE; empty for none.
  package var inputFlags: String
  /// The ways, two to eight.
  package var ways: [Way]
  /// The excerpts.
  package var excerpts: [Excerpt]
  /// The test sounds; empty where no way has them.
  package var places: [Place]
  /// What the renders told of: sentences, each once.
  package var notes: [String]
  /// Folder beside the page that holds the media; absent where they are inside the page.
  package var folder: String?

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
  package func command(_ way: Way) -> String {
    [inputFlags, way.flags].filter { !$0.isEmpty }.joined(separator: " ")
  }
}
