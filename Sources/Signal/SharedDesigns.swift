// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The designs of one kind that were asked for last: a worker of a batch renders one short file after another, and
/// making a filter or a table can take longer than using it.
///
/// A design follows from its key alone and never changes, so whoever shares one gets the bits of his own.
package final class SharedDesigns<Key: Equatable & Sendable, Design: Sendable>: Sendable {
  private let capacity: Int
  /// Ascending by when they were asked for.
  private let kept = Mutex<[(key: Key, design: Design)]>([])

  /// Keeps at most `capacity` designs, at least one.
  package init(capacity: Int) { self.capacity = capacity }

  /// The design for `key`, by `make` where none is kept.
  /// - Throws: what `make` throws; then nothing is kept.
  package func design(for key: Key, make: () throws -> Design) rethrows -> Design {
    if let known = find(key) { return known }
    // Outside the lock, because a design can take seconds and may ask for others of its kind.
    let made = try make()
    keep(made, key)
    return made
  }

  private func find(_ key: Key) -> Design? {
    kept.withLock { designs in
      guard let place = designs.lastIndex(where: { $0.key == key }) else { return nil }
      let found = designs.remove(at: place)
      designs.append(found)
      return found.design
    }
  }

  private func keep(_ design: Design, _ key: Key) {
    kept.withLock { designs in
      // Another thread may have made the same one meanwhile.
      guard !designs.contains(where: { $0.key == key }) else { return }
      if designs.count >= capacity { designs.removeFirst() }
      designs.append((key, design))
    }
  }
}
