/// One channel's subbands: the analysed ones with their history, and the generated ones.
///
/// Slots count from the first one that leaves the decoder with this frame; analysed slots exist from
/// −4 up to the look-ahead's end, generated ones up to an interval's tail.
final class SubbandSignal {
  /// Slots before the frame that prediction looks back on.
  static let memory = 4
  /// Generated slots that an interval may have beyond the frame.
  static let tail = 6

  /// Real parts of the analysed subbands.
  let real: SlotRows
  /// Imaginary parts of the analysed subbands.
  let imaginary: SlotRows
  /// Real parts of the generated subbands.
  let generatedReal: SlotRows
  /// Imaginary parts of the generated subbands.
  let generatedImaginary: SlotRows
  /// Slots of the frame before whose generated part isn't replaced yet.
  private let timing: FrameTiming

  /// Silence.
  init(_ timing: FrameTiming) {
    self.timing = timing
    let memory = SubbandSignal.memory
    let spare = timing.lookAhead + 8
    real = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    imaginary = SlotRows(rows: QMF.bands, history: memory, slots: timing.slots, spare: spare)
    generatedReal = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
    generatedImaginary = SlotRows(rows: QMF.bands, history: 0, slots: timing.slots, spare: spare)
  }

  /// Where the slots that are analysed next belong.
  var writeOffset: Int { timing.lookAhead }

  /// Moves on by one frame: the look-ahead becomes the frame's start, tails likewise.
  func advance() {
    let kept = SubbandSignal.memory + timing.lookAhead
    for rows in [real, imaginary] {
      for band in 0..<QMF.bands {
        let start = rows.row(band) - SubbandSignal.memory
        start.update(from: start + timing.slots, count: kept)
      }
    }
    for rows in [generatedReal, generatedImaginary] {
      for band in 0..<QMF.bands {
        let start = rows.row(band)
        let count = SubbandSignal.tail
        for slot in 0..<count { start[slot] = start[timing.slots + slot] }
        (start + count).update(repeating: 0, count: timing.slots)
      }
    }
  }

  /// Forgets everything.
  func reset() {
    for rows in [real, imaginary, generatedReal, generatedImaginary] { rows.clear() }
  }
}
