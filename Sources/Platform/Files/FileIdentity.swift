/// What the system says of a file that changes whenever the file's content does.
///
/// Content that is changed twice within the resolution of the system's times, with the size kept, can't be seen;
/// see ``isSettled(at:)``.
package struct FileIdentity: Hashable, Sendable {
  /// Device, inode, size in bytes, and the times of the last change of the content and of the file, each in
  /// seconds and nanoseconds.
  package let numbers: [Int64]

  /// How many numbers there are.
  package static let count = 7

  init(_ facts: stat) {
    numbers = [
      Int64(truncatingIfNeeded: facts.st_dev), Int64(truncatingIfNeeded: facts.st_ino),
      Int64(facts.st_size), Int64(facts.modified.tv_sec), Int64(facts.modified.tv_nsec),
      Int64(facts.changed.tv_sec), Int64(facts.changed.tv_nsec),
    ]
  }

  /// An identity of ``count`` numbers that were stored; `nil` for another number.
  package init?(numbers: [Int64]) {
    guard numbers.count == FileIdentity.count else { return nil }
    self.numbers = numbers
  }

  /// Whether both times were more than two seconds before `now`, in seconds of the system's clock: the next
  /// change then gets another time on every file system. FAT counts in steps of two seconds.
  package func isSettled(at now: Int) -> Bool {
    let latest = max(numbers[3], numbers[5])
    return latest < Int64(now) - 2
  }
}
