// SPDX-License-Identifier: Apache-2.0
import Platform

/// A plain radix-2 complex FFT in Double, for designing filters (not for streaming audio).
///
/// Works in place on split planes. Neither direction scales.
package final class DoubleFFT: Sendable {
  /// Number of complex points, a power of two.
  package let length: Int
  /// Twiddle factors of all passes, each in the order of its butterflies: those of the pass with
  /// butterflies `span` apart begin at span − 1.
  private let cosine: [Double]
  private let sine: [Double]
  /// Points that bit reversal exchanges.
  private let exchanges: [(Int32, Int32)]

  /// An FFT of `length` points; lengths that aren't a power of two are rounded up to one.
  package init(length wanted: Int) {
    var length = 2
    while length < wanted { length *= 2 }
    self.length = length
    let bits = length.trailingZeroBitCount
    let step = 2 * Double.pi / Double(length)
    let angles = (0..<bits).flatMap { pass in
      (0..<(1 << pass)).map { step * Double($0 << (bits - 1 - pass)) }
    }
    cosine = angles.map { cos($0) }
    sine = angles.map { -sin($0) }
    var order = [Int32](repeating: 0, count: length)
    for index in 1..<length {
      order[index] = (order[index >> 1] >> 1) | (Int32(index & 1) << Int32(bits - 1))
    }
    exchanges = order.enumerated().compactMap { $0 < $1 ? (Int32($0), $1) : nil }
  }

  /// Forward transform (e^−jωn) of `length` points.
  package func forward(_ re: inout [Double], _ im: inout [Double]) {
    precondition(re.count == length && im.count == length, "wrong FFT length")
    re.withUnsafeMutableBytes { re in
      im.withUnsafeMutableBytes { im in
        cosine.withUnsafeBytes { cosine in
          sine.withUnsafeBytes { sine in
            guard let re = re.baseAddress, let im = im.baseAddress,
              let cosine = cosine.baseAddress, let sine = sine.baseAddress
            else { return }
            let points = Planes(re: re, im: im)
            for (one, other) in exchanges { points.exchange(Int(one), Int(other)) }
            transform(points, Factors(cosine: cosine, sine: sine))
          }
        }
      }
    }
  }

  /// Inverse transform (e^+jωn) of `length` points, unscaled.
  ///
  /// The forward transform serves with real and imaginary parts exchanged before and after.
  package func inverse(_ re: inout [Double], _ im: inout [Double]) { forward(&im, &re) }

  /// All passes over points in bit-reversed order, two at a time, so that memory is read half as
  /// often; each sum is that of a single pass.
  private func transform(_ points: Planes, _ factors: Factors) {
    var span = 1
    if length.trailingZeroBitCount % 2 == 1 {
      for base in stride(from: 0, to: length, by: 2) { points.pass(factors, at: base) }
      span = 2
    }
    while span < length {
      for base in stride(from: 0, to: length, by: 4 * span) {
        switch span {
        case 1: points.twoPasses(Double.self, factors, at: base, 0, span)
        case 2: points.twoPasses(SIMD2<Double>.self, factors, at: base, 0, span)
        default:
          for offset in stride(from: 0, to: span, by: 4) {
            points.twoPasses(SIMD4<Double>.self, factors, at: base + offset, offset, span)
          }
        }
      }
      span *= 4
    }
  }
}

/// One number, or several that stand beside each other.
private protocol Lanes {
  static func + (one: Self, other: Self) -> Self
  static func - (one: Self, other: Self) -> Self
  static func * (one: Self, other: Self) -> Self
}
extension Double: Lanes {}
extension SIMD2<Double>: Lanes {}
extension SIMD4<Double>: Lanes {}

private struct Point<Value: Lanes> {
  var re, im: Value

  /// A butterfly of the points `low` and `high`.
  @inline(__always)
  static func combine(_ low: inout Point, _ high: inout Point, by factor: Point) {
    let real = high.re * factor.re - high.im * factor.im
    let imaginary = high.re * factor.im + high.im * factor.re
    high = Point(re: low.re - real, im: low.im - imaginary)
    low = Point(re: low.re + real, im: low.im + imaginary)
  }
}

private struct Factors {
  let cosine, sine: UnsafeRawPointer

  @inline(__always)
  subscript<Value: Lanes>(index: Int, _: Value.Type) -> Point<Value> {
    Point(
      re: cosine.loadUnaligned(fromByteOffset: 8 * index, as: Value.self),
      im: sine.loadUnaligned(fromByteOffset: 8 * index, as: Value.self))
  }
}

private struct Planes {
  let re, im: UnsafeMutableRawPointer

  @inline(__always)
  subscript<Value: Lanes>(index: Int, _: Value.Type) -> Point<Value> {
    get {
      Point(
        re: re.loadUnaligned(fromByteOffset: 8 * index, as: Value.self),
        im: im.loadUnaligned(fromByteOffset: 8 * index, as: Value.self))
    }
    nonmutating set {
      re.storeBytes(of: newValue.re, toByteOffset: 8 * index, as: Value.self)
      im.storeBytes(of: newValue.im, toByteOffset: 8 * index, as: Value.self)
    }
  }

  @inline(__always)
  func exchange(_ one: Int, _ other: Int) {
    let kept = self[one, Double.self]
    self[one, Double.self] = self[other, Double.self]
    self[other, Double.self] = kept
  }

  /// The first pass, of neighbours.
  @inline(__always)
  func pass(_ factors: Factors, at base: Int) {
    var (low, high) = (self[base, Double.self], self[base + 1, Double.self])
    Point.combine(&low, &high, by: factors[0, Double.self])
    self[base, Double.self] = low
    self[base + 1, Double.self] = high
  }

  /// The passes with butterflies `span` and 2 · `span` apart, on four points from `index` on, which
  /// is `offset` after the first of its group.
  @inline(__always)
  func twoPasses<Value: Lanes>(
    _ type: Value.Type, _ factors: Factors, at index: Int, _ offset: Int, _ span: Int
  ) {
    var (a, b) = (self[index, type], self[index + span, type])
    var (c, d) = (self[index + 2 * span, type], self[index + 3 * span, type])
    let first = factors[span - 1 + offset, type]
    Point.combine(&a, &b, by: first)
    Point.combine(&c, &d, by: first)
    Point.combine(&a, &c, by: factors[2 * span - 1 + offset, type])
    Point.combine(&b, &d, by: factors[3 * span - 1 + offset, type])
    self[index, type] = a
    self[index + span, type] = b
    self[index + 2 * span, type] = c
    self[index + 3 * span, type] = d
  }
}
