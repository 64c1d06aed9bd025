// SPDX-License-Identifier: Apache-2.0

/// Arithmetic on values from a file: it ends at the bounds of Int64 instead of trapping.
package enum Saturating {
  package static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? (right < 0 ? .min : .max) : sum
  }

  package static func difference(_ left: Int64, _ right: Int64) -> Int64 {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    return overflow ? (right < 0 ? .max : .min) : difference
  }

  /// The product of values that aren't negative.
  package static func product(_ left: Int64, _ right: Int64) -> Int64 {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    return overflow ? .max : product
  }

  /// `value * factor / divisor` rounded to nearest, for values that aren't negative and a divisor
  /// from 1.
  package static func rescale(_ value: Int64, by factor: Int64, over divisor: Int64) -> Int64 {
    let divisor = UInt64(max(1, divisor))
    let product = UInt64(max(0, value)).multipliedFullWidth(by: UInt64(max(0, factor)))
    let (low, carry) = product.low.addingReportingOverflow(divisor / 2)
    let high = product.high &+ (carry ? 1 : 0)
    guard high < divisor else { return .max }
    return Int64(clamping: divisor.dividingFullWidth((high, low)).quotient)
  }
}
