/// A fixed block of Float32 whose address is 64-byte aligned, as av_tx and aligned SIMD loads need
/// it.
package final class AlignedFloats {
  /// First element.
  package let base: UnsafeMutablePointer<Float>
  /// Number of elements.
  package let count: Int
  private let raw: UnsafeMutableRawPointer

  /// `count` zeros.
  package init(count: Int) {
    self.count = count
    raw = .allocate(byteCount: max(1, count) * MemoryLayout<Float>.stride, alignment: 64)
    base = raw.bindMemory(to: Float.self, capacity: max(1, count))
    base.initialize(repeating: 0, count: max(1, count))
  }

  deinit { raw.deallocate() }

  /// The whole block.
  package var buffer: UnsafeMutableBufferPointer<Float> {
    UnsafeMutableBufferPointer(start: base, count: count)
  }
}
