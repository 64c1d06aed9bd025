import CKernels

/// Largest magnitude of a run of samples, found on their bits.
///
/// Without the sign bit, the bits of Float order like its magnitudes, with infinity and NaN on top;
/// so one scan gives the sample peak and shows whether all samples are finite.
enum SampleScan {
  /// Largest magnitude of `count` samples; `nil` when one of them isn't finite.
  static func finitePeak(_ samples: UnsafePointer<Float>, count: Int) -> Float? {
    let peak = peak(samples, count: count)
    return peak.isFinite ? peak : nil
  }

  /// Largest magnitude of `count` finite samples.
  static func peak(_ samples: UnsafePointer<Float>, count: Int) -> Float {
    Float(bitPattern: UInt32(bitPattern: ck_peak_bits(samples, count)))
  }
}
