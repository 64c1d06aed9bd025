import AudioCore

/// How a run behaves; none of it changes what a successful run writes, except ``isPortable`` and ``tapFailure``.
public struct Policy: Sendable, Hashable, Codable {
  /// Whether existing outputs may be replaced.
  public var overwrite = false
  /// Whether degradations fail the run.
  public var isStrict = false
  /// The classes of degradations that fail a strict run; `nil` for all.
  public var strictClasses: [DegradationClass]?
  /// Whether to stop before rendering.
  public var isDryRun = false
  /// Whether libav's plain C code is used, which gives the same bits on every processor.
  public var isPortable = false
  /// Threads of one run, 1 or more: with two, reading and decoding go on beside rendering, and measuring
  /// beside writing. More change nothing, and the output doesn't depend on it.
  public var threads = 2
  /// Samples a block, 1 or more; the output doesn't depend on it. `nil`: as the decoder delivers.
  public var blockSize: Int?
  /// Bytes of rendered audio held in memory before a temporary file takes over.
  public var spoolMemory = 8 << 20
  /// Where rendered items of queues are kept between runs; `nil` for nowhere.
  public var segments: SegmentPolicy?
  /// What becomes of the run when a tap fails in the sound or in its trial.
  public var tapFailure = TapFailure.fail
  /// Bytes that the samples of all outputs may take together, before any codec; `nil` is no limit.
  public var outputLimit: Int64?

  /// What becomes of a run in which a tap fails.
  public enum TapFailure: String, Sendable, Hashable, Codable, CaseIterable {
    /// It fails.
    case fail
    /// It begins again without the tap, and says so.
    case bypass
  }

  /// The default behaviour.
  public init() {}
}
