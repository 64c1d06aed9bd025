/// One reflection of a loudspeaker, compared with its direct sound.
struct Reflection: Sendable {
  /// Speed of sound at 20 °C, m/s.
  static let speed = 343.0

  /// Where it comes from: a point of the unit sphere about the listener.
  let place: SIMD3<Double>
  /// How much longer its way is than that of the direct sound, in metres.
  let extraWay: Double
  /// Amplitude relative to the direct sound; it falls as 1/r with the length r of the way.
  let gain: Double
  /// The surfaces it met, in no order.
  let surfaces: [Surface]

  /// Samples by which it lags the direct sound; not whole.
  func delay(rate: Int) -> Double { extraWay / Reflection.speed * Double(rate) }

  /// `taps` after the longer way and all surfaces, `ring` taps longer: where a first-order filter's
  /// response has fallen by more than 120 dB.
  func filtered(_ taps: [Double], rate: Int) -> [Double] {
    var signal = taps.map { $0 * gain }
    signal += [Double](repeating: 0, count: Reflection.ring(rate: rate))
    for surface in surfaces { Reflection.shelve(&signal, surface, rate: rate) }
    return signal
  }

  /// Taps that the surfaces' filters add: 4 ms.
  static func ring(rate: Int) -> Int { rate / 250 }

  private static func shelve(_ signal: inout [Double], _ surface: Surface, rate: Int) {
    let shelf = surface.shelf(rate: rate)
    let (low, high, pole) = (shelf.low, shelf.high, shelf.pole)
    var state = 0.0
    for index in signal.indices {
      state = (1 - pole) * signal[index] + pole * state
      signal[index] = high * signal[index] + (low - high) * state
    }
  }
}
