import Dispatch
import Platform
import Synchronization

/// Turns the first signal that asks the process to end into task cancellation.
///
/// The handler only writes the signal's number to a pipe; a thread of its own reads it, so that
/// jobs that keep every other thread busy can't hold it up.
final class InterruptWatch: Sendable {
  /// Signals that end a run in an orderly way; SIGHUP is sent when the terminal is closed.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU]
  /// Where the handler writes.
  private static let outlet = Atomic<Int32>(-1)
  /// A signal repeated after this many seconds ends the process at once.
  private static let patience = 1.0

  private let caught = Mutex<Int32>(0)

  /// Calls `stop` once for the first signal. One watch serves for the life of the process, which has to be the
  /// command's own.
  init(stop: @escaping @Sendable () -> Void) {
    guard TerminalRecord.current == nil else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let inlet = ends[0]
    InterruptWatch.outlet.store(ends[1], ordering: .sequentiallyConsistent)
    let watch = self
    // A queue of its own: dispatch gives it a thread even when the pool's limit is reached.
    DispatchQueue(label: "pinna.interrupt").async { watch.listen(inlet, stop) }
    for number in InterruptWatch.numbers { InterruptWatch.handle(number) }
  }

  /// The exit code of a run that was stopped before it was done: 128 + the signal's number.
  var exitCode: Int32 {
    let number = caught.withLock { $0 }
    return 128 + (number == 0 ? SIGINT : number)
  }

  private func listen(_ inlet: Int32, _ stop: () -> Void) {
    InterruptWatch.admitSignals()
    var first: Double?
    while true {
      var byte: UInt8 = 0
      let got = read(inlet, &byte, 1)
      if got < 0, errno == EINTR { continue }
      guard got == 1 else { return }
      if let first {
        // The shell and the kernel may both report a closed terminal; the second signal is no new
        // request.
        if InterruptWatch.now - first > InterruptWatch.patience { _exit(128 + Int32(byte)) }
      } else {
        first = InterruptWatch.now
        caught.withLock { $0 = Int32(byte) }
        stop()
      }
    }
  }

  /// Dispatch blocks signals in its threads; this one must accept them, in case all others block
  /// them.
  private static func admitSignals() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func handle(_ number: Int32) {
    // `nohup` ignores SIGHUP, and that must remain so.
    if number == SIGHUP, SignalState.isIgnored(number) { return }
    signal(number) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(InterruptWatch.outlet.load(ordering: .sequentiallyConsistent), &byte, 1)
      errno = code
    }
  }

  private static var now: Double { SystemClock.steady }
}
