// SPDX-License-Identifier: Apache-2.0

// Loops of decoders work on `base` from other modules; see BitReader.swift for why it is public.

/// Memory for a fixed number of plain values. Code that runs for every frame works on it through ``base``
/// without bounds checks and without allocating.
public final class Buffer<Element: BitwiseCopyable> {
  /// The first value.
  public let base: UnsafeMutablePointer<Element>
  /// Number of values, at least 1.
  public let count: Int

  /// `count` values, all `value`, at a multiple of `alignment` bytes.
  public init(_ value: Element, count: Int, alignment: Int = MemoryLayout<Element>.alignment) {
    self.count = max(1, count)
    let bytes = self.count * MemoryLayout<Element>.stride
    base = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
      .initializeMemory(as: Element.self, repeating: value, count: self.count)
  }

  /// A copy of `values`; one `empty` value when there are none.
  public convenience init(_ values: [Element], or empty: Element) {
    self.init(values.first ?? empty, count: values.count)
    for (index, value) in values.enumerated() { base[index] = value }
  }

  deinit { UnsafeMutableRawPointer(base).deallocate() }

  /// Sets all values.
  @inlinable
  public func fill(_ value: Element) { base.update(repeating: value, count: count) }

  /// A copy of all values, for tests and other code that may be slow.
  public var values: [Element] { Array(UnsafeBufferPointer(start: base, count: count)) }
}

extension Buffer<Float> {
  /// `count` zeros at a multiple of 64 bytes, as libavutil's transforms and aligned vectors need them.
  package convenience init(aligned count: Int) { self.init(0, count: count, alignment: 64) }
}
