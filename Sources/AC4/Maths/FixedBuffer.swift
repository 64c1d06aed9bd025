/// A fixed amount of zeroed memory for plain values; freed with its owner.
final class FixedBuffer<Element: BitwiseCopyable> {
  /// The first value.
  let base: UnsafeMutablePointer<Element>
  /// Number of values.
  let count: Int

  /// `count` values, all `value`.
  init(_ value: Element, count: Int) {
    self.count = max(1, count)
    base = .allocate(capacity: self.count)
    base.initialize(repeating: value, count: self.count)
  }

  /// A copy of `values`.
  convenience init(_ values: [Element], or empty: Element) {
    self.init(values.first ?? empty, count: values.count)
    for (index, value) in values.enumerated() { base[index] = value }
  }

  deinit { base.deallocate() }

  /// Sets all values.
  func fill(_ value: Element) { base.update(repeating: value, count: count) }

  /// All values, for tests and other cold places.
  var values: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
