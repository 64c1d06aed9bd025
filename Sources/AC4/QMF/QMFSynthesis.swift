/// The 64-band synthesis filter bank of one channel (TS 103 190-1, 5.7.4):
/// v[j] = Re Σ Q[sb] / 64 · exp(iπ/128 · (sb + ½) · (2j − 255)), windowed and summed over ten slots.
final class QMFSynthesis {
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
  init(_ bank: FilterBank) {
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
  func process(
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
    for place in 0..<QMF.bands { sum(place, samples + place, scale) }
  }

  /// Forgets earlier slots.
  func reset() {
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
    let cosine = bandCosines.base[band]
    let sine = bandSines.base[band]
    for slot in 0..<bank.slots {
      re[slot] = parts.0[slot] * cosine - parts.1[slot] * sine
      im[slot] = sign * (parts.0[slot] * sine + parts.1[slot] * cosine)
    }
  }

  /// Multiplies a row of the transform by its twiddle: the parts are v[j] and v[j + 64].
  private func turn(_ place: Int) {
    let re = bank.real.base + place * bank.lanes
    let im = bank.imaginary.base + place * bank.lanes
    let cosine = cosines.base[place]
    let sine = sines.base[place]
    let lows = low.row(place)
    let highs = high.row(place)
    for slot in 0..<bank.slots {
      lows[slot] = re[slot] * cosine - im[slot] * sine
      highs[slot] = -(re[slot] * sine + im[slot] * cosine)
    }
  }

  /// Windows and sums the samples at one place of all slots.
  private func sum(_ place: Int, _ samples: UnsafeMutablePointer<Float>, _ scale: Float) {
    typealias Vector = SIMD4<Float>
    let lows = UnsafeRawPointer(low.row(place))
    let highs = UnsafeRawPointer(high.row(place))
    let taps = bank.prototype.base + place
    var slot = 0
    while slot < bank.slots {
      var total = Vector.zero
      for tap in 0..<5 {
        let early = lows.loadUnaligned(fromByteOffset: 4 * (slot - 2 * tap), as: Vector.self)
        let late = highs.loadUnaligned(fromByteOffset: 4 * (slot - 2 * tap - 1), as: Vector.self)
        total += early * taps[128 * tap]
        total += late * taps[128 * tap + 64]
      }
      total *= scale
      for lane in 0..<min(4, bank.slots - slot) {
        samples[QMF.bands * (slot + lane)] = total[lane]
      }
      slot += 4
    }
  }
}
