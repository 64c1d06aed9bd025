// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Loudness
@testable import LoudnessReferences

@Suite struct GainDipsTests {
  private func ones(_ count: Int) -> AudioBuffer {
    let buffer = AudioBuffer(channels: 2)
    buffer.grow(by: count)
    for channel in 0..<2 { buffer.channel(channel).update(repeating: 1) }
    return buffer
  }

  @Test(
    "a dip of 2 dB is that deep at its sample, fades in and out, and changes nothing out of its reach"
  )
  func aDipIsAsDeepAsAskedForAndEndsWhereItSays() {
    var dips = GainDips(sampleRate: 48_000)
    #expect(dips.isEmpty)
    dips.lower(at: 5000, toDepth: 2)
    let reach = dips.reach(of: 5000)
    #expect(reach.count < 48_000 / 70)
    let sound = ones(10_000)
    dips.apply(to: sound, from: 0)
    for channel in 0..<2 {
      let plane = sound.channel(channel)
      #expect((Signal.decibels(Double(plane[5000])) + 2).magnitude < 1e-5)
      #expect(plane[5060] == plane[5000])
      for index in plane.indices where !reach.contains(Int64(index)) { #expect(plane[index] == 1) }
      // No step is larger than a fade of 5 ms makes it.
      for index in 1..<plane.count { #expect((plane[index] - plane[index - 1]).magnitude < 0.002) }
    }
  }

  @Test(
    "the deepest of several dips at one place counts, and parts of the sound get the same gains")
  func theDeeperOfTwoCountsAndCutsDontMatter() {
    var dips = GainDips(sampleRate: 48_000)
    dips.lower(at: 5100, toDepth: 1)
    dips.lower(at: 5000, toDepth: 3)
    dips.lower(at: 5000, toDepth: 2)
    #expect((dips.depthDB(at: 5000) - 3).magnitude < 1e-9 && dips.deepestDB == 3)
    #expect(dips.depthDB(at: 5100) > 1 && dips.depthDB(at: 6000) == 0)
    let whole = ones(6000)
    dips.apply(to: whole, from: 0)
    let part = ones(500)
    dips.apply(to: part, from: 4900)
    #expect(part.channel(0).elementsEqual(whole.channel(0)[4900..<5400]))
  }

  @Test("a dip of the gain is reported in its tenth of a second")
  func theReportShowsThemInTheirTenthOfASecond() {
    var dips = GainDips(sampleRate: 48_000)
    #expect(dips.added(to: nil) == nil)
    dips.lower(at: 10_000, toDepth: 0.5)
    #expect(dips.added(to: nil) == [0, 0, 0.5])
    #expect(dips.added(to: [1, 0, 1, 2]) == [1, 0, 1.5, 2])
  }
}
