/// The outcome of a golden's command (`expected.json`).
package struct GoldenOutcome: Sendable, Codable, Equatable {
  /// One file written.
  package struct Output: Sendable, Codable, Equatable {
    /// Name in the folder for outputs.
    package var name: String
    /// Container.
    package var container: String
    /// Codec.
    package var codec: String
    /// Channel layout.
    package var layout: String
    /// Hz.
    package var rate: Int
    /// Samples per channel.
    package var samples: Int64
    /// Presentation time of the first of them, in samples.
    package var start: Int64
    /// Start-up samples trimmed when it is read.
    package var priming: Int64
    /// Hash of the samples as the report gives it.
    package var pcmSHA256: String
    /// Loudness in LUFS; `nil` for silence.
    package var integrated: Double?
    /// True peak in dBTP; `nil` for silence.
    package var truePeak: Double?
    /// Edits, boxes, fragments and playlist lines as text.
    package var structure: [String]
    /// Levels second by second.
    package var fingerprint: AudioFingerprint

    /// An output.
    package init(
      name: String, facts: StructureFacts, pcmSHA256: String, integrated: Double?,
      truePeak: Double?, structure: [String], fingerprint: AudioFingerprint
    ) {
      self.name = name
      container = facts.container
      codec = facts.codec
      layout = facts.format.layout.name
      rate = facts.format.sampleRate
      samples = facts.samples
      start = facts.start
      priming = facts.priming
      self.pcmSHA256 = pcmSHA256
      self.integrated = integrated
      self.truePeak = truePeak
      self.structure = structure
      self.fingerprint = fingerprint
    }
  }

  /// Exit code.
  package var exit: Int32
  /// Kind of the error.
  package var error: String?
  /// Status of the report: `ok`, `silent` …
  package var status: String?
  /// Kinds of degradations, in order.
  package var degradations: [String]
  /// Start-up samples trimmed from the input and the source of that number, e.g. `1024 elst`.
  package var timeline: String?
  /// Hash of the input file.
  package var inputSHA256: String?
  /// Files written, by name.
  package var outputs: [Output]

  /// An outcome without outputs.
  package init(exit: Int32, error: String?) {
    self.exit = exit
    self.error = error
    degradations = []
    outputs = []
  }
}
