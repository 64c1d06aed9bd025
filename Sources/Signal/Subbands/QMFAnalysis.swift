import CSignal

/// The 64-band analysis filter bank of one channel (TS 103 190-1, 5.7.3):
/// Q[sb] = Σ u[j] · exp(iπ/128 · (sb + ½) · (2j − 1)), with u[j] the windowed samples folded to 128.
///
/// The even subbands, and the odd ones as conjugates from the top down, are the two halves of one 64-point
/// transform.
package final class QMFAnalysis {
  private let bank: FilterBank
  /// Samples by their place in a slot. The prototype has 640 taps, so nine slots stand before the frame's.
  private let input: SlotRows
  /// Twiddles before the FFT.
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  /// Twiddles of the subbands behind it.
  private let bandCosines: FixedBuffer<Float>
  private let bandSines: FixedBuffer<Float>

  /// An analysis that begins with silence.
  package init(_ bank: FilterBank) {
    self.bank = bank
    input = SlotRows(rows: QMF.bands, history: 9, slots: bank.slots, spare: bank.lanes - bank.slots)
    (cosines, sines) = FilterBank.phases { Double($0) / 128 }
    (bandCosines, bandSines) = FilterBank.phases { -(Double($0) + 0.5) / 128 }
  }

  /// Analyses 64 samples for each slot of a frame.
  /// - Parameters:
  ///   - samples: the frame's samples in order of time.
  ///   - real: receives the real parts at row `band`, from `offset` on.
  ///   - imaginary: receives the imaginary parts.
  package func process(
    _ samples: UnsafePointer<Float>, real: SlotRows, imaginary: SlotRows, offset: Int
  ) {
    let slots = bank.slots
    input.advance()
    sg_gather_slots(samples, slots, input.all)
    sg_window_slots(
      input.all, bank.lanes, bank.prototype.base, cosines.base, sines.base, bank.real.base,
      bank.imaginary.base)
    bank.transform()
    for place in 0..<QMF.bands / 2 {
      write(place, 2 * place, 1, real, imaginary, offset)
      write(QMF.bands - 1 - place, 2 * place + 1, -1, real, imaginary, offset)
    }
  }

  /// Forgets earlier samples.
  package func reset() { input.clear() }

  /// Writes a subband from a row of the transform, which is conjugated first when `sign` is −1.
  private func write(
    _ row: Int, _ band: Int, _ sign: Float, _ real: SlotRows, _ imaginary: SlotRows, _ offset: Int
  ) {
    let start = row * bank.lanes
    sg_rotate(
      bank.real.base + start, bank.imaginary.base + start, bank.slots, bandCosines.base[band],
      bandSines.base[band], sign, 1, real.row(band) + offset, imaginary.row(band) + offset)
  }
}
