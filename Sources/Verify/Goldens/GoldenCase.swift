/// One golden: what is run, what for, and against what it is held (`case.json`).
public struct GoldenCase: Sendable, Codable, Equatable {
  /// How far an output may be from what was recorded where its hash doesn't decide.
  public struct Tolerance: Sendable, Codable, Equatable {
    /// Integrated loudness and true peak, in LU and dB.
    public var loudness = 0.1
    /// Level of any channel or octave in any second, in dB.
    public var level = 1.0

    /// The usual tolerance.
    public init() {}
  }

  /// Where the first values come from; figures given here are held against every run.
  public struct Oracle: Sendable, Codable, Equatable {
    /// Which tool or document, and how it was asked.
    public var name: String
    /// Samples per channel of the first output.
    public var samples: Int64?
    /// Integrated loudness of the first output in LUFS.
    public var integrated: Double?
    /// Hash of the first output's samples.
    public var pcmSHA256: String?

    /// An oracle.
    public init(name: String) { self.name = name }
  }

  /// What recorded the expected values.
  public struct Recording: Sendable, Codable, Equatable {
    /// Version of Pinna.
    public var pinna: String
    /// Versions of the libav libraries.
    public var libraries: [String: String]
    /// SIMD extensions in use.
    public var cpu: [String]
    /// Commit of the cases' repository; `nil` outside of one.
    public var commit: String?

    /// A recording.
    public init(pinna: String, libraries: [String: String], cpu: [String], commit: String?) {
      self.pinna = pinna
      self.libraries = libraries
      self.cpu = cpu
      self.commit = commit
    }
  }

  /// A change of the expected values that somebody wanted.
  public struct Blessing: Sendable, Codable, Equatable {
    /// Why the new values are right.
    public var reason: String
    /// What they were recorded by.
    public var recordedBy: Recording

    /// A blessing.
    public init(reason: String, recordedBy: Recording) {
      self.reason = reason
      self.recordedBy = recordedBy
    }
  }

  /// Name; that of its folder.
  public var id: String
  /// What it guards.
  public var why: String
  /// Clause of a standard or number of a ticket.
  public var clause: String?
  /// Input, relative to the media folder or the case's own.
  public var input: String
  /// Arguments of pinna; `{input}` and `{out}` stand for the input and a folder for outputs.
  public var command: [String]
  /// What decides where the hash doesn't.
  public var tolerance: Tolerance?
  /// Where the values come from.
  public var oracle: Oracle
  /// What recorded the expected values; `nil` before that.
  public var recordedBy: Recording?
  /// Changes since, oldest first.
  public var blessings: [Blessing]?

  /// A case that isn't recorded yet.
  public init(
    id: String, why: String, clause: String?, input: String, command: [String], oracle: Oracle
  ) {
    self.id = id
    self.why = why
    self.clause = clause
    self.input = input
    self.command = command
    self.oracle = oracle
  }

  /// Whether its samples don't depend on the processor.
  public var isDeterministic: Bool { command.contains("--deterministic") }

  /// Whether hashes of a run under `current` must be those recorded: libavcodec is the same, and the
  /// processor where it matters.
  public func bindsHash(_ current: Recording) -> Bool {
    guard let recordedBy else { return false }
    return recordedBy.libraries["libavcodec"] == current.libraries["libavcodec"]
      && (isDeterministic || recordedBy.cpu == current.cpu)
  }
}
