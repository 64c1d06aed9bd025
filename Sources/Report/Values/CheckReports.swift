/// How two files compare (`pinna.comparison/1`).
public struct ComparisonReport: Sendable, Codable, Equatable {
  /// One of the two files.
  public struct Party: Sendable, Codable, Equatable {
    /// Path as given.
    public var path: String
    /// Container.
    public var container: String
    /// Codec.
    public var codec: String
    /// Channel layout.
    public var layout: String
    /// Hz.
    public var rate: Int
    /// Valid samples per channel.
    public var samples: Int64
    /// Hash of the decoded samples as Float32; `nil` when they weren't read.
    public var pcmSHA256: String?

    /// A file.
    public init(
      path: String, container: String, codec: String, layout: String, rate: Int, samples: Int64,
      pcmSHA256: String?
    ) {
      self.path = path
      self.container = container
      self.codec = codec
      self.layout = layout
      self.rate = rate
      self.samples = samples
      self.pcmSHA256 = pcmSHA256
    }
  }

  /// One figure.
  public struct Figure: Sendable, Codable, Equatable {
    /// Stable token.
    public var name: String
    /// Value; `nil` where there is none.
    public var value: Double?
    /// Unit; empty for counts.
    public var unit: String
    /// Limit; `nil` for figures that are only for information.
    public var limit: Double?

    /// A figure.
    public init(name: String, value: Double?, unit: String, limit: Double?) {
      self.name = name
      self.value = value
      self.unit = unit
      self.limit = limit
    }
  }

  /// One layer.
  public struct Layer: Sendable, Codable, Equatable {
    /// Stable token, e.g. `null`.
    public var layer: String
    /// `passed`, `failed` or `skipped`.
    public var status: String
    /// When the layer fails, and what a failure ends.
    public var rule: String
    /// What was measured.
    public var figures: [Figure]
    /// What happened; only for failures.
    public var fault: String?
    /// A remark on the result; `nil` when there is none.
    public var note: String?

    /// A layer.
    public init(
      layer: String, status: String, rule: String, figures: [Figure], fault: String?, note: String?
    ) {
      self.layer = layer
      self.status = status
      self.rule = rule
      self.figures = figures
      self.fault = fault
      self.note = note
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.comparison/1"

  /// Always `pinna.comparison/1`.
  public var schema = ComparisonReport.schemaName
  /// The reference.
  public var reference: Party
  /// The candidate, which is compared with the reference.
  public var test: Party
  /// Name of the tolerance.
  public var tolerance: String
  /// Whether all layers passed.
  public var alike: Bool
  /// First layer that failed.
  public var failed: String?
  /// The layer whose figures best explain the failure.
  public var explainedBy: String?
  /// What happened, in one sentence.
  public var verdict: String
  /// All layers in order.
  public var layers: [Layer]

  /// A report.
  public init(
    reference: Party, test: Party, tolerance: String, alike: Bool, failed: String?,
    explainedBy: String?, verdict: String, layers: [Layer]
  ) {
    self.reference = reference
    self.test = test
    self.tolerance = tolerance
    self.alike = alike
    self.failed = failed
    self.explainedBy = explainedBy
    self.verdict = verdict
    self.layers = layers
  }
}
