// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport

@testable import AC4

/// Signals of slow references in the subbands of frames, and back.
enum SubbandSamples {
  /// Noise in `count` slots, with a burst now and then, which ducks what is decorrelated.
  static func noise(_ count: Int, _ noise: inout SeededNoise) -> SlowCoupling.Signal {
    (0..<count).map { time in
      let size: Float = time % 37 < 3 ? 4 : 0.2
      return (0..<64).map { subband in
        let values = noise.samples(2, peak: size / Float(1 + subband / 8))
        return SIMD2(Double(values[0]), Double(values[1]))
      }
    }
  }

  /// Writes the slots of frame number `number` into it.
  static func fill(_ frame: SubbandFrame, _ signal: SlowCoupling.Signal, _ number: Int) {
    let slots = frame.real.slots
    for slot in 0..<slots {
      for subband in 0..<64 {
        let value = signal[number * slots + slot][subband]
        frame.real.row(subband)[slot] = Float(value.x)
        frame.imaginary.row(subband)[slot] = Float(value.y)
      }
    }
  }

  /// All slots of a frame.
  static func read(_ frame: SubbandFrame) -> SlowCoupling.Signal {
    (0..<frame.real.slots).map { slot in
      (0..<64).map {
        SIMD2(Double(frame.real.row($0)[slot]), Double(frame.imaginary.row($0)[slot]))
      }
    }
  }

  /// The largest difference, of the largest value; infinite where nothing is wanted, and for other lengths.
  static func error(_ found: SlowCoupling.Signal, _ wanted: SlowCoupling.Signal) -> Double {
    var (largest, difference) = (0.0, 0.0)
    for (one, other) in zip(found.joined(), wanted.joined()) {
      largest = max(largest, abs(other.x), abs(other.y))
      difference = max(difference, abs(one.x - other.x), abs(one.y - other.y))
    }
    return found.count == wanted.count && largest > 0 ? difference / largest : .infinity
  }
}
