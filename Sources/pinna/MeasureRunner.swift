import AudioCore
import RenderPipeline
import Report

/// Measures several files; a failure doesn't keep the others from being measured.
enum MeasureRunner {
  /// The code of a run that was stopped before it was done.
  static let stopped = MediaError(.interrupted, "").exitCode

  static func run(_ paths: [String], _ measurer: MediaMeasurer) -> ([MeasureReport], Int32) {
    var reports: [MeasureReport] = []
    var code: Int32 = 0
    for path in paths {
      if Task.isCancelled { return (reports, stopped) }
      do {
        reports.append(try measurer.measure(path: path))
      } catch {
        let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
        Terminal.complain(failure.message)
        code = code == 0 || failure.exitCode == stopped ? failure.exitCode : code
      }
    }
    return (reports, code)
  }
}
