// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import LibAV
import MediaIn
import TestSupport
import Testing

@testable import MediaIn

/// A range of a track that is entered in the middle has the bits of the whole decode.
@Suite(.tags(.system), .fullRunOnly) struct RangeEntryTests {
  /// Samples before the range: 20 s and an odd number.
  private static let start: Int64 = 960_731
  private static let length: Int64 = 50_000

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let arguments: [String]
    var testDescription: String { ([name] + arguments).joined(separator: " ") }
  }

  static let entered = [
    Row(name: "s.wav", arguments: []),
    Row(name: "s.wav", arguments: ["-c:a", "pcm_s24le", "-rf64", "always"]),
    Row(name: "s.wav", arguments: ["-c:a", "pcm_f32le", "-af", "pan=5.1|c0=c0|c3=c0|c5=c1"]),
    Row(name: "s.w64", arguments: []),
    Row(name: "s.aiff", arguments: ["-c:a", "pcm_s24be"]),
    Row(name: "s.caf", arguments: []),
    Row(name: "s.au", arguments: []),
    Row(name: "s.mov", arguments: ["-c:a", "pcm_s16le"]),
    Row(name: "alac.m4a", arguments: ["-c:a", "alac"]),
    Row(name: "alac.caf", arguments: ["-c:a", "alac"]),
    Row(name: "flac.mp4", arguments: ["-c:a", "flac", "-strict", "-2"]),
    Row(name: "flac.mka", arguments: ["-c:a", "flac"]),
    Row(
      name: "44.mka",
      arguments: ["-af", "aresample=44100,atrim=end_sample=1200000", "-c:a", "flac"]),
    Row(name: "s.flac", arguments: ["-sample_fmt", "s32"]),
    Row(name: "short.flac", arguments: ["-frame_size", "160"]),
    Row(name: "s.wv", arguments: []),
    Row(name: "5.1.wv", arguments: ["-af", "pan=5.1|c0=c0|c1=c1|c2=c0|c3=c0|c4=c0|c5=c1"]),
  ]

  static let notEntered = [
    Row(name: "s.mka", arguments: ["-c:a", "pcm_s16le"]),
    Row(name: "alac.mka", arguments: ["-c:a", "alac"]),
    Row(
      name: "fragments.mp4",
      arguments: ["-c:a", "alac", "-movflags", "+frag_keyframe+empty_moov"]),
    Row(name: "s.tta", arguments: []),
    Row(name: "flac.ogg", arguments: ["-c:a", "flac"]),
    Row(name: "aac.m4a", arguments: ["-c:a", "aac"]),
    Row(name: "s.mp3", arguments: []),
  ]

  /// The result of reading the range of a file.
  struct Part {
    let samples: [[Float]]
    let skipped: Int64
    let summary: TimelineSummary
    /// Bytes that the container read in which decoding began.
    let bytesRead: Int64
    let degradations: [Diagnostic]

    init(
      _ media: MadeMedia, from start: Int64 = RangeEntryTests.start,
      priming: PrimingOption = .automatic, gaps: GapPolicy = .fill
    ) throws {
      let log = DiagnosticLog()
      let file = try MediaFile(path: media.path)
      let stream = try TrackOpener(file).select(InputOptions().track, log: log)
      let reader = try AudioTrackReader(
        media: file, stream: stream, options: InputOptions(), log: log)
      let trimmed = try TrimmedSource(
        source: reader, facts: file.gaplessFacts(of: stream), priming: priming, gaps: gaps, log: log
      )
      let range = RangeSource(source: trimmed, start: start, end: start + RangeEntryTests.length)
      skipped = try range.skipToStart()
      let block = ProgrammeBlock(trimmed.programme)
      while try range.read(into: block) {}
      samples = (0..<block.audio.channels).map { Array(block.audio.channel($0)) }
      summary = trimmed.summary
      bytesRead = reader.packets.media.container?.bytesRead ?? 0
      degradations = log.degradations
    }
  }

  private func slice(_ whole: DecodedTrack, from start: Int64 = start) -> [[Float]] {
    whole.planes.map { Array($0[Int(start)..<Int(start + RangeEntryTests.length)]) }
  }

  @Test("a range entered in the middle has the samples of the whole decode", arguments: entered)
  func theRangeIsTheSliceOfTheWhole(row: Row) throws {
    let media = try MadeMedia(row.name, row.arguments, seconds: 30)
    let part = try Part(media)
    #expect(part.samples == slice(try media.decode()))
    // At most a packet and a cluster lie between the entry and the range.
    #expect(part.skipped > 720_000 && part.skipped <= RangeEntryTests.start)
    #expect(part.summary.decoded < 300_000)
    #expect(part.summary.skipped + part.summary.decoded >= RangeEntryTests.start)
    #expect(part.degradations.isEmpty)
    let size = Int64(try media.bytes().count)
    // Probing a container and bisecting a bare FLAC stream read up to 3 MB of any file.
    #expect(part.bytesRead < min(size * 3 / 4, 3_500_000) + 1_000_000)
  }

  @Test("formats without an entry are read from the beginning", arguments: notEntered)
  func othersAreReadFromTheBeginning(row: Row) throws {
    let media = try MadeMedia(row.name, row.arguments, seconds: 30)
    let part = try Part(media)
    #expect(part.samples == slice(try media.decode()))
    #expect(part.skipped == 0 && part.summary.skipped == 0)
    #expect(part.summary.decoded >= RangeEntryTests.start)
  }

  @Test("a range from sample 470,000 is read from the beginning, and one from 490,000 is entered")
  func anEarlyRangeIsReadFromTheBeginning() throws {
    let media = try MadeMedia("s.flac", [], seconds: 30)
    #expect(try Part(media, from: 470_000).skipped == 0)
    #expect(try Part(media, from: 490_000).skipped > 470_000)
  }

  @Test(
    "a range entered with 10,007 start-up samples lies that many samples later in the whole decode")
  func startUpSamplesAreLeftOutToo() throws {
    let media = try MadeMedia("alac.m4a", ["-c:a", "alac"], seconds: 30)
    let part = try Part(media, priming: .samples(10_007))
    #expect(part.samples == slice(try media.decode(), from: RangeEntryTests.start + 10_007))
    #expect(part.summary.startTrim == 10_007 && part.skipped > 720_000)
  }

  @Test("with gaps ignored a range is read from the beginning")
  func whereGapsAreIgnoredNothingIsLeftOut() throws {
    let media = try MadeMedia("s.flac", [], seconds: 30)
    #expect(try Part(media, gaps: .ignore).skipped == 0)
  }

  /// The numbers of the second file's frames are those of the first one's.
  @Test(
    "ranges of two joined FLAC files are read from the beginning, with the whole decode's samples")
  func joinedFilesAreReadFromTheBeginning() throws {
    let media = try MadeMedia("s.flac", [], seconds: 30).altered { $0.append($0) }
    let whole = try media.decode()
    for start in [RangeEntryTests.start, RangeEntryTests.start + 1_440_000] {
      let part = try Part(media, from: start)
      #expect(part.samples == slice(whole, from: start) && part.skipped == 0)
    }
  }

  /// Frames are missing; the whole decode fills them.
  @Test(
    "a range entered after a gap has the samples of the whole decode",
    arguments: ["s.flac", "flac.mka"])
  func aGapBeforeTheRangeKeepsItsLength(
    name: String
  ) throws {
    let media = try MadeMedia(name, ["-c:a", "flac"], seconds: 30)
    let probe = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "packet=pos,size", "-of", "csv=p=0", media.path])
    let places = String(decoding: probe.output, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: ",").compactMap { Int($0) }
    }
    let cut = try media.altered { data in
      let (from, to) = (places[50], places[60])
      if name.hasSuffix("flac") {
        data.removeSubrange(from[1]..<to[1])
      } else {
        // Bytes that are no block any more are left out by the demuxer.
        data.replaceSubrange(from[1]..<from[1] + from[0], with: Data(count: from[0]))
      }
    }
    let whole = try cut.decode()
    // A bare stream states an MD5, which the silence doesn't have.
    #expect(whole.kinds.subtracting(["checksum-mismatch"]) == ["timestamp-gap"])
    let part = try Part(cut)
    #expect(part.samples == slice(whole))
    #expect(part.skipped > 720_000)
  }

  @Test("damage after the entry of a range is refused, and the error has its time")
  func damageBehindTheEntryIsFound() throws {
    let bad = try MadeMedia("s.flac", [], seconds: 30).damagedPackets(at: 0.68, count: 2)
    let error = #expect(throws: MediaError.self) { try Part(bad) }
    #expect(error?.kind == .damaged && error?.message.contains("a packet at 00:00:20") == true)
  }
}
