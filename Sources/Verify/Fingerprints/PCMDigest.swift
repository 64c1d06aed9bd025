// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal

/// The bytes of a block of samples, as checksums take them.
package struct PackedBlock {
  private let format: SampleFormat
  private var bytes: [UInt8] = []

  /// Bytes in `format`: 16-, 24- or 32-bit integers or floats.
  package init(_ format: SampleFormat) { self.format = format }

  /// Calls `body` with the samples of `block`, little-endian and interleaved.
  package mutating func withBytes(
    _ block: AudioBuffer, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) rethrows {
    let count = block.frames * block.channels * format.bytes
    if bytes.count < count { bytes = [UInt8](repeating: 0, count: count) }
    try bytes.withUnsafeMutableBytes { target in
      guard let base = target.baseAddress else { return }
      block.pack(0..<block.frames, as: format, into: base)
      try body(UnsafeRawBufferPointer(start: base, count: count))
    }
  }
}
