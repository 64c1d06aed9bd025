import Platform

/// The transform and the prototype filter that analysis and synthesis of all channels share
/// (TS 103 190-1, 5.7.3, 5.7.4 and Annex D.3).
///
/// Either direction comes down to a 64-point complex FFT for each slot, with twiddles before and after it.
/// All slots of a frame go through it side by side.
package final class FilterBank {
  /// Slots per frame.
  package let slots: Int
  /// Slots that the transform works on: those of a frame, rounded up to a multiple of 4.
  package let lanes: Int
  /// The prototype, 640 taps.
  let prototype: FixedBuffer<Float>
  /// Real parts, 64 rows of ``lanes`` values.
  let real: FixedBuffer<Float>
  /// Imaginary parts, 64 rows of ``lanes`` values.
  let imaginary: FixedBuffer<Float>
  private let fft: BatchFFT

  /// A bank for frames of `slots` slots.
  package init(slots: Int) {
    self.slots = slots
    lanes = (slots + 3) & ~3
    prototype = FixedBuffer(QMF.prototype.map(Float.init), or: 0)
    real = FixedBuffer(0, count: QMF.bands * lanes)
    imaginary = FixedBuffer(0, count: QMF.bands * lanes)
    fft = BatchFFT(length: QMF.bands, batch: lanes)
  }

  /// Inverse transforms (e^+jωn) of ``real`` and ``imaginary`` in place.
  func transform() { fft.transform(imaginary.base, real.base) }

  /// Cosines and sines of π · `turns`(row) for all 64 rows, times `scale`.
  static func phases(
    scale: Double = 1, _ turns: (Int) -> Double
  ) -> (cosines: FixedBuffer<Float>, sines: FixedBuffer<Float>) {
    let angles = (0..<QMF.bands).map(turns)
    return (
      FixedBuffer(angles.map { Float(cos(.pi * $0) * scale) }, or: 0),
      FixedBuffer(angles.map { Float(sin(.pi * $0) * scale) }, or: 0)
    )
  }
}
