import Signal

/// The subbands of one channel in one frame.
final class SubbandFrame {
  /// Real parts, 64 rows.
  let real: SlotRows
  /// Imaginary parts, 64 rows.
  let imaginary: SlotRows

  /// `slots` slots of silence.
  init(slots: Int) {
    real = SlotRows(rows: QMF.bands, history: 0, slots: slots)
    imaginary = SlotRows(rows: QMF.bands, history: 0, slots: slots)
  }

  /// Makes all subbands silent.
  func clear() {
    real.clear()
    imaginary.clear()
  }

  /// Multiplies all subbands by `gain`.
  func scale(by gain: Float) {
    for subband in 0..<real.rows {
      let (real, imaginary) = (real.row(subband), imaginary.row(subband))
      for slot in 0..<self.real.slots {
        real[slot] *= gain
        imaginary[slot] *= gain
      }
    }
  }
}
