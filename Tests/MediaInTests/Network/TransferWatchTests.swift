// SPDX-License-Identifier: Apache-2.0
import Platform
import Testing

@testable import MediaIn

/// When a transfer is given up.
@Suite struct TransferWatchTests {
  @Test("a transfer past its end or cancelled is over") func itEndsWhenAllIsOver() {
    let past = TransferWatch(patience: 1000, end: SystemClock.steady - 1, isCancelled: { false })
    #expect(past.isOver && past.verdict == .overdue)
    let cancelled = TransferWatch(patience: 1000, isCancelled: { true })
    #expect(cancelled.isOver && cancelled.verdict == .cancelled)
    #expect(!TransferWatch(patience: 1000, isCancelled: { false }).isOver)
  }

  @Test("a transfer with too little in one wait has stalled") func tooLittleInAWaitIsTooLong() {
    // Any wait is longer than this patience, in which less than a byte has to come.
    let watch = TransferWatch(patience: 1e-9, isCancelled: { false })
    watch.begin()
    usleep(1000)
    watch.end(bytes: 1)
    #expect(!watch.isOver)
    watch.begin()
    usleep(1000)
    #expect(watch.isOver && watch.verdict == .stalled)
    watch.end(bytes: 1)
    #expect(watch.isOver)
  }

  /// Much that came before doesn't excuse silence.
  @Test("0.1 s of silence with a patience of 0.05 s is a stall after a wait with 1 MiB")
  func silenceIsTooLongWhateverCameBefore() {
    let watch = TransferWatch(patience: 0.05, isCancelled: { false })
    watch.begin()
    watch.end(bytes: 1 << 20)
    watch.begin()
    usleep(100_000)
    #expect(watch.isOver && watch.verdict == .stalled)
  }

  @Test("time before the first wait doesn't end a transfer")
  func timeBetweenWaitsDoesntCount() {
    let watch = TransferWatch(patience: 1e-9, isCancelled: { false })
    usleep(1000)
    #expect(!watch.isOver)
  }
}
