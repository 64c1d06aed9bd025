/// The 64-band analysis filter bank of one channel (TS 103 190-1, 5.7.3):
/// Q[sb] = Σ u[j] · exp(iπ/128 · (sb + ½) · (2j − 1)), with u[j] the windowed samples folded to 128.
///
/// The even subbands, and the odd ones as conjugates from the top down, are the two halves of one 64-point
/// transform.
final class QMFAnalysis {
  private let bank: FilterBank
  /// Samples by their place in a slot. The prototype has 640 taps, so nine slots stand before the frame's.
  private let input: SlotRows
  /// Twiddles before the FFT.
  private let cosines: FixedBuffer<Float>
  private let sines: FixedBuffer<Float>
  /// Twiddles of the subbands behind it.
  private let bandCosines: FixedBuffer<Float>
  private let bandSines: FixedBuffer<Float>

  /// An analysis that begins with silence.
  init(_ bank: FilterBank) {
    self.bank = bank
    input = SlotRows(rows: QMF.bands, history: 9, slots: bank.slots, spare: bank.lanes - bank.slots)
    (cosines, sines) = FilterBank.phases { Double($0) / 128 }
    (bandCosines, bandSines) = FilterBank.phases { -(Double($0) + 0.5) / 128 }
  }

  /// Analyses 64 samples for each slot of a frame.
  /// - Parameters:
  ///   - samples: the frame's samples in order of time.
  ///   - real: receives the real parts at row `band`, from `offset` on.
  ///   - imaginary: receives the imaginary parts.
  func process(
    _ samples: UnsafePointer<Float>, real: SlotRows, imaginary: SlotRows, offset: Int
  ) {
    let slots = bank.slots
    input.advance()
    for place in 0..<QMF.bands {
      let row = input.row(place)
      var read = samples + place
      for slot in 0..<slots {
        row[slot] = read.pointee
        read += QMF.bands
      }
    }
    for place in 0..<QMF.bands { fold(place) }
    bank.transform()
    for place in 0..<QMF.bands / 2 {
      write(place, 2 * place, 1, real, imaginary, offset)
      write(QMF.bands - 1 - place, 2 * place + 1, -1, real, imaginary, offset)
    }
  }

  /// Forgets earlier samples.
  func reset() { input.clear() }

  /// Windows and sums the samples u[j] and u[j + 64] of all slots, and multiplies them as a complex number
  /// by their twiddle.
  private func fold(_ place: Int) {
    typealias Vector = SIMD4<Float>
    let row = UnsafeRawPointer(input.row(QMF.bands - 1 - place))
    let taps = bank.prototype.base + place
    let cosine = cosines.base[place]
    let sine = sines.base[place]
    let real = UnsafeMutableRawPointer(bank.real.base + place * bank.lanes)
    let imaginary = UnsafeMutableRawPointer(bank.imaginary.base + place * bank.lanes)
    for slot in stride(from: 0, to: bank.lanes, by: 4) {
      var low = Vector.zero
      var high = Vector.zero
      for tap in 0..<5 {
        let early = row.loadUnaligned(fromByteOffset: 4 * (slot - 2 * tap), as: Vector.self)
        let late = row.loadUnaligned(fromByteOffset: 4 * (slot - 2 * tap - 1), as: Vector.self)
        low += early * taps[128 * tap]
        high += late * taps[128 * tap + 64]
      }
      let (re, im) = (low * cosine - high * sine, low * sine + high * cosine)
      real.storeBytes(of: re, toByteOffset: 4 * slot, as: Vector.self)
      imaginary.storeBytes(of: im, toByteOffset: 4 * slot, as: Vector.self)
    }
  }

  /// Writes a subband from a row of the transform, which is conjugated first when `sign` is −1.
  private func write(
    _ row: Int, _ band: Int, _ sign: Float, _ real: SlotRows, _ imaginary: SlotRows, _ offset: Int
  ) {
    let re = bank.real.base + row * bank.lanes
    let im = bank.imaginary.base + row * bank.lanes
    let cosine = bandCosines.base[band]
    let sine = bandSines.base[band]
    let outReal = real.row(band) + offset
    let outImaginary = imaginary.row(band) + offset
    for slot in 0..<bank.slots {
      outReal[slot] = re[slot] * cosine - sign * im[slot] * sine
      outImaginary[slot] = re[slot] * sine + sign * im[slot] * cosine
    }
  }
}
