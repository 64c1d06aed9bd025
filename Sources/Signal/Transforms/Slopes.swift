// SPDX-License-Identifier: Apache-2.0
import CKernels

/// Slopes of windows, applied to samples.
package enum Slopes {
  /// Multiplies `samples` by the `count` values of `slope`, from its last to its first.
  package static func fall(
    _ samples: UnsafeMutablePointer<Float>, _ slope: UnsafePointer<Float>, count: Int
  ) {
    sg_fall(samples, slope, count)
  }

  /// Adds to `sums` the `count` values of `samples` times those of `slope`.
  package static func rise(
    _ sums: UnsafeMutablePointer<Float>, _ samples: UnsafePointer<Float>,
    _ slope: UnsafePointer<Float>, count: Int
  ) {
    sg_rise(sums, samples, slope, count)
  }
}
