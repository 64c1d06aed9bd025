// SPDX-License-Identifier: Apache-2.0
import AC4
import TestSupport
import Testing

@testable import AC4References

@Suite struct TableOfContentsTests {
  @Test(
    "the table of contents of a real frame is the oracle's", .tags(.media),
    .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"),
    arguments: RealStream.allCases)
  func agreesWithTheOracle(stream: RealStream) throws {
    let frames = try stream.frames()
    let described = try Oracle.describedFrames(stream)
    #expect(described.count >= 3)
    for entry in described {
      let toc = try AC4TableOfContents(rawFrame: frames[entry.frame].rawFrame)
      let expected = entry.toc
      #expect(toc.bitstreamVersion == expected.bitstream_version)
      #expect(toc.sequenceCounter == expected.seq)
      #expect(toc.waitFrames == expected.wait_frames)
      #expect(toc.frameRate.is48kHz == (expected.fs_index == 1))
      #expect(toc.frameRate.index == expected.fri)
      #expect(toc.isIFrame == (expected.iframe == 1))
      #expect(toc.substreams.map(\.count) == expected.sizes)
      #expect(toc.byteCount == expected.toc_bytes)
      #expect(toc.presentations.count == expected.pres.count)
      for (presentation, expected) in zip(toc.presentations, expected.pres) {
        #expect(presentation.groups == expected.groups)
        #expect(presentation.version == expected.version)
        #expect(presentation.level == expected.md_compat)
        #expect(presentation.id == expected.presentation_id)
        #expect(presentation.isPreVirtualized == (expected.pre_virtualized == 1))
        #expect(presentation.isIndependent == (expected.pres_ndot == 1))
        #expect(presentation.substream == expected.substream_index)
        #expect(toc.channelMode(of: presentation) == .stereo)
      }
      for (group, expected) in zip(toc.groups, expected.groups) {
        #expect(group.isChannelCoded == (expected.channel_coded == 1))
        #expect(group.content == expected.classifier)
        #expect(group.language == expected.lang)
        let modes = group.substreams.map { $0.channelMode?.rawValue }
        #expect(modes == expected.subs.map { Optional($0.ch_mode_coded) })
        let flags = group.substreams.map(\.isIFrame)
        #expect(flags == expected.subs.map { $0.b_audio_ndot.map { $0 == 1 } })
        #expect(group.substreams.map(\.index) == expected.subs.map { Optional($0.substream_index) })
      }
    }
  }

  @Test(
    "the table of contents of each real frame is read", .tags(.media, .system), .fullRunOnly,
    .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"),
    arguments: RealStream.allCases)
  func readsEveryFrame(stream: RealStream) throws {
    let control = try Oracle.control(stream)
    let frames = try stream.frames()
    #expect(control.count == frames.count)
    for (frame, expected) in zip(frames, control) {
      let toc = try AC4TableOfContents(rawFrame: frame.rawFrame)
      #expect(toc.sequenceCounter == expected.seq)
      #expect(toc.isIFrame == (expected.iframe == 1))
      #expect(toc.byteCount == expected.toc_bytes)
      #expect(toc.substreams.map(\.count) == expected.sizes)
    }
  }

  @Test(
    "a table of contents with jointly coded objects is read", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func readsJointlyCodedObjects() throws {
    for sample in try MovieSamples("sample_ac4_level4.mp4").samples {
      let toc = try AC4TableOfContents(rawFrame: sample)
      #expect(toc.presentations.map(\.level) == [4])
      #expect(toc.hasObjects(toc.presentations[0]))
      #expect(toc.defaultPresentation == 0)
      #expect(toc.groups[0].substreams[0].objects?.isJointlyCoded == true)
      #expect(toc.groups[0].substreams[0].objects?.objects == 20)
      #expect(toc.groups[0].substreams[0].objects?.downmixSignals == 9)
      #expect(toc.substreams.allSatisfy { $0.upperBound <= sample.count })
    }
  }

  @Test(
    "a cut table of contents is refused", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func survivesCutTables() throws {
    for stream in RealStream.allCases {
      let frame = try stream.frames()[0].rawFrame
      let toc = try AC4TableOfContents(rawFrame: frame)
      for length in 0..<toc.byteCount {
        #expect(throws: AC4Error.self) {
          try AC4TableOfContents(rawFrame: Array(frame.prefix(length)))
        }
      }
    }
  }

  @Test("a reserved frame rate is refused") func refusesReservedRates() {
    for index in [14, 15] {
      #expect(throws: AC4Error.self) { try AC4FrameRate(index: index, is48kHz: true) }
    }
    for index in 0..<13 {
      #expect(throws: AC4Error.self) { try AC4FrameRate(index: index, is48kHz: false) }
    }
  }

  /// Frames per second, samples per frame, time scale and duration of TS 103 190-2, Table E.1.
  @Test("each frame rate has the duration of TS 103 190-2, Table E.1") func knowsWhatAFrameLasts()
    throws
  {
    let expected: [(timescale: Int, duration: Int)] = [
      (48_000, 2002), (48_000, 2000), (48_000, 1920), (240_000, 8008), (48_000, 1600),
      (48_000, 1001), (48_000, 1000), (48_000, 960), (240_000, 4004), (48_000, 800),
      (48_000, 480), (240_000, 2002), (48_000, 400), (48_000, 2048),
    ]
    for (index, row) in expected.enumerated() {
      let rate = try AC4FrameRate(index: index, is48kHz: true)
      #expect(rate.mediaTimescale == row.timescale)
      #expect(rate.frameDuration == row.duration)
      let frames = Int64(10_000)
      let exact = frames * Int64(row.duration) * 48_000 / Int64(row.timescale)
      #expect(rate.samples(inFrames: frames) == exact)
    }
    let cd = try AC4FrameRate(index: 13, is48kHz: false)
    #expect((cd.mediaTimescale, cd.frameDuration, cd.sampleRate) == (44_100, 2048, 44_100))
  }
}
