import AudioCore
import LibAV
import Platform

/// Reverberation that neither decays nor has a colour, as a head hears it: single pulses at random times, each from a
/// random direction through the responses of that direction (velvet noise; H. Järveläinen, M. Karjalainen:
/// "Reverberation Modeling Using Velvet Noise", AES 30th Conference, 2007).
///
/// So the ears' levels, and how alike they are at each frequency, are those of the head in a diffuse field.
final class LateNoise {
  /// Pulses per second: 1,500 sound smooth, more make the levels of narrow bands even.
  static let pulses = 6000.0
  /// Taps of the responses before their frontal onset.
  let lead: Int

  private let rate: Int
  private let pairs: [HRIRDesigner.Pair]

  /// Directions from which pulses come.
  private static let directions = UnitVector.lattice(64)

  /// Noise at `rate` Hz for the head of `designer`.
  init(_ designer: HRIRDesigner, rate: Int) {
    lead = designer.lead
    self.rate = rate
    pairs = LateNoise.directions.map { designer.pair(at: $0) }
  }

  /// `count` samples for both ears, the same for the same `seed`. Samples in the first and the last 7 ms are
  /// incomplete.
  func samples(_ count: Int, seed: UInt32) -> HRIRDesigner.Pair {
    var generator = MersenneTwister(seed: seed)
    let taps = pairs.first?.left.count ?? 0
    var left = [Double](repeating: 0, count: count)
    var right = left
    let spacing = Double(rate) / LateNoise.pulses
    var order = Array(pairs.indices)
    for pulse in 0..<Int(Double(count - taps) / spacing) {
      let part = Double(generator.next()) / 4_294_967_296
      let start = Int((Double(pulse) + part) * spacing)
      let bits = generator.next()
      let sign = bits & 1 == 0 ? 1.0 : -1.0
      // All directions take their turns, in an order that changes each time.
      let place = pulse % order.count
      order.swapAt(place, place + Int(bits >> 1) % (order.count - place))
      let pair = pairs[order[place]]
      LateNoise.add(pair.left, sign, to: &left, at: start)
      LateNoise.add(pair.right, sign, to: &right, at: start)
    }
    return HRIRDesigner.Pair(left: left, right: right)
  }

  /// Power of both ears' responses together, mean over all directions, in bins 0…n/2 of transforms of `length` points.
  func powers(_ spectra: (HRIRDesigner.Pair) -> [Double]) -> [Double] {
    var sums: [Double] = []
    for pair in pairs {
      let powers = spectra(pair)
      if sums.isEmpty { sums = [Double](repeating: 0, count: powers.count) }
      for bin in powers.indices { sums[bin] += powers[bin] / Double(pairs.count) }
    }
    return sums
  }

  private static func add(
    _ taps: [Double], _ sign: Double, to signal: inout [Double], at start: Int
  ) {
    signal.withUnsafeMutableBufferPointer { signal in
      for index in taps.indices { signal[start + index] += sign * taps[index] }
    }
  }
}
