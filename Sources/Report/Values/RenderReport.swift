import AudioCore

/// The report of one run (`pinna.report/2`); encodes to the JSON of the command-line contract.
///
/// Levels are in LUFS, dBTP, LU or dB, times in samples. Absent figures are left out of the JSON
/// instead of being written as `null`.
public struct RenderReport: Sendable, Codable, Equatable {
  /// Outcome of a job.
  public enum Status: String, Sendable, Codable, CaseIterable {
    /// Done; any degradations are listed.
    case ok
    /// Done, but the programme is silent: nothing was normalised.
    case silent
    /// Done; the programme was within the threshold of its target, so its level wasn't changed.
    case unchanged
    /// Failed; see `error`.
    case error
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.report/2"

  /// Always `pinna.report/2`.
  public var schema = RenderReport.schemaName
  /// Outcome.
  public var status = Status.ok
  /// Exit code of the command.
  public var exit: Int32 = 0
  /// What failed.
  public var error: Failure?
  /// Software and processor.
  public var toolchain: Toolchain
  /// The inputs and what the timeline did with each.
  public var inputs: [Input] = []
  /// The items of a queue; absent for a single input.
  public var queue: QueueReport?
  /// The files written, with what was done for each.
  public var outputs: [Output] = []
  /// Changes to the audio, and remarks on possible faults.
  public var degradations: [Diagnostic] = []
  /// Choices made for the user.
  public var decisions: [Decision] = []
  /// What would be done; only for a dry run.
  public var plan: JSONValue?
  /// What the renderers of a dry run would be, one for each output.
  public var planned: [Render]?
  /// What the run was kept to; only where a sandbox was asked for.
  public var sandbox: Sandbox?
  /// Cost of the run.
  public var performance: Performance?

  /// An empty report.
  public init(toolchain: Toolchain) { self.toolchain = toolchain }

  /// What a run in the sandbox was kept to.
  public struct Sandbox: Sendable, Codable, Equatable {
    /// Version of Landlock, which guards files, that was used; 0 where the kernel has none.
    public var landlock: Int
    /// What was held: `files`, `moves`, `truncation`, `connections`, `devices`, `signals` and `calls`.
    public var held: [String]
    /// Whether connections to servers could be opened, because an input was a web address.
    public var network: Bool

    /// What was held.
    public init(landlock: Int, held: [String], network: Bool) {
      self.landlock = landlock
      self.held = held
      self.network = network
    }
  }

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
