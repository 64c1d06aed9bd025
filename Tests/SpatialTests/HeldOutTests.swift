import AudioCore
import Glibc
import TestSupport
import Testing

@testable import Spatial

/// Measured directions are taken out of a dense set and interpolated from the rest.
@Suite struct HeldOutTests {
  /// The dense set, where it is here.
  static let found = SharedMedia.hrtf

  private struct Errors {
    var itd: [Double] = []
    var ild: [Double] = []
    var spectrum: [Double] = []
    var treble: [Double] = []
  }

  @Test(.enabled(if: found != nil, "the SADIE test set is not beside the package"))
  func interpolationMatchesHeldOutMeasurements() throws {
    let file = try SOFAFile(path: #require(HeldOutTests.found))
    let all = try file.measurements()
    let whole = try HRTFSet(id: "whole", citation: "", measurements: all)
    let held = heldOut(whole.grid)
    let rest = try HRTFSet(
      id: "rest", citation: "",
      measurements: subset(all, without: Set(held.flatMap { $0.members.map(\.measurement) })))
    #expect(held.count > 60)
    #expect(rest.grid.points.count <= whole.grid.points.count - held.count)
    let truth = HRIRDesigner(whole, rate: 48000)
    let guess = HRIRDesigner(rest, rate: 48000)
    var errors = Errors()
    for point in held {
      let direction = HeldOutTests.direction(point.position)
      compare(guess.pair(for: direction), truth.pair(for: direction), into: &errors)
    }
    check(errors)
  }

  /// The set is flat as it is, so a measured place sounds as measured but for one gain.
  @Test(.enabled(if: found != nil, "the SADIE test set is not beside the package"))
  func aMeasuredPlaceSoundsAsMeasured() throws {
    let raw = try SOFAFile(path: #require(HeldOutTests.found)).measurements()
    let set = try HRTFSet(id: "whole", citation: "", measurements: raw)
    #expect(!set.equalisers[0].extendsLowFrequencies)
    let pair = HRIRDesigner(set, rate: 48000).pair(for: Direction(azimuth: 30))
    let places = [30.0, -30].compactMap { azimuth in
      raw.directions.firstIndex { $0 == Direction(azimuth: azimuth) }
    }
    try #require(places.count == 2)
    func taps(_ place: Int, _ ear: Int) -> [Double] {
      let start = raw.offset(place, ear: ear)
      return raw.responses[start..<start + raw.taps].map(Double.init)
    }
    var gains: [Double] = []
    for step in 0...20 {
      let frequency = 400 * pow(2, Double(step) / 4)
      for (made, ear) in [(pair.left, 0), (pair.right, 1)] {
        let one = Render.power(taps(places[0], ear), at: frequency, rate: 48000)
        let other = Render.power(taps(places[1], 1 - ear), at: frequency, rate: 48000)
        let power = Render.power(made, at: frequency, rate: 48000)
        gains.append(10 * log10(power / (one * other).squareRoot()))
      }
    }
    let mean = gains.reduce(0, +) / Double(gains.count)
    let worst = gains.map { ($0 - mean).magnitude }.max() ?? 0
    #expect(worst < 0.25, "\(worst) dB off")
  }

  /// Every tenth place of the left half, measured on both sides.
  private func heldOut(_ grid: DirectionGrid) -> [GridPoint] {
    let left = grid.points.filter { $0.position.y > 0.02 && $0.members.count > 1 }
    return left.indices.filter { $0 % 10 == 5 }.map { left[$0] }
  }

  private func subset(_ set: HRTFMeasurements, without gone: Set<Int>) -> HRTFMeasurements {
    let kept = set.directions.indices.filter { !gone.contains($0) }
    return HRTFMeasurements(
      sampleRate: set.sampleRate, taps: set.taps, directions: kept.map { set.directions[$0] },
      responses: kept.flatMap {
        set.responses[set.offset($0, ear: 0)..<set.offset($0, ear: 0) + 2 * set.taps]
      },
      delays: kept.flatMap { set.delays[2 * $0...2 * $0 + 1] })
  }

  private static func direction(_ place: SIMD3<Double>) -> Direction {
    Direction(azimuth: atan2(place.y, place.x) * 180 / .pi, elevation: asin(place.z) * 180 / .pi)
  }

  private func compare(
    _ guess: HRIRDesigner.Pair, _ truth: HRIRDesigner.Pair, into errors: inout Errors
  ) {
    errors.itd.append((interauralDelay(guess) - interauralDelay(truth)).magnitude)
    for step in 0...36 {
      let center = 250 * pow(2, Double(step) / 6)
      let leftGap = band(guess.left, center) - band(truth.left, center)
      let rightGap = band(guess.right, center) - band(truth.right, center)
      errors.ild.append((leftGap - rightGap).magnitude)
      errors.spectrum.append(leftGap.magnitude)
      errors.spectrum.append(rightGap.magnitude)
    }
    for step in 0..<20 {
      let frequency = 11500 + 120 * Double(step)
      for (one, other) in [(guess.left, truth.left), (guess.right, truth.right)] {
        let gain =
          Render.power(one, at: frequency, rate: 48000)
          / Render.power(other, at: frequency, rate: 48000)
        errors.treble.append(10 * log10(gain))
      }
    }
  }

  /// Interaural delay in microseconds: peak of the interaural cross-correlation below 3 kHz
  /// (Katz & Noisternig, JASA 135, 2014).
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

  /// Level in dB of a third of an octave around `center` Hz.
  private func band(_ taps: [Double], _ center: Double) -> Double {
    var sum = 0.0
    for step in -4...4 {
      sum += Render.power(taps, at: center * pow(2, Double(step) / 24), rate: 48000)
    }
    return 10 * log10(sum / 9)
  }

  private func check(_ errors: Errors) {
    func rank(_ values: [Double], _ part: Double) -> Double {
      values.sorted()[min(values.count - 1, Int(part * Double(values.count)))]
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    let itd = (rank(errors.itd, 0.5), rank(errors.itd, 0.95))
    let ild = (mean(errors.ild), rank(errors.ild, 0.95))
    let spectrum = (mean(errors.spectrum), rank(errors.spectrum, 0.95))
    let treble = mean(errors.treble)
    print("held out: ITD \(itd) us, ILD \(ild) dB, spectrum \(spectrum) dB, 12.7 kHz \(treble) dB")
    for (metric, figure) in [
      ("ITD, median", itd.0), ("ITD, 95 %", itd.1), ("ILD, mean", ild.0), ("ILD, 95 %", ild.1),
      ("spectrum, mean", spectrum.0), ("spectrum, 95 %", spectrum.1), ("bias at 12.7 kHz", treble),
    ] { QualityRecord.add("held-out " + metric, TestedSet.sadie.rawValue, figure) }
    #expect(itd.0 <= 5 && itd.1 <= 15, "ITD \(itd) us")
    #expect(ild.0 <= 0.7 && ild.1 <= 3, "ILD \(ild) dB")
    #expect(spectrum.0 <= 0.35 && spectrum.1 <= 1.5, "spectrum \(spectrum) dB")
    #expect(treble.magnitude <= 0.3, "12.7 kHz \(treble) dB")
  }
}
