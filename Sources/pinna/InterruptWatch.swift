import Dispatch
import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into task cancellation and remembers which it was.
final class InterruptWatch {
  /// The first signal that came; 0 while there is none.
  private final class Caught: Sendable {
    let number = Mutex<Int32>(0)
  }

  private let caught = Caught()
  private let sources: [any DispatchSourceSignal]

  /// Calls `stop` once for the first signal.
  init(stop: @escaping @Sendable () -> Void) {
    let caught = self.caught
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let isFirst = caught.number.withLock { seen in
          defer { seen = seen == 0 ? number : seen }
          return seen == 0
        }
        if isFirst { stop() }
      }
      source.resume()
      return source
    }
  }

  /// 128 + the signal's number; `nil` when none came.
  var exitCode: Int32? {
    let number = caught.number.withLock { $0 }
    return number == 0 ? nil : 128 + number
  }
}
