// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import Spatial
@testable import SpatialReferences

/// The renderer to loudspeakers.
@Suite struct LoudspeakerRendererTests {
  private func layout(_ name: String) throws -> ChannelLayout {
    try #require(ChannelLayout(name: name))
  }

  @Test(
    "moving objects, a bed and a sound field equal the sample-by-sample reference within −120 dB",
    arguments: ["7.1.4", "stereo", "mono", "5.0"], [nil, 0, 1001])
  func gainsFollowTheMotion(name: String, diffuseFrom: Int?) throws {
    let scene = LoudspeakerScene(frames: 2500, seed: 3, diffuseFrom: diffuseFrom)
    let output = try scene.render(to: layout(name))
    let expected = try scene.reference(for: layout(name))
    var (error, signal) = (0.0, 0.0)
    for (plane, wanted) in zip(output, expected) {
      #expect(plane.count == wanted.count)
      for (sample, value) in zip(plane, wanted) {
        error += pow(Double(sample) - value, 2)
        signal += value * value
      }
    }
    #expect(output.count == expected.count)
    #expect(10 * log10(error / signal) < -120, "\(10 * log10(error / signal)) dB")
  }

  @Test(
    "a rendering to loudspeakers has the same bits for blocks of any size",
    arguments: [nil, 0, 2101])
  func cutsChangeNoBit(diffuseFrom: Int?) throws {
    let scene = LoudspeakerScene(frames: 4500, seed: 8, diffuseFrom: diffuseFrom)
    let whole = try scene.render(to: layout("5.1.4"))
    for size in [1, 7, 64, 480, 513, 4096] {
      let parts = try scene.render(to: layout("5.1.4"), size: size)
      #expect(parts.map { $0.map(\.bitPattern) } == whole.map { $0.map(\.bitPattern) }, "\(size)")
    }
  }

  @Test(
    "a renderer to loudspeakers has a latency of 255 and a tail of 256, with sound at those samples"
  )
  func latencyAndTailAreExact() throws {
    let renderer = LoudspeakerRenderer(layout: .stereo)
    var state = ObjectState(position: .polar(Direction(azimuth: 30), distance: 1))
    let elements: (ObjectState) -> [Programme.Element] = { [.object(name: nil, start: $0)] }
    for diffuse in [0.0, 1.0] {
      state.diffuse = diffuse
      let programme = Programme(sampleRate: 44_100, elements: elements(state))
      let renderer = diffuse == 0 ? renderer : LoudspeakerRenderer(layout: .stereo)
      let host = Hosted(renderer, name: "the renderer")
      #expect(try host.prepare(programme) == AudioFormat(sampleRate: 44_100, layout: .stereo))
      #expect(renderer.latency == 255)
      #expect(renderer.tail == 256)
      let block = ProgrammeBlock(programme)
      block.audio.grow(by: 3)
      for index in 0..<3 { block.audio.channel(0)[index] = index == 2 ? 1 : 0 }
      let output = AudioBuffer(channels: 2)
      try host.process(block, into: output)
      try host.finish(into: output)
      #expect(output.frames == 3 + renderer.latency + renderer.tail)
      let heard = output.channel(0).indices.filter { output.channel(0)[$0].magnitude > 1e-7 }
      #expect(heard.first == (diffuse == 0 ? 257 : 2))
      #expect(heard.last == (diffuse == 0 ? 257 : 513))
    }
  }

  @Test("a renderer without input gives no output") func nothingInGivesNothingOut() throws {
    let host = Hosted(LoudspeakerRenderer(layout: .stereo), name: "the renderer")
    _ = try host.prepare(
      Programme(sampleRate: 48_000, elements: [.object(name: nil, start: ObjectState())]))
    let output = AudioBuffer(channels: 2)
    try host.finish(into: output)
    #expect(output.frames == 0)
  }

  @Test(
    "a bed in the output's own layout keeps each bit without latency",
    arguments: ["stereo", "5.1", "5.1(side)", "7.1", "5.1.2", "5.1.4", "7.1.4", "22.2"])
  func aBedOfTheLayoutIsUntouched(name: String) throws {
    let layout = try layout(name)
    let renderer = LoudspeakerRenderer(layout: layout)
    let programme = Programme(AudioFormat(sampleRate: 48_000, layout: layout))
    let host = Hosted(renderer, name: "the renderer")
    _ = try host.prepare(programme)
    #expect(renderer.latency == 0 && renderer.tail == 0)
    var noise = SeededNoise(seed: 4)
    let block = ProgrammeBlock(programme)
    block.audio.grow(by: 700)
    for plane in 0..<layout.count {
      let samples = noise.samples(700)
      for index in 0..<700 { block.audio.channel(plane)[index] = samples[index] }
    }
    let output = AudioBuffer(channels: layout.count)
    try host.process(block, into: output)
    try host.finish(into: output)
    for plane in 0..<layout.count {
      #expect(Array(output.channel(plane)) == Array(block.audio.channel(plane)))
    }
  }

  @Test("a 5.1 bed in stereo and mono has the gains of the rules")
  func aBedGoesByTheRules() throws {
    let gains = try OutputGains(.stereo).gains(ofBed: layout("5.1"))
    let side = 0.707106781
    #expect(
      gains.map(\.direct) == [[1, 0], [0, 1], [side, side], [0, 0], [side, 0], [0, side]])
    let mono = try OutputGains(.mono).gains(ofBed: layout("5.1"))
    #expect(mono.map(\.direct) == [[1], [1], [1], [0], [1], [1]])
  }

  @Test("the LFE of a 5.1 bed is dropped in 5.0")
  func aLowFrequencyChannelIsDroppedWithoutAnLFE() throws {
    let gains = try OutputGains(layout("5.0")).gains(ofBed: layout("5.1"))
    #expect(gains[3].direct == [0, 0, 0, 0, 0])
    #expect(gains[4].direct == [0, 0, 0, 1, 0])
  }

  @Test("a signal for one ear is played in stereo and refused in 5.1 and mono")
  func earsAreForStereoOnly() throws {
    var state = ObjectState(gain: 0.5)
    state.rules.role = .ear(.right)
    #expect(try OutputGains(.stereo).gains(of: state) == SpeakerGains(direct: [0, 0.5]))
    for (name, words) in [("5.1", "6 loudspeakers"), ("mono", "one loudspeaker")] {
      let renderer = try LoudspeakerRenderer(layout: layout(name))
      let error = #expect(throws: MediaError.self) {
        try renderer.prepare(
          Programme(sampleRate: 48_000, elements: [.object(name: nil, start: state)]))
      }
      #expect(error?.kind == .unsupportedFeature)
      #expect(
        error?.message.contains("made for headphones, which can't be played by \(words)") == true)
    }
  }

  @Test("1024 channels and objects are taken and 1025 refused with both numbers")
  func tooManyPlanesAreRefusedByNumber() throws {
    let object = Programme.Element.object(name: nil, start: ObjectState())
    let most = Programme(sampleRate: 48_000, elements: Array(repeating: object, count: 1024))
    #expect(throws: Never.self) { try LoudspeakerRenderer(layout: .stereo).prepare(most) }
    let more = Programme(sampleRate: 48_000, elements: most.elements + [.bed(.mono)])
    let error = #expect(throws: MediaError.self) {
      try LoudspeakerRenderer(layout: .stereo).prepare(more)
    }
    #expect(error?.message.contains("1025 channels and objects") == true)
    #expect(error?.message.contains("at most 1024") == true)
  }
}
