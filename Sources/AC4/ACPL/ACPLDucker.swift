import Signal

/// Attenuates decorrelated sound where it would smear a transient (TS 103 190-1, 5.7.7.4.3).
///
/// The constants are the standard's.
final class ACPLDucker {
  /// Parameter bands, whatever the element has.
  private static let bands = 15
  /// Decay of the peak in a slot.
  private static let decay: Float = 0.765_928_338_364_65
  /// Weight of a new value in the smoothed ones.
  private static let smoothing: Float = 0.25
  /// The sound is ducked where the smoothed distance, times this, exceeds the smoothed energy.
  private static let excess: Float = 1.5
  /// Keeps the quotient finite.
  private static let floor: Float = 1e-9
  /// Values below this are set to 0 at the end of a frame, before they become denormal numbers, with which
  /// processors are slow.
  private static let silence: Float = 1e-20

  private let slots: Int
  /// Energies of each band slot by slot, which become the gains.
  private let energies: FixedBuffer<Float>
  private let bandOfSubband = FixedBuffer<UInt8>(ACPLTables.bands15, or: 0)
  /// Peak, smoothed energy, and smoothed distance of peak and energy of each band.
  private let memory = FixedBuffer<SIMD4<Float>>(.zero, count: bands)

  /// A ducker for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    energies = FixedBuffer(0, count: ACPLDucker.bands * slots)
  }

  /// Scales one frame of decorrelated subbands.
  func process(_ frame: SubbandFrame) {
    energies.fill(0)
    for subband in 0..<QMF.bands {
      let energy = energies.base + Int(bandOfSubband.base[subband]) * slots
      let real = frame.real.row(subband)
      let imaginary = frame.imaginary.row(subband)
      for slot in 0..<slots {
        energy[slot] += real[slot] * real[slot] + imaginary[slot] * imaginary[slot]
      }
    }
    var isIdle = true
    for band in 0..<ACPLDucker.bands where !setGains(band) { isIdle = false }
    guard !isIdle else { return }
    for subband in 0..<QMF.bands {
      let gain = energies.base + Int(bandOfSubband.base[subband]) * slots
      let real = frame.real.row(subband)
      let imaginary = frame.imaginary.row(subband)
      for slot in 0..<slots {
        real[slot] *= gain[slot]
        imaginary[slot] *= gain[slot]
      }
    }
  }

  /// Forgets everything.
  func reset() { memory.fill(.zero) }

  /// Turns the energies of a band into gains; answers whether all are 1.
  private func setGains(_ band: Int) -> Bool {
    let row = energies.base + band * slots
    var (peak, smooth, difference) = (
      memory.base[band][0], memory.base[band][1], memory.base[band][2]
    )
    var isIdle = true
    for slot in 0..<slots {
      let energy = row[slot]
      peak = max(ACPLDucker.decay * peak, energy)
      smooth += ACPLDucker.smoothing * (energy - smooth)
      difference += ACPLDucker.smoothing * (peak - energy - difference)
      let limit = ACPLDucker.excess * difference
      row[slot] = 1
      if limit > smooth {
        row[slot] = smooth / (ACPLDucker.excess * (difference + ACPLDucker.floor))
        isIdle = false
      }
    }
    if peak < ACPLDucker.silence { peak = 0 }
    if smooth < ACPLDucker.silence { smooth = 0 }
    if difference < ACPLDucker.silence { difference = 0 }
    memory.base[band] = SIMD4(peak, smooth, difference, 0)
    return isIdle
  }
}
