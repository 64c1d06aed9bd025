/// A parsed render.
public struct PreparedRender<Job: Sendable>: Sendable {
  /// The render.
  public var job: Job
  /// Every setting that decides what the outputs are like, as text that is the same for the same
  /// settings; without the input and the content of ``companions``.
  public var text: String
  /// Files beside the input that are read: HRTF sets, subtitles, movements of the head.
  public var companions: [String]

  /// A parsed render.
  public init(job: Job, text: String, companions: [String]) {
    self.job = job
    self.text = text
    self.companions = companions
  }
}
