import Platform

/// A plain radix-2 complex FFT in Double, for designing filters (not for streaming audio).
///
/// Works in place on split planes. Neither direction scales.
package final class DoubleFFT {
  /// Number of complex points, a power of two.
  package let length: Int
  private let cosine: [Double]
  private let sine: [Double]
  private let reversed: [Int32]

  /// An FFT of `length` points; lengths that aren't a power of two are rounded up to one.
  package init(length wanted: Int) {
    var length = 2
    while length < wanted { length *= 2 }
    self.length = length
    let half = length / 2
    let step = 2 * Double.pi / Double(length)
    cosine = (0..<half).map { cos(step * Double($0)) }
    sine = (0..<half).map { -sin(step * Double($0)) }
    let bits = Int32(length.trailingZeroBitCount)
    var order = [Int32](repeating: 0, count: length)
    for index in 1..<length {
      order[index] = (order[index >> 1] >> 1) | (Int32(index & 1) << (bits - 1))
    }
    reversed = order
  }

  /// Forward transform (e^−jωn) of `length` points.
  package func forward(_ re: inout [Double], _ im: inout [Double]) {
    precondition(re.count == length && im.count == length, "wrong FFT length")
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in transform(re, im) }
    }
  }

  /// Inverse transform (e^+jωn) of `length` points, unscaled.
  ///
  /// It is the forward transform with real and imaginary parts exchanged before and after.
  package func inverse(_ re: inout [Double], _ im: inout [Double]) { forward(&im, &re) }

  private func transform(
    _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>
  ) {
    for index in 0..<length {
      let other = Int(reversed[index])
      if other > index {
        re.swapAt(index, other)
        im.swapAt(index, other)
      }
    }
    cosine.withUnsafeBufferPointer { cosine in
      sine.withUnsafeBufferPointer { sine in
        var span = 1
        while span < length {
          pass(re, im, cosine, sine, span)
          span *= 2
        }
      }
    }
  }

  /// One pass of butterflies `span` apart.
  private func pass(
    _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>,
    _ cosine: UnsafeBufferPointer<Double>, _ sine: UnsafeBufferPointer<Double>, _ span: Int
  ) {
    let stride = length / (2 * span)
    var base = 0
    while base < length {
      for offset in 0..<span {
        let low = base + offset
        let high = low + span
        let c = cosine[offset * stride]
        let s = sine[offset * stride]
        let real = re[high] * c - im[high] * s
        let imaginary = re[high] * s + im[high] * c
        re[high] = re[low] - real
        im[high] = im[low] - imaginary
        re[low] += real
        im[low] += imaginary
      }
      base += 2 * span
    }
  }
}
