// SPDX-License-Identifier: Apache-2.0
import AudioCore
import CKernels

extension AudioBuffer {
  /// Fills frames `start ..< start + count` of all channels from interleaved samples.
  ///
  /// Integers of up to 24 bits convert exactly, larger ones and `float64` are rounded to the nearest
  /// Float. The frames must exist.
  package func unpack(
    _ bytes: UnsafeRawPointer, count: Int, as format: SampleFormat, at start: Int
  ) {
    precondition(start >= 0 && start + count <= frames, "range out of bounds")
    withUnsafeTemporaryAllocation(of: UnsafeMutablePointer<Float>?.self, capacity: channels) {
      planes in
      for index in 0..<channels {
        planes.initializeElement(at: index, to: channel(index).baseAddress.map { $0 + start })
      }
      cs_unpack(bytes, channels, count, format.kernel, planes.baseAddress)
    }
  }

  /// As ``unpack(_:count:as:at:)`` for one channel whose samples lie one after the other.
  package func unpack(
    _ bytes: UnsafeRawPointer, count: Int, as format: SampleFormat, at start: Int, channel: Int
  ) {
    precondition(start >= 0 && start + count <= frames, "range out of bounds")
    var plane = self.channel(channel).baseAddress.map { $0 + start }
    cs_unpack(bytes, 1, count, format.kernel, &plane)
  }

  /// Writes the frames in `range`, interleaved, to `target`, as 16-, 24- or 32-bit integers or floats.
  ///
  /// Integers are exact for samples that ``SampleGrid`` has rounded to as many bits or fewer.
  package func pack(
    _ range: Range<Int>, as format: SampleFormat, into target: UnsafeMutableRawPointer
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= frames, "range out of bounds")
    withPlanes {
      cs_pack($0, channels, range.lowerBound, range.count, format.kernel, target)
    }
  }

  /// As ``pack(_:as:into:)`` for one channel, whose samples then lie one after the other.
  package func pack(
    _ range: Range<Int>, as format: SampleFormat, channel: Int,
    into target: UnsafeMutableRawPointer
  ) {
    precondition(range.lowerBound >= 0 && range.upperBound <= frames, "range out of bounds")
    var plane = UnsafePointer(self.channel(channel).baseAddress)
    cs_pack(&plane, 1, range.lowerBound, range.count, format.kernel, target)
  }

  /// Whether integers of `bits` bits, 2…24, hold all samples exactly.
  package func fits(bits: Int) -> Bool {
    (0..<channels).allSatisfy { index in
      guard let base = channel(index).baseAddress else { return true }
      return cs_fits(base, frames, Int32(bits)) != 0
    }
  }

  /// Largest magnitude of `count` samples of a channel from `start` on; infinite or NaN where one of them
  /// is.
  package func greatestMagnitude(channel: Int, from start: Int, count: Int) -> Float {
    precondition(start >= 0 && start + count <= frames, "range out of bounds")
    guard let base = self.channel(channel).baseAddress else { return 0 }
    return SampleScan.greatestMagnitude(base + start, count: count)
  }

  /// Calls `body` with a pointer to each channel's samples.
  func withPlanes<Result>(
    _ body: (UnsafePointer<UnsafePointer<Float>?>?) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UnsafePointer<Float>?.self, capacity: channels) { planes in
      for index in 0..<channels {
        planes.initializeElement(at: index, to: UnsafePointer(channel(index).baseAddress))
      }
      return body(planes.baseAddress.map { UnsafePointer($0) })
    }
  }
}

/// How samples lie in memory: little-endian, full scale of integers at the ends of their range.
package enum SampleFormat: Sendable {
  case unsigned8
  case integer16
  case integer24
  case integer32
  case integer64
  case float32
  case float64

  /// Bytes of one sample.
  package var bytes: Int {
    switch self {
    case .unsigned8: return 1
    case .integer16: return 2
    case .integer24: return 3
    case .integer32, .float32: return 4
    case .integer64, .float64: return 8
    }
  }

  var kernel: cs_format {
    switch self {
    case .unsigned8: return CS_U8
    case .integer16: return CS_S16
    case .integer24: return CS_S24
    case .integer32: return CS_S32
    case .integer64: return CS_S64
    case .float32: return CS_F32
    case .float64: return CS_F64
    }
  }
}

/// Largest magnitude of a run of samples, found on their bits.
///
/// Without the sign bit, the bits of Float order like its magnitudes, with infinity and NaN on top;
/// so one scan gives the sample peak and shows whether all samples are finite.
package enum SampleScan {
  /// Largest magnitude of `count` samples; infinite or NaN where one of them is.
  package static func greatestMagnitude(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    Float(bitPattern: UInt32(bitPattern: cs_peak_bits(samples, count)))
  }
}
