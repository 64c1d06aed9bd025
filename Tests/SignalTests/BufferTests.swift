// SPDX-License-Identifier: Apache-2.0
import Signal
import Testing

@Suite struct BufferTests {
  @Test("a buffer has the values that it was made with, at least one", arguments: [0, 1, 5, 1000])
  func valuesAreThere(count: Int) {
    let buffer = Buffer(Int32(-3), count: count)
    #expect(buffer.count == max(1, count))
    #expect(buffer.values == [Int32](repeating: -3, count: max(1, count)))
    buffer.base[buffer.count - 1] = 8
    #expect(buffer.values.last == 8)
    buffer.fill(2)
    #expect(buffer.values.allSatisfy { $0 == 2 })
    #expect(Buffer([UInt8](0..<7), or: 9).values == [UInt8](0..<7))
    #expect(Buffer([], or: UInt8(9)).values == [9])
  }

  @Test("an aligned buffer begins at a multiple of 64 bytes, with zeros", arguments: 0..<20)
  func placesAreAligned(count: Int) {
    let buffer = Buffer(aligned: count)
    #expect(Int(bitPattern: buffer.base) % 64 == 0)
    #expect(buffer.values.allSatisfy { $0 == 0 })
    let wide = Buffer(SIMD8<Float>(), count: count)
    #expect(Int(bitPattern: wide.base) % MemoryLayout<SIMD8<Float>>.alignment == 0)
  }
}
