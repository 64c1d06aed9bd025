import CSignal

/// What analysis and synthesis of all channels share: the prototype filter and the twiddles of the transforms
/// (TS 103 190-1, 5.7.3, 5.7.4 and Annex D.3).
///
/// Either direction comes down to a 64-point complex FFT for each slot, with twiddles before and after it.
package final class FilterBank {
  /// Slots per frame.
  package let slots: Int
  /// Slots by which rows of a frame must be longer: transforms work on a multiple of 4.
  var spare: Int { (4 - slots % 4) % 4 }
  /// The prototype, 640 taps.
  let prototype: FixedBuffer<Float>
  /// Twiddles of the analysis.
  let analysis: QMFTurns
  /// Twiddles of the synthesis.
  let synthesis: QMFTurns
  /// The subbands of the frame that a synthesis works on.
  let bands: FixedBuffer<sg_band>

  /// A bank for frames of `slots` slots.
  package init(slots: Int) {
    self.slots = slots
    prototype = FixedBuffer(QMF.prototype.map(Float.init), or: 0)
    analysis = QMFTurns(places: { Double($0) / 128 }, bands: { -(Double($0) + 0.5) / 128 })
    synthesis = QMFTurns(
      scale: 1.0 / 64, places: { Double($0) / 128 }, bands: { -255 * (Double($0) + 0.5) / 128 })
    bands = FixedBuffer(sg_band(real: nil, imaginary: nil), count: QMF.bands)
  }
}
