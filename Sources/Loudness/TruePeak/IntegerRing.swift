/// A fixed block of integers owned by one object; hot loops take ``base``.
final class IntegerRing {
  /// First value.
  let base: UnsafeMutablePointer<Int64>
  /// Number of values.
  let count: Int

  /// `count` integers of `value`.
  init(count: Int, value: Int64) {
    self.count = count
    base = .allocate(capacity: count)
    base.initialize(repeating: value, count: count)
  }

  deinit { base.deallocate() }
}
