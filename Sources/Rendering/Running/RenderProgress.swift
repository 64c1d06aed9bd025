/// How far a job is.
public struct RenderProgress: Sendable, Equatable {
  /// Steps of a job.
  public enum Pass: String, Sendable, Codable, CaseIterable {
    /// Decoding, rendering and metering.
    case render
    /// Gain, limiter and writing.
    case finish
    /// Reading back.
    case verify
  }

  /// The step.
  public var pass: Pass
  /// Samples done in this step; never decreases within a step.
  public var done: Int64
  /// Samples in all, when known.
  public var total: Int64?
  /// Rate of the samples counted, Hz.
  public var sampleRate: Int

  /// A step's progress: `done` of `total` samples at `sampleRate` Hz.
  package init(pass: Pass, done: Int64, total: Int64?, sampleRate: Int) {
    self.pass = pass
    self.done = done
    self.total = total
    self.sampleRate = sampleRate
  }
}
