import Foundation

/// Comparing signals.
package enum Signals {
  /// Signal to noise ratio in dB of `found` against `wanted`.
  package static func ratio(_ found: [Float], _ wanted: [Float]) -> Double {
    var signal = 0.0
    var noise = 0.0
    for (left, right) in zip(found, wanted) {
      signal += Double(right) * Double(right)
      noise += (Double(left) - Double(right)) * (Double(left) - Double(right))
    }
    if noise == 0 { return .infinity }
    return signal == 0 ? -.infinity : 10 * log10(signal / noise)
  }

  /// Little-endian Float32 values.
  package static func floats(_ data: Data) -> [Float] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Float(
          bitPattern: UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
  }
}
