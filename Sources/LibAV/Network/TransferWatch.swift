import Platform

/// Decides when libav has to give up a transfer: the job is cancelled, or nothing comes any more.
final class TransferWatch {
  /// Why the transfer was given up.
  private(set) var verdict: RemoteFailure.Cause?

  private let patience: Double
  private let isCancelled: () -> Bool
  private var lastSign: Double

  /// Gives up after `patience` seconds without a sign of life.
  init(patience: Double, isCancelled: @escaping () -> Bool) {
    self.patience = patience
    self.isCancelled = isCancelled
    lastSign = TransferWatch.now
  }

  /// Notes that something came.
  func noteLife() { lastSign = TransferWatch.now }

  /// Whether to give up now; libav asks about ten times a second while it waits.
  var isOver: Bool {
    if verdict != nil { return true }
    if isCancelled() {
      verdict = .cancelled
    } else if TransferWatch.now - lastSign > patience {
      verdict = .stalled
    }
    return verdict != nil
  }

  private static var now: Double { SystemClock.steady }
}
