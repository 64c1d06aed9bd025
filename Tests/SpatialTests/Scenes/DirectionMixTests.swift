// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Filters mixed from aligned spectra, for voices that move.
@Suite struct DirectionMixTests {
  /// Limits in dB for 0.2…2, 2…8 and 8…16 kHz. Between rings that are far apart the designer's sum turns
  /// phases over more bins than a transform of the render rate has.
  @Test(
    "mixed filters are within −60, −45 and −31 dB of the designer's in three bands",
    arguments: TestedSet.here)
  func mixedFiltersAreTheDesigners(tested: TestedSet) throws {
    let hrtf = try tested.load()
    let designer = HRIRDesigner(hrtf, rate: 48000, mended: true)
    let filters = ObjectFilters(designer, hrtf, bins: 512)
    let mixed = filters.makeFilter()
    for elevation in [0.0, 7, 30.3, -20.7, 60] {
      var errors = [0.0, 0, 0]
      var powers = errors
      for step in 0..<60 {
        let direction = Direction(azimuth: Double(step) * 5.93 - 176.1, elevation: elevation)
        let place = UnitVector.of(direction)
        filters.mix(at: place, into: mixed)
        let exact = filters.exactFilter(at: place)
        for (band, range) in [4...43, 43...171, 171...341].enumerated() {
          for index in (0..<4).flatMap({ plane in range.map { plane * filters.stride + $0 } }) {
            let (a, b) = (Double(mixed.base[index]), Double(exact.base[index]))
            errors[band] += (a - b) * (a - b)
            powers[band] += b * b
          }
        }
      }
      let gaps = zip(errors, powers).map { 10 * log10($0 / $1) }
      for (gap, limit) in zip(gaps, [-60.0, -45, -31]) { #expect(gap <= limit) }
    }
  }

  @Test("mirrored places have exchanged filters to the last bit")
  func mirroredPlacesHaveMirroredFilters() throws {
    let hrtf = try HRTFSet.builtIn()
    let filters = ObjectFilters(HRIRDesigner(hrtf, rate: 48000), hrtf, bins: 512)
    let (one, other) = (filters.makeFilter(), filters.makeFilter())
    let half = 2 * filters.stride
    for azimuth in [0.0, 12.3, 90, 171, 180] {
      filters.mix(at: UnitVector.of(Direction(azimuth: azimuth, elevation: 11)), into: one)
      filters.mix(at: UnitVector.of(Direction(azimuth: -azimuth, elevation: 11)), into: other)
      #expect(
        (0..<half).allSatisfy {
          one.base[$0] == other.base[half + $0] && one.base[half + $0] == other.base[$0]
        })
    }
  }

  /// Every tenth place of the left half is taken out and mixed from the rest. Mixes are as near as
  /// what the designer makes.
  @Test(
    "mixes of held-out places are within the limits of ITD, ILD and spectrum", .tags(.slow),
    .fullRunOnly, arguments: TestedSet.here)
  func mixesMatchHeldOutMeasurements(tested: TestedSet) throws {
    let whole = try tested.load()
    let left = whole.grid.points.filter {
      $0.position.y > 0.02 && (whole.isHemisphere || $0.members.count > 1)
    }
    let held = left.indices.filter { $0 % 10 == 5 }.map { left[$0] }
    let rest = try HRTFSet(
      id: "rest", citation: "",
      measurements: whole.measurements.without(
        Set(held.flatMap { $0.members.map(\.measurement) })), hemisphere: whole.isHemisphere)
    let truth = HRIRDesigner(whole, rate: 48000)
    let guess = HRIRDesigner(rest, rate: 48000, mended: true)
    let filters = ObjectFilters(guess, rest, bins: 512)
    var errors = InterpolationErrors()
    for point in held {
      let wanted = truth.pair(at: point.position)
      errors.compare(taps(filters, point.position), wanted)
    }
    for (metric, figure) in errors.figures {
      QualityRecord.add("object, held-out \(metric)", tested.rawValue, figure)
    }
    for (figure, limit) in zip(errors.figures, [3, 11, 0.5, 2.2, 0.25, 1.2, 0.5]) {
      #expect(figure.figure.magnitude <= limit, "\(figure)")
    }
  }

  private func taps(_ filters: ObjectFilters, _ place: SIMD3<Double>) -> HRIRDesigner.Pair {
    let planes = filters.makeFilter()
    filters.mix(at: place, into: planes)
    let fft = DoubleFFT(length: 1024)
    let ears = (0..<2).map { ear -> [Double] in
      var spectrum = Spectrum(count: 513)
      for bin in 0..<512 {
        spectrum.re[bin] = 1024 * Double(planes.base[2 * ear * filters.stride + bin])
        spectrum.im[bin] = 1024 * Double(planes.base[(2 * ear + 1) * filters.stride + bin])
      }
      (spectrum.re[512], spectrum.im[0]) = (0, 0)
      return spectrum.signal(fft)
    }
    return HRIRDesigner.Pair(left: Array(ears[0][..<400]), right: Array(ears[1][..<400]))
  }
}
