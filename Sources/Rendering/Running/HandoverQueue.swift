// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Dispatch

/// A queue between two threads. Items come out in the order in which they were put in.
///
/// The thread that puts an item in doesn't touch it any more, so that only one thread has it at a time. A queue is
/// bounded by the number of items that go round.
///
/// Sendable, because `items` is touched under the lock only.
final class HandoverQueue<Item>: @unchecked Sendable {
  // The kernel hands a contended Mutex over. The thread sanitizer doesn't see that and reports a race (make races), while
  // it sees the turns of a semaphore.
  private let lock = DispatchSemaphore(value: 1)
  private let count = DispatchSemaphore(value: 0)
  private var items: [Item] = []

  /// Adds an item at the end.
  func put(_ item: Item) {
    withLock { items.append(item) }
    count.signal()
  }

  /// Takes the first item; waits for one. `nil` after the end of the queue.
  func take() -> Item? {
    count.wait()
    let item = withLock { items.isEmpty ? nil : items.removeFirst() }
    // The end stays where it is for whoever asks next.
    if item == nil { count.signal() }
    return item
  }

  /// Ends the queue after the items that are in it.
  func end() { count.signal() }

  /// Ends the queue at once; what is in it is dropped.
  func close() {
    withLock { items = [] }
    end()
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    lock.wait()
    defer { lock.signal() }
    return body()
  }
}

/// Starts work beside a job on a thread of its own.
enum SideThread {
  /// Runs `body` on a thread called `name`, which names settings in its messages as the caller does.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let words = SettingWords.current
    DispatchQueue(label: name).async {
      SettingWords.$current.withValue(words) { body() }
    }
  }
}
