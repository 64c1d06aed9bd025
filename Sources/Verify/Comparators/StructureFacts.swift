import AudioCore

/// What a file is besides its samples: everything the structure layer compares.
public struct StructureFacts: Sendable, Equatable {
  /// One track's part of a movie fragment.
  public struct Fragment: Sendable, Equatable {
    /// Track number.
    public var track: Int
    /// Sequence number (`mfhd`).
    public var sequence: Int
    /// Decode time of the first sample in track ticks (`tfdt`).
    public var decodeTime: Int64?
    /// Number of coded samples.
    public var samples: Int64
    /// Ticks they last.
    public var duration: Int64

    /// A part.
    public init(track: Int, sequence: Int, decodeTime: Int64?, samples: Int64, duration: Int64) {
      self.track = track
      self.sequence = sequence
      self.decodeTime = decodeTime
      self.samples = samples
      self.duration = duration
    }
  }

  /// Container, e.g. `wav`.
  public var container = ""
  /// Codec, e.g. `flac`.
  public var codec = ""
  /// Rate and layout.
  public var format: AudioFormat
  /// Valid samples per channel.
  public var samples: Int64 = 0
  /// Presentation time of the first valid sample, in samples.
  public var start: Int64 = 0
  /// Start-up samples that are trimmed.
  public var priming: Int64 = 0
  /// Descriptive tags by lower-case name.
  public var tags: [String: String] = [:]
  /// Every edit of every track, in words.
  public var edits: [String] = []
  /// Paths of the boxes in front of the first fragment.
  public var boxes: [String] = []
  /// Fragments in file order.
  public var fragments: [Fragment] = []
  /// What is wrong with the boxes, by the file's own account.
  public var findings: [String] = []

  /// The facts of a file in this format.
  public init(format: AudioFormat) { self.format = format }
}
