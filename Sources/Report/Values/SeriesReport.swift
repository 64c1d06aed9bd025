extension RenderReport {
  /// Loudness over time: one pair of values for each 100 ms step of the programme.
  public struct Series: Sendable, Codable, Equatable {
    /// Length of a step, seconds.
    public var intervalSeconds: Double
    /// Momentary loudness (400 ms) at the end of each step, LUFS; `nil` before the first full
    /// window and for silence.
    public var momentary: [Double?]
    /// Short-term loudness (3 s) at the end of each step, LUFS; `nil` before the first full window
    /// and for silence.
    public var shortTerm: [Double?]

    /// A series of steps of `intervalSeconds`.
    public init(
      intervalSeconds: Double = 0.1, momentary: [Double?] = [], shortTerm: [Double?] = []
    ) {
      self.intervalSeconds = intervalSeconds
      self.momentary = momentary
      self.shortTerm = shortTerm
    }
  }
}
