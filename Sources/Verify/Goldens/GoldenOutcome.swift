/// What came of a golden's command (`expected.json`).
public struct GoldenOutcome: Sendable, Codable, Equatable {
  /// One file written.
  public struct Output: Sendable, Codable, Equatable {
    /// Name in the folder for outputs.
    public var name: String
    /// Container.
    public var container: String
    /// Codec.
    public var codec: String
    /// Channel layout.
    public var layout: String
    /// Hz.
    public var rate: Int
    /// Samples per channel.
    public var samples: Int64
    /// Presentation time of the first of them, in samples.
    public var start: Int64
    /// Start-up samples trimmed when it is read.
    public var priming: Int64
    /// Hash of the samples as the report gives it.
    public var pcmSHA256: String
    /// Loudness in LUFS; `nil` for silence.
    public var integrated: Double?
    /// True peak in dBTP; `nil` for silence.
    public var truePeak: Double?
    /// Edits, boxes, fragments and playlist lines as text.
    public var structure: [String]
    /// Levels second by second.
    public var fingerprint: AudioFingerprint

    /// An output.
    public init(
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
  public var exit: Int32
  /// Kind of the error.
  public var error: String?
  /// Status of the report: `ok`, `silent` …
  public var status: String?
  /// Kinds of degradations, in order.
  public var degradations: [String]
  /// Start-up samples trimmed from the input and who said so, e.g. `1024 elst`.
  public var timeline: String?
  /// Hash of the input file.
  public var inputSHA256: String?
  /// Files written, by name.
  public var outputs: [Output]

  /// An outcome without outputs.
  public init(exit: Int32, error: String?) {
    self.exit = exit
    self.error = error
    degradations = []
    outputs = []
  }
}
