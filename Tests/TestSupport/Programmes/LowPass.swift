// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A linear-phase low-pass of 511 taps (Blackman window) without delay.
package enum LowPass {
  /// `plane` without what lies above `hertz`.
  package static func applied(to plane: [Float], hertz: Double, rate: Int) -> [Float] {
    let half = 255
    let taps = (-half...half).map { index -> Double in
      let ratio = 2 * hertz / Double(rate)
      let x = Double.pi * Double(index)
      let sinc = index == 0 ? ratio : sin(ratio * x) / x
      let place = Double(index) / Double(half)
      return sinc * (0.42 + 0.5 * cos(.pi * place) + 0.08 * cos(2 * .pi * place))
    }
    return plane.indices.map { index in
      var sum = 0.0
      for tap in max(0, index - plane.count + 1 + half)...min(2 * half, index + half) {
        sum += taps[tap] * Double(plane[index + half - tap])
      }
      return Float(sum)
    }
  }
}
