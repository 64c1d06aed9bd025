/// What `validate` found in a file (`pinna.validation/1`).
public struct ValidationReport: Sendable, Codable, Equatable {
  /// One violation of the format's rules.
  public struct Finding: Sendable, Codable, Equatable {
    /// Stable token, e.g. `decode-time`.
    public var code: String
    /// Location: the path of boxes from the top, `header` or `samples`.
    public var path: String
    /// What is wrong, with figures.
    public var message: String

    /// A finding.
    public init(code: String, path: String, message: String) {
      self.code = code
      self.path = path
      self.message = message
    }
  }

  /// The schema's name and version.
  public static let schemaName = "pinna.validation/1"

  /// Always `pinna.validation/1`.
  public var schema = ValidationReport.schemaName
  /// The file.
  public var path: String
  /// `wav`, `rf64`, `fmp4` or `hls`.
  public var format: String
  /// Fragments of an MP4 file, or segments that playlists name.
  public var fragments: Int?
  /// Samples per channel that it plays.
  public var samples: Int64
  /// What is wrong; empty for a valid file.
  public var findings: [Finding]

  /// A report.
  public init(
    path: String, format: String, fragments: Int?, samples: Int64, findings: [Finding]
  ) {
    self.path = path
    self.format = format
    self.fragments = fragments
    self.samples = samples
    self.findings = findings
  }
}
