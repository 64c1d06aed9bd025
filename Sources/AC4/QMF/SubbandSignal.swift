import Signal

/// The subbands of one channel: those that analysis gives and those that A-SPX generates.
///
/// Slots count from the first that leaves the decoder with the current frame. Analysed slots exist from −4
/// up to the end of the look-ahead, generated ones from 0 up to the end of an interval's tail.
final class SubbandSignal {
  /// Slots before the frame that linear prediction needs.
  static let memory = 4
  /// Slots that an interval may have beyond the frame: `var_bord_right` is at most 3, in A-SPX slots of 2.
  static let tail = 6

  /// Real parts of the analysed subbands.
  let real: SlotRows
  /// Imaginary parts of the analysed subbands.
  let imaginary: SlotRows
  /// Real parts of the generated subbands.
  let generatedReal: SlotRows
  /// Imaginary parts of the generated subbands.
  let generatedImaginary: SlotRows
  private let timing: FrameTiming

  /// Silence.
  init(_ timing: FrameTiming) {
    self.timing = timing
    let memory = SubbandSignal.memory
    // Look-ahead or tail, and a full vector.
    let spare = timing.lookAhead + 8
    real = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    imaginary = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    generatedReal = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
    generatedImaginary = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
  }

  /// The slot that the next analysed ones begin at: the look-ahead delays the signal.
  var writeOffset: Int { timing.lookAhead }

  /// Moves on by one frame: the slots beyond the last frame become the first of the next.
  func advance() {
    real.advance(beyond: timing.lookAhead)
    imaginary.advance(beyond: timing.lookAhead)
    for rows in [generatedReal, generatedImaginary] {
      rows.advance(beyond: SubbandSignal.tail)
      for band in 0..<QMF.bands {
        (rows.row(band) + SubbandSignal.tail).update(repeating: 0, count: timing.slots)
      }
    }
  }

  /// Forgets everything.
  func reset() {
    for rows in [real, imaginary, generatedReal, generatedImaginary] { rows.clear() }
  }
}
