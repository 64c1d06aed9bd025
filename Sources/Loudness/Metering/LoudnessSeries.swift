/// Loudness over time, read every 100 ms (EBU Tech 3341, clause 2.2).
package struct LoudnessSeries: Sendable, Equatable {
  /// Seconds between readings.
  package static let interval = 0.1

  /// Momentary loudness in LUFS of the 400 ms that end at each reading; `nil` for silence and before
  /// the first 400 ms are complete.
  package let momentary: [Double?]
  /// Short-term loudness in LUFS of the 3 s that end at each reading; `nil` for silence and before
  /// the first 3 s are complete.
  package let shortTerm: [Double?]
}
