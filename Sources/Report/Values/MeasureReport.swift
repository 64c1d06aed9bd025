import AudioCore

/// Loudness of one file (`pinna.measure/2`).
public struct MeasureReport: Sendable, Codable, Equatable {
  /// The schema's name and version.
  public static let schemaName = "pinna.measure/2"

  /// Always `pinna.measure/2`.
  public var schema = MeasureReport.schemaName
  /// The track measured.
  public var input: RenderReport.Input
  /// Valid samples per channel.
  public var samples: Int64
  /// The figures.
  public var levels: RenderReport.Levels
  /// Names of the channels, in the order of the channel figures.
  public var channels: [String]
  /// Remarks on possible faults of the input.
  public var degradations: [Diagnostic]
  /// Loudness every 100 ms; `nil` when it wasn't asked for.
  public var series: RenderReport.Series?
  /// The relative gate of the integrated loudness, LUFS; `nil` when nothing passes the absolute one.
  public var relativeGate: Double?

  /// Programme loudness to true peak ratio, LU.
  public var peakToLoudness: Double? {
    guard let peak = levels.truePeak, let loudness = levels.integrated else { return nil }
    return peak - loudness
  }

  /// A measurement of `input`.
  public init(
    input: RenderReport.Input, samples: Int64, levels: RenderReport.Levels, channels: [String],
    degradations: [Diagnostic], series: RenderReport.Series? = nil, relativeGate: Double? = nil
  ) {
    self.input = input
    self.samples = samples
    self.levels = levels
    self.channels = channels
    self.degradations = degradations
    self.series = series
    self.relativeGate = relativeGate
  }
}
