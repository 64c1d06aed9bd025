// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import TestSupport
import Testing
import Verify

@testable import MediaOut

/// Chapters of all containers, read back by ffprobe.
@Suite(.tags(.system), .fullRunOnly) struct ChapterTests {
  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private func decoded(_ path: String) throws -> Int {
    let result = try Tool.run(
      "ffmpeg", ["-nostdin", "-v", "error", "-i", path, "-map", "0:a", "-f", "s16le", "-"])
    guard result.status == 0, result.errors.isEmpty else { throw ToolFailure(text: result.errors) }
    return result.output.count / 4
  }

  @Test(
    "MP4 holds chapters to the sample", arguments: [1, 3, 255, 256, 1000],
    [AudioEncoding.flac, .aac])
  func mp4HoldsThemToTheSample(count: Int, encoding: AudioEncoding) throws {
    let sound = try MarkedSound(count: count)
    let path = try sound.mp4(encoding)
    #expect(try ProbedChapter.all(path) == sound.expected)
    // Encoders of AAC have start-up samples, which the edit list skips and ffmpeg 5.1 plays in fragments.
    if encoding == .flac { #expect(try decoded(path) == sound.frames) }
    let bytes = try bytes(path)
    let check = FragmentedMovieCheck(
      ByteSource(bytes))
    #expect(check.findings.isEmpty && check.fragmentCount >= sound.frames / 100_000)
  }

  @Test("MP4 holds chapters that begin late, also with sound that does, to the sample")
  func mp4HoldsAFirstChapterThatBeginsLateAndSoundThatDoes() throws {
    let late = try MarkedSound(count: 3, first: 10_001)
    #expect(try ProbedChapter.all(late.mp4(.aac)) == late.expected)
    #expect(try ProbedChapter.all(late.mp4(.flac, startOffset: 4800)) == late.expected)
  }

  /// Without the track, `chpl` counts in 100 ns.
  @Test("chpl alone gives the first 255 of 300 chapters in units of 100 ns")
  func theListOfMP4IsExactTo100Nanoseconds() throws {
    let sound = try MarkedSound(count: 300)
    let path = try sound.mp4(.flac)
    // A reference that readers don't know hides the track.
    var bytes = try bytes(path)
    let place = try #require(bytes.range(of: "chap"))
    bytes.replaceSubrange(place, with: "none".utf8)
    try Data(bytes).write(to: sound.folder.url("list.mp4"))
    let found = try ProbedChapter.all(sound.folder.file("list.mp4"))
    #expect(found.count == 255)
    for (chapter, wanted) in zip(found, sound.expected) {
      #expect(chapter.rate == 10_000_000 && chapter.title == wanted.title)
      let error = MediaTime.rescale(wanted.start, by: 10_000_000, over: 48_000) - chapter.start
      #expect(error == 0)
    }
  }

  @Test("a chapter of 2^32 samples and an empty list have no chapter track")
  func chaptersLongerThanASampleOfMP4HaveNoTrack() {
    let markers = [0, 1 << 32].map {
      ProgrammeMarker(time: MediaTime(ticks: $0, rate: 48_000), title: "")
    }
    #expect(ChapterTrack(markers, rate: 48_000, end: MediaTime(ticks: 1 << 33, rate: 1)) == nil)
    #expect(ChapterTrack([], rate: 48_000, end: MediaTime(ticks: 1, rate: 1)) == nil)
  }

  @Test("WAV holds chapters to the sample", arguments: [1, 2, 1000], [false, true])
  func wavHoldsThemToTheSample(count: Int, isTagged: Bool) throws {
    let sound = try MarkedSound(count: count)
    let path = try sound.wav { settings in
      guard isTagged else { return }
      settings.texts.tags["title"] = "The whole"
      settings.texts.broadcast = BroadcastInfo(
        description: "d", timeReference: 0, codingHistory: "A=PCM\r\n")
    }
    #expect(try ProbedChapter.all(path) == sound.expected)
    #expect(try decoded(path) == sound.frames)
    let header = try header(path)
    #expect(header.cuePoints.map(\.title) == sound.markers.map(\.title))
    #expect(header.statedBytes == Int64(try bytes(path).count) - 8)
  }

  private func header(_ path: String) throws -> WAVHeader {
    let bytes = try bytes(path)
    return try WAVHeader(size: Int64(bytes.count)) { offset, count in
      guard offset < bytes.count else { return [] }
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
  }

  /// A length that is only stated makes an RF64 file of a few samples.
  @Test("RF64 holds chapters to the sample") func rf64HoldsThemToTheSample() throws {
    let sound = try MarkedSound(count: 1000)
    let path = try sound.wav { $0.frames = 1 << 31 }
    #expect(try ProbedChapter.all(path) == sound.expected)
    let header = try header(path)
    #expect(header.form == "RF64" && header.frames == Int64(sound.frames))
    #expect(header.cuePoints.map { Int64($0.position) } == sound.expected.map(\.start))
    #expect(header.statedBytes == Int64(try bytes(path).count) - 8)
  }

  @Test("a marker turns a WAV just below 4 GiB into RF64")
  func markersDecideBetweenWAVAndRF64() {
    var settings = SoundSettings(
      format: AudioFormat(sampleRate: 48_000, layout: .mono),
      coding: OutputCoding(.pcm, encoding: .pcm16), frames: 0xFFFF_0000 / 2)
    #expect(!settings.needsRF64)
    settings.texts.chapters = [ProgrammeMarker(time: MediaTime(ticks: 0, rate: 1), title: "")]
    #expect(settings.needsRF64)
  }

  @Test("cue points before 0 are at 0, and positions beyond 32 bits are left out")
  func positionsBeyond32BitsAreRefused() {
    let last = Int64(UInt32.max)
    let markers = [-1, 0, last, last + 1].map {
      ProgrammeMarker(time: MediaTime(ticks: $0, rate: 192_000), title: "\($0)")
    }
    let points = CuePoint.points(of: markers, rate: 192_000)
    #expect(points.map(\.position) == [0, 0, UInt32.max])
  }

  @Test("a WAV with a cue point missing or moved or another size fails verification")
  func theProofFindsMarkersThatAreMissingOrMoved() throws {
    let sound = try MarkedSound(count: 3)
    let path = try sound.wav()
    var expectation = WAVExpectation(
      sampleRate: 48_000, channels: 2, frames: Int64(sound.frames), bits: 16, isFloat: false)
    expectation.markers = sound.expected.map { (UInt32($0.start), $0.title) }
    let good = try header(path)
    try expectation.check(good, name: "a")
    for change in [
      { (header: inout WAVHeader) in _ = header.cuePoints.popLast() },
      { $0.cuePoints.swapAt(0, 1) }, { $0.statedBytes += 2 },
    ] {
      var bad = good
      change(&bad)
      let failure = #expect(throws: MediaError.self) { try expectation.check(bad, name: "a") }
      #expect(failure?.kind == .verificationFailed)
    }
  }

  /// Comments give titles and whole milliseconds, the cue sheet gives samples.
  @Test("FLAC holds chapters to the sample", arguments: [1, 2, 99]) func flacHoldsThemToTheSample(
    count: Int
  ) throws {
    let sound = try MarkedSound(count: count, first: 5)
    let path = try sound.flac()
    #expect(try decoded(path) == sound.frames)
    let found = try ProbedChapter.all(path)
    #expect(found.map(\.title) == sound.expected.map(\.title))
    #expect(found.map(\.start) == sound.markers.map(\.time.milliseconds))
    // Without the comments ffprobe reads the cue sheet: their block becomes padding.
    var bytes = try bytes(path)
    let comments = try #require(FLACBlocks(bytes).first { $0.type == 4 })
    bytes[comments.offset] = bytes[comments.offset] & 0x80 | 1
    try Data(bytes).write(to: sound.folder.url("sheet.flac"))
    let sheet = try ProbedChapter.all(sound.folder.file("sheet.flac"))
    #expect(sheet.map(\.start) == sound.expected.map(\.start))
    #expect(sheet.allSatisfy { $0.rate == 48_000 })
  }

  @Test("FLAC of 1100 chapters has no cue sheet and 999 chapters in comments")
  func beyond99ChaptersFlacHasCommentsOnly() throws {
    let sound = try MarkedSound(count: 1100)
    let path = try sound.flac()
    #expect(FLACBlocks(try bytes(path)).allSatisfy { $0.type != 5 })
    let found = try ProbedChapter.all(path)
    #expect(found.map(\.title) == sound.expected.prefix(999).map(\.title))
    #expect(found.map(\.start) == sound.markers.prefix(999).map(\.time.milliseconds))
  }

  @Test("Ogg Opus holds 40 chapters in whole milliseconds")
  func oggHasComments() throws {
    let sound = try MarkedSound(count: 40)
    let found = try ProbedChapter.all(sound.ogg())
    #expect(found.map(\.title) == sound.expected.map(\.title))
    #expect(found.map(\.start) == sound.markers.map(\.time.milliseconds))
  }

  @Test("files without chapters have no chapter boxes, chunks or comments")
  func filesWithoutChaptersHaveNoTraceOfThem() throws {
    let sound = try MarkedSound(frames: 5000, markers: [])
    for path in [try sound.wav(), try sound.flac(), try sound.ogg(), try sound.mp4(.flac)] {
      #expect(try ProbedChapter.all(path).isEmpty)
      let bytes = try bytes(path)
      for trace in ["cue ", "adtl", "CHAPTER", "chpl", "chap"] {
        #expect(bytes.range(of: trace) == nil, "\(trace)")
      }
    }
  }
}

/// Metadata blocks of a FLAC file (RFC 9639, section 8).
private func FLACBlocks(_ bytes: [UInt8]) -> [(type: UInt8, offset: Int)] {
  var blocks: [(type: UInt8, offset: Int)] = []
  var place = 4
  while place + 4 <= bytes.count {
    blocks.append((bytes[place] & 0x7F, place))
    guard bytes[place] & 0x80 == 0 else { break }
    place += 4 + bytes[(place + 1)...(place + 3)].reduce(0) { $0 << 8 | Int($1) }
  }
  return blocks
}

extension [UInt8] {
  /// First occurrence of `text`.
  fileprivate func range(of text: String) -> Range<Int>? {
    Data(self).range(of: Data(text.utf8))
  }
}
