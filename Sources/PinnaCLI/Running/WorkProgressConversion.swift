import Batch
import Rendering

extension WorkProgress {
  /// The progress of a render.
  init(_ progress: RenderProgress) {
    self.init(
      pass: progress.pass.rawValue, done: progress.done, total: progress.total,
      rate: progress.sampleRate)
  }
}
