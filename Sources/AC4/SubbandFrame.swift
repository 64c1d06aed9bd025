/// One channel's subbands of one frame on the way to synthesis.
final class SubbandFrame {
  /// Real parts, 64 rows.
  let real: SlotRows
  /// Imaginary parts, 64 rows.
  let imaginary: SlotRows

  /// Silence of `slots` slots.
  init(slots: Int) {
    real = SlotRows(rows: QMF.bands, history: 0, slots: slots)
    imaginary = SlotRows(rows: QMF.bands, history: 0, slots: slots)
  }
}
