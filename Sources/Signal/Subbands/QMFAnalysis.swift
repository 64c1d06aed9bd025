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

  /// An analysis that begins with silence.
  package init(_ bank: FilterBank) {
    self.bank = bank
    input = SlotRows(rows: QMF.bands, history: 9, slots: bank.slots, spare: bank.spare)
  }

  /// Analyses 64 samples for each slot of a frame.
  /// - Parameters:
  ///   - samples: the frame's samples in order of time.
  ///   - real: receives the real parts at row `band`, from `offset` on.
  ///   - imaginary: receives the imaginary parts.
  package func process(
    _ samples: UnsafePointer<Float>, real: SlotRows, imaginary: SlotRows, offset: Int
  ) {
    input.advance()
    sg_gather_slots(samples, bank.slots, input.all)
    var turns = bank.analysis.all
    sg_analyse(
      input.all, bank.slots, bank.prototype.base, &turns, real.from(offset), imaginary.from(offset))
  }

  /// Forgets earlier samples.
  package func reset() { input.clear() }
}
