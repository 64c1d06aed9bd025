// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// Sequences that are read in spite of damage can be played.
@Suite(
  .tags(.media, .slow), .fullRunOnly, .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct PlaybackMutationTests {
  /// Planes of the right number, finite, of the units' length.
  @Test("whatever is read of a damaged sequence can be played")
  func damagedSequencesCanBePlayed() throws {
    let seeds = try MutatedSequence.seeds()
    var random = SeededNoise(seed: 5)
    var played = 0
    let rounds = Soak.rounds(800, soak: 100_000)
    for _ in 0..<rounds {
      let bytes = try MutatedSequence.next(seeds, &random)
      guard var reader = try? RawSequenceReader(bytes: bytes) else { continue }
      guard let unit = try? reader.next() else { continue }
      played += 1
      for (_, element) in reader.description.playableElements {
        let count = min(element.codec.samplesPerFrame, 4800)
        for layer in 0..<max(1, element.layerCount) {
          let reconstructor = ElementReconstructor(element, layer: layer)
          let decoded = AudioBuffer(channels: element.decodedCount)
          for plane in 0..<decoded.channels {
            if plane == 0 { decoded.grow(by: count) }
            let noise = random.samples(count)
            for index in 0..<count { decoded.channel(plane)[index] = noise[index] }
          }
          let result = AudioBuffer(channels: reconstructor.channelCount)
          reconstructor.reconstruct(decoded, unit, into: result)
          reconstructor.reconstruct(decoded, TemporalUnit(), into: result)
          #expect(result.frames == 2 * count)
          for plane in 0..<result.channels where !result.channel(plane).allSatisfy(\.isFinite) {
            Issue.record("plane \(plane)")
          }
        }
      }
      let mix = reader.description.playableMixes[0]
      let line = AudioBuffer(channels: 1)
      line.grow(by: 2000)
      for entry in mix.elements {
        var track = GainTrack(entry.gain, sampleRate: mix.sampleRate)
        track.write(unit, to: line.channel(0))
        track.write(TemporalUnit(), to: line.channel(0))
        if !line.channel(0).allSatisfy(\.isFinite) { Issue.record("a gain") }
      }
    }
    #expect(played > rounds / 4, "\(played)")
  }
}
