import AudioCore

/// Everything about a file except its samples, as the structure layer compares it.
package struct StructureFacts: Sendable, Equatable {
  /// One track's part of a movie fragment.
  package struct Fragment: Sendable, Equatable {
    /// Track number.
    package var track: Int
    /// Sequence number (`mfhd`).
    package var sequence: Int
    /// Decode time of the first sample in track ticks (`tfdt`).
    package var decodeTime: Int64?
    /// Number of coded samples.
    package var samples: Int64
    /// Ticks they last.
    package var duration: Int64

    /// A part.
    package init(track: Int, sequence: Int, decodeTime: Int64?, samples: Int64, duration: Int64) {
      self.track = track
      self.sequence = sequence
      self.decodeTime = decodeTime
      self.samples = samples
      self.duration = duration
    }
  }

  /// Container, e.g. `wav`.
  package var container = ""
  /// Codec, e.g. `flac`.
  package var codec = ""
  /// Rate and layout.
  package var format: AudioFormat
  /// Valid samples per channel.
  package var samples: Int64 = 0
  /// Presentation time of the first valid sample, in samples.
  package var start: Int64 = 0
  /// Start-up samples that are trimmed.
  package var priming: Int64 = 0
  /// Descriptive tags by lower-case name.
  package var tags: [String: String] = [:]
  /// Every edit of every track, in words.
  package var edits: [String] = []
  /// Paths of the boxes in front of the first fragment.
  package var boxes: [String] = []
  /// Fragments in file order.
  package var fragments: [Fragment] = []
  /// Contradictions between the file's own boxes.
  package var findings: [String] = []

  /// The facts of a file in this format.
  package init(format: AudioFormat) { self.format = format }
}
