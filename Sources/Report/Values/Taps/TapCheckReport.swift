import AudioCore

/// What a test signal shows of a tap (`pinna taps check --json`).
public struct TapCheckReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.tap/1"

  /// Always `pinna.tap/1`.
  public var schema = TapCheckReport.schemaName
  /// `item`, `programme` or `post`.
  public var point: String
  /// What kind it is, as the command line calls it.
  public var kind: String
  /// The name of its file, program or code.
  public var name: String
  /// SHA-256 of its file or program.
  public var sha256: String?
  /// Its settings.
  public var settings: [String]
  /// Rate of the test signal, Hz.
  public var rate: Int
  /// Layout of the test signal.
  public var layout: String
  /// Its delay.
  public var latency: RenderReport.Tap.Latency
  /// Samples by which its response outlasts the input.
  public var tail: Int
  /// Whether the same signal gave the same output again.
  public var deterministic: Bool
  /// Whether its output depends on the size of its blocks.
  public var dependsOnBlocks: Bool
  /// What is in doubt.
  public var degradations: [Diagnostic]
  /// What was settled.
  public var decisions: [Decision]

  /// A report.
  public init(
    point: String, kind: String, name: String, sha256: String?, settings: [String], rate: Int,
    layout: String, latency: RenderReport.Tap.Latency, tail: Int, deterministic: Bool,
    dependsOnBlocks: Bool, degradations: [Diagnostic], decisions: [Decision]
  ) {
    self.point = point
    self.kind = kind
    self.name = name
    self.sha256 = sha256
    self.settings = settings
    self.rate = rate
    self.layout = layout
    self.latency = latency
    self.tail = tail
    self.deterministic = deterministic
    self.dependsOnBlocks = dependsOnBlocks
    self.degradations = degradations
    self.decisions = decisions
  }
}
