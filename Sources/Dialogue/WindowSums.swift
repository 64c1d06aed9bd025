// SPDX-License-Identifier: Apache-2.0

/// Sums over windows that move by one value.
///
/// Each window is added anew, oldest value first, and values beyond the ends are left out. A running sum would be quicker, but would
/// depend on where it began.
enum WindowSums {
  /// Sums of `values` from `before` places before to `after` places after each place in `places`.
  static func sums(_ values: [Double], before: Int, after: Int, at places: Range<Int>) -> [Double] {
    var sums = [Double](repeating: 0, count: places.count)
    values.withUnsafeBufferPointer { values in
      sums.withUnsafeMutableBufferPointer { sums in
        for offset in -before...after {
          let first = max(places.lowerBound, -offset)
          let end = min(places.upperBound, values.count - offset)
          guard first < end else { continue }
          for place in first..<end { sums[place - places.lowerBound] += values[place + offset] }
        }
      }
    }
    return sums
  }

  /// Means of `values` as in ``sums(_:before:after:at:)``, over the values that exist.
  static func means(_ values: [Double], before: Int, after: Int, at places: Range<Int>) -> [Double]
  {
    var means = sums(values, before: before, after: after, at: places)
    for index in means.indices {
      let place = places.lowerBound + index
      let count = min(place + after + 1, values.count) - max(place - before, 0)
      means[index] /= Double(count)
    }
    return means
  }

  /// Means of all `values` over `half` places on each side.
  static func means(_ values: [Double], half: Int) -> [Double] {
    means(values, before: half, after: half, at: 0..<values.count)
  }
}
