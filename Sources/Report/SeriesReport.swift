extension RenderReport {
  /// Loudness over time; `null` for silence and before the first window is complete.
  public struct Series: Sendable, Codable, Equatable {
    /// Seconds between readings.
    public var intervalSeconds: Double
    /// Momentary loudness (400 ms) at each reading, LUFS.
    public var momentary: [Double?]
    /// Short-term loudness (3 s) at each reading, LUFS.
    public var shortTerm: [Double?]

    /// A series.
    public init(intervalSeconds: Double, momentary: [Double?], shortTerm: [Double?]) {
      self.intervalSeconds = intervalSeconds
      self.momentary = momentary
      self.shortTerm = shortTerm
    }
  }
}
