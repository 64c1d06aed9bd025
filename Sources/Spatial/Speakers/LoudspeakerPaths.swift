import AudioCore
import Platform
import Signal

/// What the sound of two loudspeakers goes through on its way to the ears of a head, which may sit
/// beside the middle.
struct LoudspeakerPaths {
  /// Metres from each loudspeaker to the middle.
  private static let distance = 1.0

  let designer: HRIRDesigner
  /// Angle in degrees between the loudspeakers as seen from the middle.
  let span: Double
  let rate: Int
  let fft: DoubleFFT

  /// From loudspeakers (columns) to ears (rows) for each bin, the frontal onset at time 0; the head
  /// looks ahead and is `aside` metres left of the middle.
  ///
  /// Beside the middle, each loudspeaker has the delay, the level and the direction of its way to the
  /// middle of the head.
  func matrices(aside: Double = 0) -> [ComplexMatrix] {
    let columns = [1.0, -1].map { side in
      aside == 0 ? spectra(azimuth: side * span / 2) : spectra(side: side, aside: aside)
    }
    return columns[0][0].re.indices.map { bin in
      func entry(_ speaker: Int, _ ear: Int) -> Complex {
        Complex(columns[speaker][ear].re[bin], columns[speaker][ear].im[bin])
      }
      return ComplexMatrix(ll: entry(0, 0), lr: entry(1, 0), rl: entry(0, 1), rr: entry(1, 1))
    }
  }

  /// Left and right ear for the loudspeaker on the left (`side` 1) or right (−1).
  private func spectra(side: Double, aside: Double) -> [Spectrum] {
    let angle = span / 2 * .pi / 180
    let ahead = LoudspeakerPaths.distance * cos(angle)
    let left = LoudspeakerPaths.distance * side * sin(angle) - aside
    let way = (ahead * ahead + left * left).squareRoot()
    let late = (way - LoudspeakerPaths.distance) / Reflection.speed * Double(rate)
    return spectra(
      azimuth: atan2(left, ahead) * 180 / .pi, late: late, gain: LoudspeakerPaths.distance / way)
  }

  /// Left and right ear for sound from `azimuth` degrees, `late` samples late.
  private func spectra(azimuth: Double, late: Double = 0, gain: Double = 1) -> [Spectrum] {
    let pair = designer.pair(for: Direction(azimuth: azimuth))
    return [pair.left, pair.right].map { taps -> Spectrum in
      var spectrum = Spectrum(gain == 1 ? taps : taps.map { $0 * gain }, fft)
      spectrum.shift(by: late - Double(designer.lead))
      return spectrum
    }
  }
}
