// Loops of decoders work on `base` from other modules; see BitReader.swift for why it is public.

/// Memory for a fixed number of plain values. Code that runs for every frame works on it through ``base``
/// without bounds checks and without allocating.
public final class FixedBuffer<Element: BitwiseCopyable> {
  /// The first value.
  public let base: UnsafeMutablePointer<Element>
  /// Number of values, at least 1.
  public let count: Int

  /// `count` values, all `value`.
  public init(_ value: Element, count: Int) {
    self.count = max(1, count)
    base = .allocate(capacity: self.count)
    base.initialize(repeating: value, count: self.count)
  }

  /// A copy of `values`; one `empty` value when there are none.
  public convenience init(_ values: [Element], or empty: Element) {
    self.init(values.first ?? empty, count: values.count)
    for (index, value) in values.enumerated() { base[index] = value }
  }

  deinit { base.deallocate() }

  /// Sets all values.
  public func fill(_ value: Element) { base.update(repeating: value, count: count) }

  /// A copy of all values, for tests and other code that may be slow.
  public var values: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}
