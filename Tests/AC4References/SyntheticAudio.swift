// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AC4

/// Writes `audio_data` of one frame and knows what comes out.
protocol SyntheticAudio {
  /// Window lengths of each channel in coded order.
  var windows: [[Int]] { get }
  /// Lines of each channel in coded order, after all matrices.
  var lines: [[Double]] { get }

  /// Whether it can be read without earlier frames.
  var isIFrame: Bool { get set }

  mutating func write(_ bits: inout BitWriter, _ noise: inout SeededNoise)
}
