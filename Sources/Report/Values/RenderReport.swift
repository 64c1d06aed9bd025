import AudioCore

/// The report of one job (`pinna.report/1`); encodes to the JSON of the command-line contract.
///
/// Levels are LUFS, dBTP, LU or dB; times are samples; absent figures are `null`-less: left out.
public struct RenderReport: Sendable, Codable, Equatable {
  /// Outcome of a job.
  public enum Status: String, Sendable, Codable {
    /// Done; degradations are listed.
    case ok
    /// Done, but the programme is silent: nothing was normalised.
    case silent
    /// Done; the programme was within the threshold of its target, so its level is as it was.
    case unchanged
    /// Failed; see `error`.
    case error
  }

  /// Always `pinna.report/1`.
  public var schema = "pinna.report/1"
  /// Outcome.
  public var status = Status.ok
  /// Exit code of the command.
  public var exit: Int32 = 0
  /// What failed.
  public var error: Failure?
  /// Software and processor.
  public var toolchain: Toolchain
  /// The input track.
  public var input: Input?
  /// What the timeline did.
  public var timeline: Timeline?
  /// What the renderer did.
  public var render: Render?
  /// What the normaliser did.
  public var loudness: Loudness?
  /// Curves beside the loudness of the delivered programme.
  public var curves: Curves?
  /// Changes to the audio or doubts about it.
  public var degradations: [Diagnostic] = []
  /// Choices made for the user.
  public var decisions: [Decision] = []
  /// Files written.
  public var outputs: [Output] = []
  /// Cost of the job.
  public var performance: Performance?

  /// An empty report.
  public init(toolchain: Toolchain) { self.toolchain = toolchain }

  /// What failed.
  public struct Failure: Sendable, Codable, Equatable {
    /// Stable token.
    public var kind: String
    /// One sentence.
    public var message: String

    /// A failure of `kind`.
    public init(kind: String, message: String) {
      self.kind = kind
      self.message = message
    }
  }

  /// Software and processor.
  public struct Toolchain: Sendable, Codable, Equatable {
    /// Version of Pinna.
    public var pinna: String
    /// Version of libavcodec.
    public var libavcodec: String
    /// SIMD extensions in use.
    public var cpu: [String]

    /// A toolchain.
    public init(pinna: String, libavcodec: String, cpu: [String]) {
      self.pinna = pinna
      self.libavcodec = libavcodec
      self.cpu = cpu
    }
  }
}
