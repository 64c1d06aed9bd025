// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The built-in set between its measured places: a quarter of them, spread over all rings, is taken
/// out and interpolated from the rest, over twice the distance that renderings have to bridge.
@Suite struct BuiltInGapTests {
  @Test(
    "a held-out quarter of the built-in set is interpolated within 5 µs of ITD and −20 dB, median")
  func interpolationMatchesHeldOutMeasurements() throws {
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
      id: "rest", citation: "", measurements: all.without(Set(held)), hemisphere: true)
    let truth = HRIRDesigner(whole, rate: 48000)
    let guess = HRIRDesigner(rest, rate: 48000)
    var delays: [Double] = []
    var waves: [Double] = []
    for index in held {
      let wanted = truth.pair(for: all.directions[index])
      let made = guess.pair(for: all.directions[index])
      delays.append(
        (InterpolationErrors.interauralDelay(made)
          - InterpolationErrors.interauralDelay(wanted)).magnitude)
      let energies = (Render.energy(wanted.left), Render.energy(wanted.right))
      waves.append(
        energies.0 > energies.1
          ? Render.difference(made.left, wanted.left) : Render.difference(made.right, wanted.right))
    }
    delays.sort()
    waves.sort()
    let itd = (delays[delays.count / 2], delays[delays.count * 95 / 100])
    let wave = (waves[waves.count / 2], waves[waves.count * 95 / 100])
    #expect(itd.0 <= 5 && itd.1 <= 15, "ITD \(itd) us")
    #expect(wave.0 <= -20 && wave.1 <= -10, "waveform \(wave) dB")
  }

  /// The figures that the dense set has, by its rule: every tenth place is taken out, from the lowest
  /// ring to the highest, and interpolated from the rest. Here that is done ten times, so that each
  /// of the few places is out once. Places of one ring that are out together are ten steps apart, so
  /// the gap to bridge is that of one missing place: 10° near the horizon, where renderings bridge 5°.
  @Test(
    "each place of the built-in set, held out once, is interpolated within the limits",
    .tags(.slow), .fullRunOnly)
  func everyPlaceIsHeldOutOnce() throws {
    let all = try KEMARMeasurements.decode()
    let whole = try HRTFSet(id: "whole", citation: "", measurements: all, hemisphere: true)
    let left = whole.grid.points.filter { $0.position.y > 0.02 }
    let truth = HRIRDesigner(whole, rate: 48000)
    var errors = InterpolationErrors()
    for first in 0..<10 {
      let held = left.indices.filter { $0 % 10 == first }.map { left[$0] }
      let gone = Set(held.flatMap { $0.members.map(\.measurement) })
      let rest = try HRTFSet(
        id: "rest", citation: "", measurements: all.without(gone), hemisphere: true)
      #expect(rest.grid.points.count == whole.grid.points.count - 2 * held.count)
      let guess = HRIRDesigner(rest, rate: 48000)
      for point in held {
        errors.compare(guess.pair(at: point.position), truth.pair(at: point.position))
      }
    }
    #expect(errors.itd.count == left.count && left.count > 300)
    let beyond = errors.record("kemar", limits: [2, 11, 0.4, 1.8, 0.24, 0.9, 0.1])
    #expect(beyond.isEmpty, "\(beyond)")
  }

  /// A moving source must not jump: the onset at an ear changes by less than 9 µs per degree, twice
  /// what a head can do.
  @Test("the onset at the nearer ear moves by less than 45 µs over each 5° of azimuth")
  func onsetsAtTheNearerEarMoveEvenly() throws {
    let synthesiser = ResponseSynthesiser(try HRTFSet.builtIn())
    for elevation in [-20.0, 0, 20, 30, 45] {
      let onsets = stride(from: 0.0, through: 180, by: 5).map {
        synthesiser.pair(for: Direction(azimuth: $0, elevation: elevation)).left.delay
      }
      let steps = zip(onsets, onsets.dropFirst()).map { ($1 - $0).magnitude / 44100 * 1e6 }
      #expect((steps.max() ?? 0) < 45, "elevation \(elevation): \(steps.max() ?? 0) us")
    }
  }
}
