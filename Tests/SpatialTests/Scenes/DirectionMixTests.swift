import AudioCore
import LibAV
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial

/// Filters mixed from aligned spectra against the designer's exact ones.
@Suite struct DirectionMixTests {
  @Test(arguments: TestedSet.here)
  func mixedFiltersAreTheDesigners(tested: TestedSet) throws {
    let hrtf = try tested.load()
    let designer = HRIRDesigner(hrtf, rate: 48000, mended: true)
    let filters = ObjectFilters(designer, hrtf, bins: 512)
    let mixed = filters.makeFilter()
    for elevation in [0.0, 7, 30.3, -20.7, 60] {
      var errors = [Double](repeating: 0, count: 3)
      var powers = errors
      for step in 0..<60 {
        let direction = Direction(azimuth: Double(step) * 5.93 - 176.1, elevation: elevation)
        let place = UnitVector.of(direction)
        filters.mix(at: place, into: mixed)
        let exact = filters.exactFilter(at: place)
        for plane in 0..<4 {
          for bin in 1..<512 {
            let frequency = Double(bin) * 48000 / 1024
            guard let band = [200.0, 2000, 8000, 16000].lastIndex(where: { frequency >= $0 }),
              band < 3
            else { continue }
            let a = Double(mixed.base[plane * filters.stride + bin])
            let b = Double(exact.base[plane * filters.stride + bin])
            errors[band] += (a - b) * (a - b)
            powers[band] += b * b
          }
        }
      }
      let gaps = zip(errors, powers).map { 10 * log10($0 / $1) }
      print("mixed filters:", tested, elevation, gaps)
    }
  }
}
