import AudioCore
import Inspection
import Rendering
import Report

/// Measures several files at once; when one fails, the others are still measured.
struct MeasureRunner: Sendable {
  /// The exit code when a signal stopped the run.
  static let stopped = MediaError(.interrupted, "").exitCode

  let measurer: MediaMeasurer
  /// Files measured at once.
  let limit: Int
  /// Where the plots go; `nil` draws none.
  let plots: PlotOutput?
  /// Whether the reports keep the loudness over time.
  let keepsSeries: Bool
  let display: MeasureDisplay

  private typealias Outcome = Result<MeasureReport, MediaError>

  /// Measures all files, each on a thread of its own.
  /// - Returns: the measurements in the order of `paths`, and the exit code: ``stopped``, else that
  ///   of the first file in this order that failed.
  func run(_ paths: [String]) async -> ([MeasureReport], Int32) {
    var outcomes = [Outcome?](repeating: nil, count: paths.count)
    await withTaskGroup(of: (Int, Outcome).self) { group in
      var waiting = paths.indices[...]
      var running = 0
      while true {
        while running < limit, !Task.isCancelled, let index = waiting.popFirst() {
          running += 1
          group.addTask(executorPreference: JobExecutor()) {
            (index, measure(paths[index], index))
          }
        }
        guard let (index, outcome) = await group.next() else { break }
        outcomes[index] = outcome
        running -= 1
      }
    }
    display.clear()
    let codes = outcomes.map { MeasureRunner.code($0) }
    let wasStopped = codes.contains(MeasureRunner.stopped)
    let code = wasStopped ? MeasureRunner.stopped : codes.first { $0 != 0 } ?? 0
    return (outcomes.compactMap { try? $0?.get() }, code)
  }

  private func measure(_ path: String, _ index: Int) -> Outcome {
    do {
      var report = try measurer.measure(path: path) { display.show($0, of: index) }
      try plots?.write(report, of: index)
      // The series of many long files would take much memory.
      if !keepsSeries { report.series = nil }
      display.finish(index)
      return .success(report)
    } catch {
      let failure = error as? MediaError ?? MediaError(.internal, "\(error)")
      display.fail(index, failure.message)
      return .failure(failure)
    }
  }

  /// A file that was never begun counts as stopped.
  private static func code(_ outcome: Outcome?) -> Int32 {
    switch outcome {
    case .success: return 0
    case .failure(let failure): return failure.exitCode
    case nil: return stopped
    }
  }
}
