// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

/// Levels of single objects through changes of their gain.
@Suite struct ObjectMetersTests {
  private let script = ObjectScript(frames: 60_000, edges: [4096, 48_000], seed: 11)

  /// Samples of the script, whose samples are replaced by noise.
  private func block(_ range: Range<Int>, _ noise: [[Float]]) -> ProgrammeBlock {
    let whole = ProgrammeBlock(script.programme)
    script.append(0..<script.frames, to: whole)
    for plane in noise.indices {
      let samples = whole.audio.channel(plane)
      for index in noise[plane].indices { samples[index] = noise[plane][index] }
    }
    let part = ProgrammeBlock(script.programme)
    part.append(whole, range: range)
    return part
  }

  private func measure(_ sizes: Int, _ noise: [[Float]]) throws -> [ObjectReport] {
    let meters = try #require(ObjectMeters(script.programme))
    var start = 0
    while start < script.frames {
      let end = min(script.frames, start + sizes)
      meters.add(block(start..<end, noise))
      start = end
    }
    var scene: [ObjectReport]? = (0..<3).map { _ in
      ObjectReport(name: nil, type: "object", tracks: [], start: 0, end: nil, changes: 0)
    }
    meters.finish(into: &scene)
    return try #require(scene)
  }

  /// The reference multiplies each sample by the gain that the script defines for it.
  @Test func gainsAreFollowedSampleBySample() throws {
    var seed = SeededNoise(seed: 3)
    let noise = (0..<4).map { _ in seed.samples(script.frames, peak: 0.3) }
    let found = try measure(script.frames, noise)
    var planes = [[Float]](repeating: [], count: 2)
    for sample in 0..<script.frames {
      for (object, state) in script.states(at: sample).enumerated() {
        planes[object].append(Float(state.gain) * noise[2 + object][sample])
      }
    }
    #expect(found[0].samplePeak == nil && found[0].integrated == nil, "a bed")
    for object in 0..<2 {
      let largest = planes[object].map(\.magnitude).max() ?? 0
      let judge = LibEBUR128(Decoded(rate: script.rate, planes: [planes[object]]))
      let (integrated, peak) = (found[object + 1].integrated, found[object + 1].samplePeak)
      #expect(abs(try #require(integrated) - judge.integrated) < 0.03)
      #expect(abs(try #require(peak) - 20 * log10(Double(largest))) < 1e-4)
    }
    for size in [4096, 777] { #expect(try measure(size, noise) == found) }
  }

  /// A jump to the gain 1 counts from its sample on, wherever the blocks begin.
  @Test(arguments: [8000, 24_000, 48_000]) func aJumpInsideABlockCountsFromItsSample(size: Int)
    throws
  {
    let position = ObjectPosition.polar(Direction(azimuth: 0), distance: 1)
    let programme = Programme(
      sampleRate: 48_000,
      elements: [.object(name: nil, start: ObjectState(position: position, gain: 0.25))])
    let meters = try #require(ObjectMeters(programme))
    let whole = ProgrammeBlock(programme)
    whole.audio.grow(by: 48_000)
    for index in 0..<48_000 { whole.audio.channel(0)[index] = index < 24_000 ? 0.8 : 0.4 }
    whole.add(ObjectUpdate(plane: 0, at: 24_000, state: ObjectState(position: position, gain: 1)))
    let part = ProgrammeBlock(programme)
    for start in stride(from: 0, to: 48_000, by: size) {
      part.removeAll()
      part.append(whole, range: start..<min(48_000, start + size))
      meters.add(part)
    }
    var scene: [ObjectReport]? = [
      ObjectReport(name: nil, type: "object", tracks: [], start: 0, end: nil, changes: 0)
    ]
    meters.finish(into: &scene)
    let peak = try #require(scene?.first?.samplePeak)
    #expect(abs(peak - 20 * log10(0.4)) < 1e-4)
  }

  @Test func programmesWithoutObjectsNeedNone() {
    let bed = Programme(AudioFormat(sampleRate: 48_000, layout: .stereo))
    #expect(ObjectMeters(bed) == nil)
    #expect(ObjectMeters(Programme(sampleRate: 48_000, elements: [.scene(order: 1)])) == nil)
  }
}
