import CSamples

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
