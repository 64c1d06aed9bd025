/// The layers of a comparison, from bytes to what is heard; an earlier one explains a later one.
package enum ComparisonLayer: String, Sendable, Codable, CaseIterable {
  /// Format, length, layout, tags, start, edit lists, boxes and fragments.
  case structure
  /// Hash of the decoded samples.
  case samples
  /// What remains of TEST when REF is taken away, at lag 0 and at the best lag.
  case null
  /// Loudness and true peak of the programme and of every channel.
  case levels
  /// Log-mel distance, tilt and bandwidth.
  case spectrum
  /// Interaural level, time and coherence of two channels.
  case interaural

  /// Short name as people count them, e.g. `L2`.
  package var label: String { "L\(ComparisonLayer.allCases.firstIndex(of: self) ?? 0)" }
}
