import Platform
import Synchronization

/// Asks a running batch to stop, from any thread.
package final class BatchStop: Sendable {
  private let wanted = Atomic(false)
  private let inlet: Int32
  private let outlet: Int32

  /// A stop that hasn't been requested.
  package init() {
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) == 0 {
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
    }
    (inlet, outlet) = (ends[0], ends[1])
  }

  deinit { for end in [inlet, outlet] where end >= 0 { close(end) } }

  /// Stops the batch: no further work begins, and running work is stopped in order.
  package func request() {
    wanted.store(true, ordering: .sequentiallyConsistent)
    var byte: UInt8 = 1
    _ = write(outlet, &byte, 1)
  }

  /// Whether it shall stop.
  package var isRequested: Bool { wanted.load(ordering: .sequentiallyConsistent) }

  /// Becomes readable when it shall stop; -1 when there is no such descriptor.
  var descriptor: Int32 { inlet }
}
