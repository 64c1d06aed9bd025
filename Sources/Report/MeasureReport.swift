import AudioCore

/// Loudness of one file (`pinna.measure/1`).
public struct MeasureReport: Sendable, Codable, Equatable {
  /// Always `pinna.measure/1`.
  public var schema = "pinna.measure/1"
  /// The track measured.
  public var input: RenderReport.Input
  /// Valid samples per channel.
  public var samples: Int64
  /// The figures.
  public var levels: RenderReport.Levels
  /// Names of the channels, in the order of the channel figures.
  public var channels: [String]
  /// Doubts about the input.
  public var degradations: [Diagnostic]
  /// Loudness over time, for plots; not part of the JSON. `nil` when it wasn't kept.
  public var series: RenderReport.Series?
  /// The relative gate of the integrated loudness, LUFS, for plots; not part of the JSON.
  public var relativeGate: Double?

  private enum CodingKeys: String, CodingKey {
    case schema, input, samples, levels, channels, degradations
  }

  /// Programme loudness to true peak ratio, LU.
  public var peakToLoudness: Double? {
    guard let peak = levels.truePeak, let loudness = levels.integrated else { return nil }
    return peak - loudness
  }

  /// A measurement of `input`.
  public init(
    input: RenderReport.Input, samples: Int64, levels: RenderReport.Levels, channels: [String],
    degradations: [Diagnostic]
  ) {
    self.input = input
    self.samples = samples
    self.levels = levels
    self.channels = channels
    self.degradations = degradations
  }
}
