// SPDX-License-Identifier: Apache-2.0
import CKernels
import Platform

/// The shared parts of analysis and synthesis of all channels: the prototype filter and the twiddles of the transforms
/// (TS 103 190-1, 5.7.3, 5.7.4 and Annex D.3).
///
/// Either direction comes down to a 64-point complex FFT for each slot, with twiddles before and after it.
package final class FilterBank {
  /// Slots per frame.
  package let slots: Int
  /// Slots by which rows of a frame must be longer: transforms work on a multiple of 4.
  var spare: Int { (4 - slots % 4) % 4 }
  /// The prototype, 640 taps.
  let prototype: Buffer<Float>
  /// Twiddles of the analysis.
  let analysis: QMFTurns
  /// Twiddles of the synthesis.
  let synthesis: QMFTurns
  /// The subbands of the frame that a synthesis works on.
  let bands: Buffer<sg_band>

  /// A bank for frames of `slots` slots.
  package init(slots: Int) {
    self.slots = slots
    prototype = Buffer(QMF.prototype.map(Float.init), or: 0)
    analysis = QMFTurns(places: { Double($0) / 128 }, bands: { -(Double($0) + 0.5) / 128 })
    synthesis = QMFTurns(
      scale: 1.0 / 64, places: { Double($0) / 128 }, bands: { -255 * (Double($0) + 0.5) / 128 })
    bands = Buffer(sg_band(real: nil, imaginary: nil), count: QMF.bands)
  }
}

/// Constants of the 64-band complex filter bank (TS 103 190-1, 5.7.3 and 5.7.4).
package enum QMF {
  /// Subbands, and samples per slot.
  package static let bands = 64
  /// Samples by which analysis and synthesis together delay a signal.
  package static let delay = 577

  /// The prototype filter, 640 taps (TS 103 190-1, Annex D.3).
  package static var prototype: [Double] { QMFWindow.prototype }
}

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

/// The twiddles of the filter bank's transform in one direction.
final class QMFTurns {
  private typealias Parts = (cosines: Buffer<Float>, sines: Buffer<Float>)

  private let fft: Parts
  private let places: Parts
  private let bands: Parts

  /// Twiddles of π · `places`(n) for place n of a slot and of π · `bands`(n) for subband n, the latter times `scale`.
  init(scale: Double = 1, places: (Int) -> Double, bands: (Int) -> Double) {
    var passes: [(Double, Double)] = []
    for length in [QMF.bands, QMF.bands / 4, QMF.bands / 16] {
      passes += SingleFFT.twiddles(length, 4, byPower: false)
    }
    fft = (
      Buffer(passes.map { Float($0.0) }, or: 1), Buffer(passes.map { Float($0.1) }, or: 0)
    )
    self.places = QMFTurns.phases(1, places)
    self.bands = QMFTurns.phases(scale, bands)
  }

  /// All of them.
  var all: sg_turns {
    sg_turns(
      fft_cosines: fft.cosines.base, fft_sines: fft.sines.base, place_cosines: places.cosines.base,
      place_sines: places.sines.base, band_cosines: bands.cosines.base,
      band_sines: bands.sines.base)
  }

  /// Cosines and sines of π · `turns`(row) for all 64 rows, times `scale`.
  private static func phases(_ scale: Double, _ turns: (Int) -> Double) -> Parts {
    let angles = (0..<QMF.bands).map(turns)
    return (
      Buffer(angles.map { Float(cos(.pi * $0) * scale) }, or: 0),
      Buffer(angles.map { Float(sin(.pi * $0) * scale) }, or: 0)
    )
  }
}

/// Rows of values along time, one row for each subband or each place in a slot. The last values of earlier
/// frames stand before the current frame's slots.
public final class SlotRows {
  /// Values from one row to the next.
  public let stride: Int
  /// Values of earlier frames in each row.
  public let history: Int
  /// Slots per frame.
  public let slots: Int
  /// Number of rows.
  public let rows: Int
  @usableFromInline let values: Buffer<Float>

  /// `rows` rows of `history` + `slots` values, with room for `spare` more behind them.
  public init(rows: Int, history: Int, slots: Int, spare: Int = 0) {
    self.rows = rows
    self.history = history
    self.slots = slots
    stride = (history + slots + spare + 7) & ~3
    values = Buffer(0, count: rows * stride)
  }

  /// Slot 0 of row `row`; the history lies before it.
  @inlinable @inline(__always)
  public func row(_ row: Int) -> UnsafeMutablePointer<Float> {
    values.base + row * stride + history
  }

  /// All rows from slot 0 on.
  var all: sg_rows { from(0) }

  /// All rows from `slot` on.
  func from(_ slot: Int) -> sg_rows { sg_rows(base: row(0) + slot, stride: stride) }

  /// Makes the last slots of the frame, and `beyond` slots that lie behind it, the history and the first slots of the
  /// next one.
  public func advance(beyond: Int = 0) {
    sg_advance_rows(from(beyond), rows, slots, history + beyond)
  }

  /// Adds the slots of `range` of `source`, times a factor of each row: that of the n-th of these slots, from 1 on, is
  /// the row's value and n times its step; without `steps` it is the value. Both have 64 rows.
  package func add(
    _ source: SlotRows, _ values: UnsafePointer<Float>, _ steps: UnsafePointer<Float>?,
    slots range: Range<Int>
  ) {
    sg_add_rows(source.all, values, steps, range.lowerBound, range.upperBound, all)
  }

  /// Moves all values `count` slots to the past; those that leave the history are lost, and the last `count`
  /// slots keep what they hold.
  package func moveBack(by count: Int) {
    for row in 0..<rows {
      let base = values.base + row * stride
      base.update(from: base + count, count: history + slots - count)
    }
  }

  /// Writes the energies of rows `range` in `count` slots from `slot` on, the sums of the squared magnitudes
  /// in order of time, to `energies` from place `range.lowerBound` on. These rows are the real parts.
  package func energies(
    _ imaginary: SlotRows, rows range: Range<Int>, from slot: Int, count: Int,
    into energies: UnsafeMutablePointer<Float>
  ) {
    sg_energies(
      from(slot), imaginary.from(slot), range.lowerBound, range.upperBound, count, energies)
  }

  /// Sets everything to 0.
  public func clear() { values.fill(0) }
}
