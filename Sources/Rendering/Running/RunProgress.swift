import AudioCore

/// Passes progress on, never backwards, and stops the run when it was cancelled.
final class RunProgress {
  private let name: String
  private let report: @Sendable (RenderProgress) -> Void
  /// Whether the run is to stop.
  let isCancelled: () -> Bool
  private var reported: [RenderProgress.Pass: Int64] = [:]

  init(
    name: String, report: @escaping @Sendable (RenderProgress) -> Void,
    isCancelled: @escaping () -> Bool
  ) {
    self.name = name
    self.report = report
    self.isCancelled = isCancelled
  }

  /// Passes `now` on.
  /// - Throws: ``MediaError`` of kind `interrupted` when the run was cancelled.
  func show(_ now: RenderProgress) throws {
    if isCancelled() {
      throw MediaError(.interrupted, about: name, "stopped before it was done")
    }
    // Trial runs of the normaliser and the beginning of the next output would go backwards, so they
    // aren't shown.
    let last = reported[now.pass] ?? 0
    guard now.done >= last else { return }
    reported[now.pass] = now.done
    report(now)
  }
}
