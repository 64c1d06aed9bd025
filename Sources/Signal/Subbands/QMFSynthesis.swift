import CSignal

/// The 64-band synthesis filter bank of one channel (TS 103 190-1, 5.7.4):
/// v[j] = Re Σ Q[sb] / 64 · exp(iπ/128 · (sb + ½) · (2j − 255)), windowed and summed over ten slots.
package final class QMFSynthesis {
  private let bank: FilterBank
  /// v[0…63] of each slot, with nine slots before the frame's.
  private let low: SlotRows
  /// v[64…127] of each slot.
  private let high: SlotRows
  /// Slots of silence since the last sound.
  private var silence = QMFSynthesis.memory

  /// Slots that a slot is heard in after its own.
  private static let memory = 9

  /// A synthesis that begins with silence.
  package init(_ bank: FilterBank) {
    self.bank = bank
    low = SlotRows(
      rows: QMF.bands, history: QMFSynthesis.memory, slots: bank.slots, spare: bank.spare)
    high = SlotRows(
      rows: QMF.bands, history: QMFSynthesis.memory, slots: bank.slots, spare: bank.spare)
  }

  /// Synthesises 64 samples for each slot of a frame.
  /// - Parameters:
  ///   - bands: real and imaginary parts of each band, from slot 0 of the frame on; `nil` is silence.
  ///   - samples: receives the frame's samples in order of time.
  package func process(
    into samples: UnsafeMutablePointer<Float>, scale: Float,
    _ bands: (Int) -> (UnsafePointer<Float>, UnsafePointer<Float>)?
  ) {
    silence = 0
    for band in 0..<QMF.bands {
      let parts = bands(band)
      bank.bands.base[band] = sg_band(real: parts?.0, imaginary: parts?.1)
    }
    run(into: samples, scale: scale)
  }

  /// Synthesises a frame in which all bands are silent; the same samples as from bands of zeros.
  package func processSilence(into samples: UnsafeMutablePointer<Float>, scale: Float) {
    guard silence < QMFSynthesis.memory else {
      samples.update(repeating: 0, count: bank.slots * QMF.bands)
      return
    }
    silence += bank.slots
    bank.bands.fill(sg_band(real: nil, imaginary: nil))
    run(into: samples, scale: scale)
  }

  /// Synthesises the frame in the bank's ``FilterBank/bands``.
  private func run(into samples: UnsafeMutablePointer<Float>, scale: Float) {
    low.advance()
    high.advance()
    var turns = bank.synthesis.all
    sg_synthesise(bank.bands.base, bank.slots, &turns, low.all, high.all)
    sg_sum_slots(low.all, high.all, bank.slots, bank.prototype.base, scale, samples)
  }

  /// Forgets earlier slots.
  package func reset() {
    silence = QMFSynthesis.memory
    low.clear()
    high.clear()
  }
}
