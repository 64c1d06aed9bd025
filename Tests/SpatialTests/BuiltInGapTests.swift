import AudioCore
import Glibc
import Testing

@testable import Spatial

/// The built-in set between its measured places: a quarter of them, spread over all rings, is taken
/// out and interpolated from the rest, over twice the distance that renderings have to bridge.
@Suite struct BuiltInGapTests {
  @Test func interpolationMatchesHeldOutMeasurements() throws {
    let all = try KEMARMeasurements.decode()
    let held = all.directions.indices.filter { index in
      let place = all.directions[index]
      let ring = all.directions.filter { $0.elevation == place.elevation }.map(\.azimuth).sorted()
      return (-35...70).contains(place.elevation) && (2...178).contains(place.azimuth.magnitude)
        && ring.firstIndex(of: place.azimuth).map { $0 % 4 == 1 } ?? false
    }
    #expect(held.count > 70)
    let whole = try HRTFSet(id: "whole", citation: "", measurements: all, hemisphere: true)
    let rest = try HRTFSet(
      id: "rest", citation: "", measurements: without(held, all), hemisphere: true)
    let truth = HRIRDesigner(whole, rate: 48000)
    let guess = HRIRDesigner(rest, rate: 48000)
    var delays: [Double] = []
    var waves: [Double] = []
    for index in held {
      let wanted = truth.pair(for: all.directions[index])
      let made = guess.pair(for: all.directions[index])
      delays.append((interauralDelay(made) - interauralDelay(wanted)).magnitude)
      let energies = (Render.energy(wanted.left), Render.energy(wanted.right))
      waves.append(
        energies.0 > energies.1
          ? Render.difference(made.left, wanted.left) : Render.difference(made.right, wanted.right))
    }
    delays.sort()
    waves.sort()
    let itd = (delays[delays.count / 2], delays[delays.count * 95 / 100])
    let wave = (waves[waves.count / 2], waves[waves.count * 95 / 100])
    print("built-in set, held out: ITD \(itd) us, nearer ear's waveform \(wave) dB")
    #expect(itd.0 <= 5 && itd.1 <= 15, "ITD \(itd) us")
    #expect(wave.0 <= -20 && wave.1 <= -10, "waveform \(wave) dB")
  }

  /// A moving source must not jump: the onset at an ear changes by less than 9 µs per degree, twice
  /// what a head can do.
  @Test func onsetsAtTheNearerEarMoveEvenly() throws {
    let synthesiser = ResponseSynthesiser(try HRTFSet.builtIn())
    for elevation in [-20.0, 0, 20, 30, 45] {
      let onsets = stride(from: 0.0, through: 180, by: 5).map {
        synthesiser.pair(for: Direction(azimuth: $0, elevation: elevation)).left.delay
      }
      let steps = zip(onsets, onsets.dropFirst()).map { ($1 - $0).magnitude / 44100 * 1e6 }
      #expect((steps.max() ?? 0) < 45, "elevation \(elevation): \(steps.max() ?? 0) us")
    }
  }

  private func without(_ gone: [Int], _ set: HRTFMeasurements) -> HRTFMeasurements {
    let dropped = Set(gone)
    let kept = set.directions.indices.filter { !dropped.contains($0) }
    return HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: kept.map { set.directions[$0] },
      responses: kept.flatMap {
        set.responses[set.offset($0, ear: 0)..<set.offset($0, ear: 0) + 2 * set.taps]
      },
      delays: kept.flatMap { set.delays[2 * $0...2 * $0 + 1] })
  }

  /// Peak of the interaural cross-correlation below 3 kHz, µs.
  private func interauralDelay(_ pair: HRIRDesigner.Pair) -> Double {
    let fft = DoubleFFT(length: 1024)
    let ears = [pair.left, pair.right].map { taps -> Spectrum in
      var spectrum = Render.spectrum(taps, fft)
      for bin in spectrum.re.indices {
        let gain = (1 + pow(Double(bin) * 48000 / 1024 / 3000, 8)).squareRoot()
        spectrum.re[bin] /= gain
        spectrum.im[bin] /= gain
      }
      return spectrum
    }
    return CorrelationPeak.lag(of: ears[1], behind: ears[0], fft) / 48000 * 1e6
  }
}
