// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AC4

@Suite struct NoiseFillTests {
  /// A long track whose first ten bands have lines of energy `energy`; the others get `step`.
  private func fill(_ step: Int8, energy: Float, counter: Int) -> [Float] {
    let sizes = TransformSizes(frameLength: 2048)
    let track = SpectralTrack(sizes)
    track.layout = WindowLayout(silent: sizes)
    track.layout.bands = SIMD2(repeating: 40)
    track.hasNoiseFill = true
    for band in 0..<40 {
      track.isCoded.base[band] = band < 10
      track.noiseLevels.base[band] = band == 10 ? step : band > 30 ? SpectralTrack.noNoise : 0
    }
    var lines = [Float](repeating: 0, count: 2048)
    let borders = sizes.borders(4)
    for line in 0..<borders[10] { lines[line] = energy.squareRoot() * (line & 1 == 0 ? 1 : -1) }
    var noise = FillNoiseGenerator(sequenceCounter: counter)
    NoiseFill.apply(track, sizes, &lines, &noise)
    return lines
  }

  @Test("noise fill has the level sent", arguments: [Int8(-3), 0, 4]) func hasTheSentLevel(
    step: Int8
  ) {
    let borders = TransformSizes.borders(length: 2048)
    let lines = fill(step, energy: 10_000, counter: 7)
    let filled = lines[borders[10]..<borders[31]]
    let power = filled.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(filled.count)
    let wanted = 10_000 * pow(2, Double(step))
    #expect(abs(10 * log10(power / wanted)) < 1)
    #expect(lines[borders[31]...].allSatisfy { $0 == 0 })
    #expect(lines[0] == 100 && lines[1] == -100)
  }

  @Test("noise fill depends on the frame counter alone") func dependsOnTheCounterAlone() {
    #expect(fill(0, energy: 1, counter: 300) == fill(0, energy: 1, counter: 300))
    #expect(fill(0, energy: 1, counter: 300) == fill(0, energy: 1, counter: 300 & 255))
    #expect(fill(0, energy: 1, counter: 300) != fill(0, energy: 1, counter: 301))
  }
}
