// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import Spatial

@Suite struct BedRendererTests {
  @Test("a bed of a scene has the samples of the binaural stage")
  func aBedIsRenderedAsTheStageDoes() throws {
    let layout = try #require(ChannelLayout(name: "5.1"))
    let format = AudioFormat(sampleRate: 48_000, layout: layout)
    var noise = SeededNoise(seed: 5)
    let signal = (0..<6).map { _ in noise.samples(1000) }
    let expected = try StageVerifier.run(Downmixer(), format: format, signal: signal, blockSize: 64)

    let host = Hosted(BedRenderer(Downmixer(), name: "the downmix"), name: "the renderer")
    let output = AudioBuffer(channels: 2)
    #expect(
      try host.prepare(Programme(format)) == AudioFormat(sampleRate: 48_000, layout: .stereo))
    let block = ProgrammeBlock(Programme(format))
    block.audio.grow(by: 1000)
    for (plane, samples) in signal.enumerated() {
      for index in 0..<1000 { block.audio.channel(plane)[index] = samples[index] }
    }
    try host.process(block, into: output)
    try host.finish(into: output)
    #expect((0..<2).map { Array(output.channel($0)) } == expected)
    #expect(host.latency == 0)
  }

  @Test("objects, sound fields and two beds are refused by a bed renderer with its name")
  func objectsAndSoundFieldsAreRefusedByName() {
    let elements: [[Programme.Element]] = [
      [.bed(.stereo), .object(name: nil, start: ObjectState())], [.scene(order: 1)],
      [.bed(.stereo), .bed(.stereo)],
    ]
    for row in elements {
      let renderer = BedRenderer(Downmixer(), name: "the downmix")
      let error = #expect(throws: MediaError.self) {
        try renderer.prepare(Programme(sampleRate: 48_000, elements: row))
      }
      #expect(error?.kind == .unsupportedFeature)
      #expect(error?.message.hasPrefix("the downmix takes loudspeaker channels only") == true)
    }
  }
}
