/// A parsed render.
package struct PreparedRender<Job: Sendable>: Sendable {
  /// The render.
  package var job: Job
  /// Every setting that decides what the outputs are like, as text that is the same for the same
  /// settings; without the input and the content of ``companions``.
  package var text: String
  /// Files read besides the input: HRTF sets, subtitles, head trajectories.
  package var companions: [String]

  /// A parsed render.
  package init(job: Job, text: String, companions: [String]) {
    self.job = job
    self.text = text
    self.companions = companions
  }
}
