// SPDX-License-Identifier: Apache-2.0
import Platform

/// Decides when to give up a transfer: the job is cancelled, too little comes, or it takes too long in all.
///
/// Only time that is spent waiting for the server counts, except for the end of all.
final class TransferWatch {
  /// Bytes that a server has to send in each second on average, or it counts as stalled. Sound of 8 kbit/s has this rate.
  static let leastRate = 1024.0

  /// Why the transfer was given up.
  private(set) var verdict: RemoteFailure.Cause?

  /// Seconds that a server may send nothing, or too little.
  let patience: Double
  private let end: Double
  private let now: () -> Double
  private let isCancelled: () -> Bool
  /// When the wait began that goes on now; `nil` between waits.
  private var began: Double?
  /// Seconds waited, and bytes received, in this span of `patience` seconds.
  private var waited = 0.0
  private var received = 0.0

  /// Gives up when a span of `patience` seconds brought less than ``leastRate``, and at `end`, a time of `now`.
  init(
    patience: Double, end: Double = .infinity,
    now: @escaping () -> Double = { SystemClock.steady }, isCancelled: @escaping () -> Bool
  ) {
    self.patience = patience
    self.end = end
    self.now = now
    self.isCancelled = isCancelled
  }

  /// Begins a span in which nothing has come yet.
  func restart() { (waited, received) = (0, 0) }

  /// Notes that a wait begins.
  func begin() { began = now() }

  /// Notes that a wait has ended, and how many bytes came.
  func end(bytes: Int) {
    waited += began.map { now() - $0 } ?? 0
    began = nil
    received += Double(bytes)
    if waited > patience, received >= TransferWatch.leastRate * patience { restart() }
  }

  /// Whether to give up now; to be asked at least ten times a second while a transfer waits.
  var isOver: Bool {
    if verdict != nil { return true }
    let now = now()
    let wait = began.map { now - $0 } ?? 0
    if isCancelled() {
      verdict = .cancelled
    } else if now > end {
      verdict = .overdue
    } else if wait > patience
      || waited + wait > patience && received < TransferWatch.leastRate * patience
    {
      // However much came before, a wait of this length brought nothing.
      verdict = .stalled
    }
    return verdict != nil
  }
}
