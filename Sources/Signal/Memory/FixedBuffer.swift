/// Memory for a fixed number of plain values. Code that runs for every frame works on it through ``base``
/// without bounds checks and without allocating.
final class FixedBuffer<Element: BitwiseCopyable> {
  /// The first value.
  let base: UnsafeMutablePointer<Element>
  /// Number of values, at least 1.
  let count: Int

  /// `count` values, all `value`.
  init(_ value: Element, count: Int) {
    self.count = max(1, count)
    base = .allocate(capacity: self.count)
    base.initialize(repeating: value, count: self.count)
  }

  /// A copy of `values`; one `empty` value when there are none.
  convenience init(_ values: [Element], or empty: Element) {
    self.init(values.first ?? empty, count: values.count)
    for (index, value) in values.enumerated() { base[index] = value }
  }

  deinit { base.deallocate() }

  /// Sets all values.
  func fill(_ value: Element) { base.update(repeating: value, count: count) }

  /// A copy of all values, for tests and other code that may be slow.
  var values: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
