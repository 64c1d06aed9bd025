// SPDX-License-Identifier: Apache-2.0
import AC4
import TestSupport
import Testing

@testable import AC4References

@Suite struct SpecificConfigurationTests {
  @Test(
    "a dac4 box is written as read", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: ["sample_ac4.mp4", "sample_ac4_level4.mp4", "sample_ac4_protected.mp4"])
  func readsAndWritesTheSameBytes(name: String) throws {
    let bytes = try MovieSamples(name).dac4
    #expect(bytes.count > 20)
    #expect(try AC4SpecificConfiguration(dac4: bytes).dac4 == bytes)
  }

  @Test(
    "a dac4 box built from frames has the bytes of the source's box", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: ["sample_ac4.mp4", "sample_ac4_level4.mp4"])
  func isBuiltAsTheSourceWroteIt(name: String) throws {
    let movie = try MovieSamples(name)
    let toc = try AC4TableOfContents(rawFrame: try #require(movie.samples.first))
    let built = try AC4SpecificConfiguration(
      toc: toc, hasDialogueEnhancement: true, isImmersive: false)
    #expect(built.dac4 == movie.dac4)
  }

  @Test(
    "a dac4 box gives the codec string", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func namesTheCodec() throws {
    let names = ["sample_ac4.mp4": "ac-4.02.02.00", "sample_ac4_level4.mp4": "ac-4.02.01.04"]
    for (file, codec) in names {
      let bytes = try MovieSamples(file).dac4
      #expect(try AC4SpecificConfiguration(dac4: bytes).codecString == codec)
    }
  }

  @Test(
    "a dac4 box gives presentations, languages and rates", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func readsWhatIsInIt() throws {
    let read = try AC4SpecificConfiguration(dac4: try MovieSamples("sample_ac4.mp4").dac4)
    #expect(read.frameRateIndex == 2)
    #expect(read.bitRate.mode == 2)
    #expect(read.presentations.map(\.version) == [2, 1])
    #expect(read.presentations.map(\.isPreVirtualized) == [true, false])
    #expect(read.presentations.allSatisfy { $0.content.groups[0].language == Array("en".utf8) })
    #expect(
      read.presentations.allSatisfy { $0.channels?.speakerGroups == 1 && $0.channels?.mode == 1 })
  }

  /// A writer's facts about each frame are those that the source's writer stored.
  @Test(
    "durations and sync samples are those stored by the source's writer", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"),
    arguments: ["sample_ac4.mp4", "sample_ac4_level4.mp4"])
  func knowsDurationsAndSyncSamples(name: String) throws {
    let movie = try MovieSamples(name)
    let tables = try movie.samples.map { try AC4TableOfContents(rawFrame: $0) }
    #expect(tables.indices.filter { tables[$0].isIFrame } == movie.syncSamples)
    #expect(tables[0].frameRate.mediaTimescale == movie.timescale)
    #expect(tables[0].frameRate.frameDuration == movie.duration)
  }

  @Test(
    "samples of the MP4 file are the frames of the elementary stream", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func samplesAreTheElementaryStreamsFrames() throws {
    let samples = try MovieSamples("sample_ac4.mp4").samples
    #expect(try RealStream.sample.frames().map(\.rawFrame) == samples)
  }

  @Test(
    "a damaged dac4 box is refused or reads back as written", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func survivesCutsAndFlippedBits() throws {
    var noise = SeededNoise(seed: 11)
    for name in ["sample_ac4.mp4", "sample_ac4_level4.mp4"] {
      let bytes = try MovieSamples(name).dac4
      for length in 0..<bytes.count {
        #expect(throws: AC4Error.self) {
          try AC4SpecificConfiguration(dac4: Array(bytes.prefix(length)))
        }
      }
      for _ in 0..<Soak.rounds(1000, soak: 200_000) {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...4, using: &noise) {
          changed[Int.random(in: 0..<bytes.count, using: &noise)] ^=
            1 << UInt8.random(in: 0..<8, using: &noise)
        }
        // Whatever is understood can be written and is then understood alike.
        guard let read = try? AC4SpecificConfiguration(dac4: changed) else { continue }
        #expect(try AC4SpecificConfiguration(dac4: read.dac4) == read)
      }
    }
  }
}
