// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import MediaIn
import TestSupport
import Testing

@testable import MediaIn

/// Start and length of fragmented MP4 files.
@Suite(.tags(.system), .fullRunOnly) struct FragmentedInputTests {
  private let maker: StreamMaker
  private let source: [[Float]]

  init() throws {
    maker = try StreamMaker()
    source = try maker.source("a.wav", seconds: 5)
  }

  private func movie(_ codec: [String], _ flags: String, _ extra: [String] = []) throws -> Data {
    let path = maker.folder.file("a.mp4")
    try FixtureStore.ffmpeg(
      ["-i", maker.folder.file("a.wav"), "-c:a"] + codec + extra + [
        "-strict", "-2", "-frag_duration", "1000000", "-movflags", flags, path,
      ])
    return try Data(contentsOf: maker.folder.url("a.mp4"))
  }

  private func decode(_ bytes: Data) throws -> DecodedTrack {
    try bytes.write(to: maker.folder.url("b.mp4"))
    return try DecodedTrack(path: maker.folder.file("b.mp4"))
  }

  /// Offsets of the top-level boxes of a type.
  private func boxes(_ type: String, _ bytes: Data) -> [Int] {
    var result: [Int] = []
    var offset = 0
    while offset + 8 <= bytes.count {
      let size = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      if bytes[offset + 4..<offset + 8].elementsEqual(type.utf8) { result.append(offset) }
      guard size >= 8 else { break }
      offset += size
    }
    return result
  }

  static let flags = [
    "frag_keyframe+empty_moov+default_base_moof", "cmaf", "delay_moov+frag_keyframe",
    "dash+delay_moov+frag_keyframe", "frag_keyframe+empty_moov+separate_moof",
  ]

  @Test(
    "AAC in ffmpeg's fragments has the source's length and no lag, and FLAC the source's samples",
    arguments: flags)
  func ffmpegsFragmentsLieWhereTheyShould(flags: String) throws {
    let result = try decode(movie(["aac", "-b:a", "192k"], flags))
    #expect(result.summary.startTrim == 1024)
    #expect(result.count == source[0].count)
    #expect(result.summary.plan.paddingSource == .sampleTable)
    #expect(Alignment.lag(result.planes[0], source[0]) == 0)
    #expect(result.kinds.isEmpty)
    let exact = try decode(movie(["flac"], flags))
    #expect(Alignment.difference(exact.planes, source) == nil)
    #expect(exact.kinds.isEmpty)
  }

  /// One stream of E-AC-3 gives the same samples from each container, whether an edit list passes over its start-up
  /// samples, presents them, or is missing.
  @Test(
    "one stream of E-AC-3 or AC-3 gives the same samples from MP4, TS and Matroska",
    arguments: ["eac3", "ac3"])
  func oneStreamIsTheSameFromEachContainer(codec: String) throws {
    let folder = maker.folder
    try FixtureStore.ffmpeg(["-i", folder.file("a.wav"), "-c:a", codec, folder.file("a." + codec)])
    try FixtureStore.ffmpeg(["-i", folder.file("a.wav"), "-c:a", codec, folder.file("own.mp4")])
    for copy in ["copy.mp4", "copy.ts", "copy.mkv"] {
      try FixtureStore.ffmpeg(["-i", folder.file("a." + codec), "-c", "copy", folder.file(copy)])
    }
    let plain = try DecodedTrack(path: folder.file("a." + codec))
    #expect(plain.summary.startTrim == 256 && plain.kinds.isEmpty)
    for name in ["own.mp4", "copy.mp4", "copy.ts", "copy.mkv"] {
      let other = try DecodedTrack(path: folder.file(name))
      #expect(other.planes == plain.planes, "\(name)")
      let isOpen = other.kinds.contains("start-up-uncertain")
      #expect(isOpen == (name == "copy.mp4"), "\(name)")
    }
  }

  @Test(
    "FLAC in fragments whose clock starts at 7 s has the source's samples and no gap",
    arguments: flags)
  func aClockThatStartsLaterMovesNothing(flags: String) throws {
    let result = try decode(movie(["flac"], flags, ["-output_ts_offset", "7"]))
    #expect(Alignment.difference(result.planes, source) == nil)
    #expect(result.summary.gaps.isEmpty)
  }

  /// A movie without its first fragments begins in mid-programme, so no start-up samples are trimmed.
  @Test(
    "a movie without its first fragments has no start trimmed, and its samples are those of the whole"
  )
  func laterFragmentsAloneAreNotTrimmed() throws {
    for codec in [["flac"], ["aac", "-b:a", "192k", "-aac_pns", "0"]] {
      let bytes = try movie(codec, "dash+delay_moov+frag_keyframe")
      let whole = try decode(bytes)
      let moofs = boxes("moof", bytes)
      let start = try #require(boxes("sidx", bytes).first ?? moofs.first)
      #expect(moofs.count > 3)
      let rest = try decode(bytes[..<start] + bytes[moofs[2]...])
      #expect(rest.summary.startTrim == 0)
      #expect(rest.summary.plan.start > 0)
      let trimmed = whole.summary.startTrim
      // The first frame of AAC overlaps a frame that is missing, so its first half is incomplete.
      let sure = rest.count - (trimmed > 0 ? 1024 : 0)
      #expect(
        Alignment.difference(
          Array(rest.planes[0].suffix(sure)), Array(whole.planes[0].suffix(sure))) == nil)
      #expect(Int64(whole.count) + trimmed - Int64(rest.count) == rest.summary.plan.start + trimmed)
    }
  }
}
