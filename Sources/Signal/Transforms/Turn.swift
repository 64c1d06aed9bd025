// SPDX-License-Identifier: Apache-2.0

/// Cosine and sine of parts of a turn, by + − × ÷ alone: the C library's differ between machines in the last place.
package enum Turn {
  /// Cosine and sine of 2π · `numerator` / `denominator`; the denominator is above zero. The error is below 2e−16.
  package static func point(_ numerator: Int, of denominator: Int) -> (cosine: Double, sine: Double)
  {
    let part = (numerator % denominator + denominator) % denominator
    let (quarter, rest) = (4 * part).quotientAndRemainder(dividingBy: denominator)
    let point: (Double, Double)
    if 2 * rest <= denominator {
      point = eighth(Double(rest) / Double(denominator))
    } else {
      let mirrored = eighth(Double(denominator - rest) / Double(denominator))
      point = (mirrored.1, mirrored.0)
    }
    switch quarter {
    case 0: return point
    case 1: return (-point.1, point.0)
    case 2: return (-point.0, -point.1)
    default: return (point.1, -point.0)
    }
  }

  /// Cosine and sine of `part` quarters of a turn, 0 to ½, by their power series.
  private static func eighth(_ part: Double) -> (Double, Double) {
    let angle = part * (Double.pi / 2)
    let square = angle * angle
    var cosine = 1.0
    var sine = 1.0
    // The last terms are below 1e−18 at 45°.
    for order in stride(from: 18, through: 2, by: -2) {
      cosine = 1 - cosine * square / Double(order * (order - 1))
      sine = 1 - sine * square / Double(order * (order + 1))
    }
    return (cosine, sine * angle)
  }
}
