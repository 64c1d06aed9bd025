// SPDX-License-Identifier: Apache-2.0
import Signal

/// One all-pass decorrelator, which filters every subband along time (TS 103 190-1, 5.7.7.4.2).
///
/// Eight subbands with the same filter are processed at a time.
final class ACPLDecorrelator {
  /// Subbands with the same delay and order.
  private struct Group {
    var first: Int
    var count: Int
    var delay: Int
    var order: Int
    /// Index of the first of its `order` + 1 coefficients.
    var filter: Int
  }

  private typealias Vector = SIMD8<Float>
  /// Past inputs that a filter needs: in every region delay and order add up to 14.
  private static let inputs = 14
  /// Past outputs that a filter needs at most.
  private static let outputs = 7
  private static let past = inputs + outputs
  /// Outputs below this are set to 0 at the end of a frame. A filter's tail would otherwise decay into
  /// denormal numbers, with which processors are slow.
  private static let silence: Float = 1e-12

  private let groups: [Group]
  private let coefficients: Buffer<Float>
  /// For each group the past inputs and outputs of the real parts, then of the imaginary parts.
  private let history: Buffer<Vector>
  private let input: Buffer<Vector>
  private let output: Buffer<Vector>
  private let slots: Int

  /// Decorrelator `index`, 0 to 2, for frames of `slots` slots.
  init(_ index: Int, slots: Int) {
    self.slots = slots
    let filters = [ACPLTables.filters0, ACPLTables.filters1, ACPLTables.filters2]
    var groups: [Group] = []
    var coefficients: [Float] = []
    // The regions and orders that the standard tabulates.
    for (region, bands) in [0..<7, 7..<23, 23..<QMF.bands].enumerated() {
      let order = [7, 4, 2][region]
      let own = filters[region][index * (order + 1)..<(index + 1) * (order + 1)]
      for first in stride(from: bands.lowerBound, to: bands.upperBound, by: 8) {
        groups.append(
          Group(
            first: first, count: min(8, bands.upperBound - first),
            delay: ACPLDecorrelator.inputs - order, order: order, filter: coefficients.count))
      }
      coefficients += own
    }
    self.groups = groups
    self.coefficients = Buffer(coefficients, or: 0)
    history = Buffer(.zero, count: groups.count * 2 * ACPLDecorrelator.past)
    input = Buffer(.zero, count: ACPLDecorrelator.inputs + slots)
    output = Buffer(.zero, count: ACPLDecorrelator.outputs + slots)
  }

  /// Filters one frame of `source`, multiplied by `gain`, into `target`, which may be the same.
  func process(_ source: SubbandFrame, gain: Float, into target: SubbandFrame) {
    for (place, group) in groups.enumerated() {
      let past = history.base + place * 2 * ACPLDecorrelator.past
      filter(group, source.real, gain, target.real, past)
      filter(group, source.imaginary, gain, target.imaginary, past + ACPLDecorrelator.past)
    }
  }

  /// Forgets everything.
  func reset() { history.fill(.zero) }

  /// Filters the real or the imaginary parts of one group, and keeps the past that the next frame needs.
  private func filter(
    _ group: Group, _ source: SlotRows, _ gain: Float, _ target: SlotRows,
    _ past: UnsafeMutablePointer<Vector>
  ) {
    let inputs = ACPLDecorrelator.inputs
    let outputs = ACPLDecorrelator.outputs
    let input = input.base
    let output = output.base
    input.update(from: past, count: inputs)
    output.update(from: past + inputs, count: outputs)
    for slot in 0..<slots { input[inputs + slot] = .zero }
    for lane in 0..<group.count {
      let row = source.row(group.first + lane)
      for slot in 0..<slots { input[inputs + slot][lane] = gain * row[slot] }
    }
    run(group, input + inputs, output + outputs)
    for lane in 0..<group.count {
      let row = target.row(group.first + lane)
      for slot in 0..<slots { row[slot] = output[outputs + slot][lane] }
    }
    past.update(from: input + slots, count: inputs)
    for place in 0..<outputs {
      let value = output[slots + place]
      let size = value.replacing(with: -value, where: value .< 0)
      past[inputs + place] = value.replacing(with: 0, where: size .< ACPLDecorrelator.silence)
    }
  }

  /// y[n] = Σ a[order − i] · x[n − i − delay] − Σ a[i] · y[n − i]. Both pointers stand at slot 0 of the
  /// frame.
  private func run(
    _ group: Group, _ input: UnsafePointer<Vector>, _ output: UnsafeMutablePointer<Vector>
  ) {
    let filter = coefficients.base + group.filter
    let order = group.order
    for slot in 0..<slots {
      var sum = Vector.zero
      for tap in 0...order { sum += filter[order - tap] * input[slot - tap - group.delay] }
      for tap in 1...order { sum -= filter[tap] * output[slot - tap] }
      output[slot] = sum
    }
  }
}

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
  private let energies: Buffer<Float>
  private let bandOfSubband = Buffer<UInt8>(ACPLTables.bands15, or: 0)
  /// Peak, smoothed energy, and smoothed distance of peak and energy of each band.
  private let memory = Buffer<SIMD4<Float>>(.zero, count: bands)

  /// A ducker for frames of `slots` slots.
  init(slots: Int) {
    self.slots = slots
    energies = Buffer(0, count: ACPLDucker.bands * slots)
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
