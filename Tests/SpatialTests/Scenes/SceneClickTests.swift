// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Platform
import Signal
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// Changes don't click, and blocks don't matter.
@Suite struct SceneClickTests {
  private let hrtf: HRTFSet

  init() throws { hrtf = try HRTFSet.builtIn() }

  private static let jump = Int64(5003)

  /// Changes of a low tone at sample 5003 that would click without fades.
  static let changes: [(name: String, update: ObjectUpdate)] = [
    ("jump", ObjectUpdate(plane: 0, at: jump, state: SceneRun.state(-60))),
    ("near jump", ObjectUpdate(plane: 0, at: jump, state: SceneRun.state(50))),
    ("gain", ObjectUpdate(plane: 0, at: jump, state: SceneRun.state(40, gain: 0.3))),
    ("end", ObjectUpdate(plane: 0, at: jump, state: SceneRun.state(40, gain: 0))),
    ("diffuse", ObjectUpdate(plane: 0, at: jump, state: SceneRun.state(40, diffuse: 1))),
    (
      "off",
      ObjectUpdate(
        plane: 0, at: jump, state: SceneRun.state(40, rules: ObjectRules(headphones: .off)))
    ),
    (
      "wide", ObjectUpdate(plane: 0, at: jump, ramp: 3000, state: SceneRun.state(-60))
    ),
    (
      "size",
      ObjectUpdate(
        plane: 0, at: jump, ramp: 3000,
        state: SceneRun.state(40, extent: ObjectExtent(width: 90)))
    ),
  ]

  /// Energy above 4 kHz around the change against that of the same tone faded by 2 ms; one sound that goes
  /// and another that comes have twice the energy.
  @Test(
    "a change of place, gain, size or mode has at most 3 dB more treble than a fade of 2 ms",
    arguments: changes.indices)
  func changesDoNotClick(index: Int) throws {
    for room in [nil, RoomModel.small] { try expectNoClick(index, room) }
  }

  private func expectNoClick(_ index: Int, _ room: RoomModel?) throws {
    let options = SceneOptions(room: room)
    let (name, update) = SceneClickTests.changes[index]
    let tone = (0..<10000).map { Float(0.5 * cos(2 * .pi * 200 * (Double($0) - 5003) / 48000)) }
    let run = SceneRun(tone, SceneRun.state(40), updates: [update], options: options)
    let made = try run.render(hrtf)
    var faded = tone
    for sample in 5003..<10000 { faded[sample] *= max(0, 1 - Float(sample - 5003) / 96) }
    let source = try SceneRun(faded, SceneRun.state(40), options: options).render(hrtf)
    for ear in 0..<2 {
      let click = treble(made[ear])
      let limit = treble(source[0])
      #expect(click <= limit + 3, "\(name): \(click) dB, the source's own fade \(limit) dB")
    }
  }

  private func treble(_ samples: [Float]) -> Double {
    let fft = DoubleFFT(length: 4096)
    let spectrum = Render.spectrum(
      (0..<4096).map { index in
        let window = 0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / 4096)
        return Double(samples[3000 + index]) * window
      }, fft)
    let first = 4000 * 4096 / 48000
    var sum = 0.0
    for bin in first..<spectrum.count {
      sum += spectrum.re[bin] * spectrum.re[bin] + spectrum.im[bin] * spectrum.im[bin]
    }
    return 10 * log10(sum)
  }

  @Test("a scene has the same samples for blocks of any size") func blocksDoNotMatter() throws {
    let layout = Render.format("5.1").layout
    var source = SeededNoise(seed: 9)
    let frames = 9000
    let planes = layout.count + 3
    let signal = (0..<planes).map { _ in source.samples(frames, peak: 0.4) }
    let first = layout.count
    let off = ObjectRules(headphones: .off)
    let updates = [
      ObjectUpdate(plane: first, at: 0, ramp: 700.5, lead: 0.25, state: SceneRun.state(12, 10)),
      ObjectUpdate(plane: first + 2, at: 3, state: SceneRun.state(90, diffuse: 0.5)),
      ObjectUpdate(plane: first, at: 650, ramp: 900, lead: 0.75, state: SceneRun.state(30)),
      ObjectUpdate(plane: first + 1, at: 1024, state: SceneRun.state(-120, gain: 0.5)),
      ObjectUpdate(plane: first + 1, at: 1030, state: SceneRun.state(-20, gain: 0.7)),
      ObjectUpdate(
        plane: first, at: 2000, ramp: 1500,
        state: SceneRun.state(120, extent: ObjectExtent(width: 60))),
      ObjectUpdate(plane: first + 2, at: 4001, state: SceneRun.state(0, rules: off)),
      ObjectUpdate(plane: first, at: 6000, ramp: 4000, state: SceneRun.state(100)),
    ]
    let elements =
      [Programme.Element.bed(layout)]
      + (0..<3).map { .object(name: nil, start: SceneRun.state(Double(40 * $0))) }
    for options in [
      SceneOptions(), SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,50,5,5")),
      SceneOptions(span: 20), SceneOptions(room: .small),
      SceneOptions(trajectory: try HeadTrajectory(csv: "0,0,0,0\n0.1,50,5,5"), room: .medium),
    ] {
      let run = SceneRun(elements, signal, updates: updates, options: options)
      let whole = try run.render(hrtf)
      for size in [1, 7, 64, 480, 4097] {
        let other = try run.render(hrtf, size: size)
        let same = zip(whole, other).allSatisfy { one, another in
          one.count == another.count
            && zip(one, another).allSatisfy { $0.bitPattern == $1.bitPattern }
        }
        #expect(same, "blocks of \(size)")
      }
    }
  }

  @Test("a ramp entered in its middle renders within −40 dB of the whole one")
  func aRampEnteredInItsMiddleGoesOn() throws {
    var source = SeededNoise(seed: 2)
    let samples = source.samples(12000, peak: 0.5)
    let target = SceneRun.state(25, gain: 0.2)
    let update = ObjectUpdate(plane: 0, at: 0, ramp: 8000, state: target)
    let whole = try SceneRun(samples, SceneRun.state(0), updates: [update]).render(hrtf)
    let motion = ObjectMotion(
      from: SceneRun.state(0), to: target, ramp: 8000, elapsed: 4096)
    let late = ObjectUpdate(plane: 0, at: 0, motion: motion)
    let part = try SceneRun(
      Array(samples[4096...]), SceneRun.state(0), updates: [late]
    ).render(hrtf)
    for ear in 0..<2 {
      let gap = Render.difference(
        part[ear][1000..<7000].map(Double.init), whole[ear][5096..<11096].map(Double.init))
      #expect(gap < -40, "\(gap) dB")
    }
  }
}
