import CSignal

/// The 64-band synthesis filter bank of one channel (TS 103 190-1, 5.7.4):
/// v[j] = Re Σ Q[sb] / 64 · exp(iπ/128 · (sb + ½) · (2j − 255)), windowed and summed over ten slots.
package final class QMFSynthesis {
  private let bank: FilterBank
  /// v[0…63] of each slot, with nine slots before the frame's.
  private let low: SlotRows
  /// v[64…127] of each slot.
  private let high: SlotRows
  /// Twiddles behind the FFT.
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  /// Twiddles of the subbands before it.
  private let bandCosines: FixedBuffer<Float>
  private let bandSines: FixedBuffer<Float>

  /// A synthesis that begins with silence.
  package init(_ bank: FilterBank) {
    self.bank = bank
    let spare = bank.lanes - bank.slots
    low = SlotRows(rows: QMF.bands, history: 9, slots: bank.slots, spare: spare)
    high = SlotRows(rows: QMF.bands, history: 9, slots: bank.slots, spare: spare)
    (cosines, sines) = FilterBank.phases { Double($0) / 128 }
    (bandCosines, bandSines) = FilterBank.phases(scale: 1.0 / 64) {
      -255 * (Double($0) + 0.5) / 128
    }
  }

  /// Synthesises 64 samples for each slot of a frame.
  /// - Parameters:
  ///   - bands: real and imaginary parts of each band, from slot 0 of the frame on; `nil` is silence.
  ///   - samples: receives the frame's samples in order of time.
  package func process(
    into samples: UnsafeMutablePointer<Float>, scale: Float,
    _ bands: (Int) -> (UnsafePointer<Float>, UnsafePointer<Float>)?
  ) {
    low.advance()
    high.advance()
    for place in 0..<QMF.bands / 2 {
      read(2 * place, place, 1, bands(2 * place))
      read(2 * place + 1, QMF.bands - 1 - place, -1, bands(2 * place + 1))
    }
    bank.transform()
    for place in 0..<QMF.bands { turn(place) }
    sg_sum_slots(low.all, high.all, bank.slots, bank.prototype.base, scale, samples)
  }

  /// Forgets earlier slots.
  package func reset() {
    low.clear()
    high.clear()
  }

  /// Writes a subband into a row of the transform, conjugated behind its twiddle when `sign` is −1.
  private func read(
    _ band: Int, _ row: Int, _ sign: Float, _ parts: (UnsafePointer<Float>, UnsafePointer<Float>)?
  ) {
    let re = bank.real.base + row * bank.lanes
    let im = bank.imaginary.base + row * bank.lanes
    guard let parts else {
      re.update(repeating: 0, count: bank.lanes)
      im.update(repeating: 0, count: bank.lanes)
      return
    }
    sg_rotate(
      parts.0, parts.1, bank.slots, bandCosines.base[band], bandSines.base[band], 1, sign, re, im)
  }

  /// Multiplies a row of the transform by its twiddle: the parts are v[j] and v[j + 64].
  private func turn(_ place: Int) {
    let start = place * bank.lanes
    sg_rotate(
      bank.real.base + start, bank.imaginary.base + start, bank.slots, cosines.base[place],
      sines.base[place], 1, -1, low.row(place), high.row(place))
  }
}
