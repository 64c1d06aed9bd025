// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Platform
import TestSupport
import Testing

@testable import MediaOut

/// Progressive MP4 as it is written: layout, tables, and what other programs read.
@Suite struct ProgressiveMP4WriterTests {
  private func track(
    _ kind: OutputTrackFacts.Kind, _ coding: TrackCoding, rate: Int, priming: Int64 = 0,
    length: Int64, start: Int64 = 0, samples: Int?
  ) -> OutputTrackFacts {
    var facts = OutputTrackFacts(
      kind, coding, timescale: rate, priming: priming, length: length, startOffset: start)
    facts.mostSamples = samples
    return facts
  }

  /// AAC whose last packet states less than it decodes to, as libavcodec's encoder does.
  private func sound(
    valid: Int64 = 100_000, start: Int64 = 0, isBounded: Bool = true
  ) throws -> (facts: OutputTrackFacts, samples: [MediaSample]) {
    let coding = TrackCoding.encoded(
      TrackCoding.EncodedSound(
        codec: .aac, configuration: [0x11, 0x90],
        format: AudioFormat(sampleRate: 48_000, layout: .stereo), bits: 24, bitRate: 128_000,
        isBinaural: false))
    let count = (valid + 1024 + 1023) / 1024
    var facts = track(
      .sound, coding, rate: 48_000, priming: 1024, length: valid, start: start,
      samples: isBounded ? Int(count) : nil)
    facts.rollDistance = -1
    let samples = (0..<count).map { number in
      MediaSample(
        data: [UInt8](repeating: UInt8(number & 255), count: 200 + Int(number % 7)),
        decodeTime: number * 1024,
        duration: number == count - 1 ? valid + 1024 - number * 1024 : 1024)
    }
    return (facts, samples)
  }

  /// 25 pictures a second with one shown in another order than it is decoded.
  private func pictures(_ count: Int64 = 60) throws -> (
    facts: OutputTrackFacts, samples: [MediaSample]
  ) {
    let facts = track(
      .pictures, .timedText, rate: 25, priming: 1, length: count, samples: Int(count))
    let samples = (0..<count).map { index in
      MediaSample(
        data: [UInt8](repeating: 9, count: 300), decodeTime: index, duration: 1,
        compositionOffset: index % 5 == 1 ? 2 : index % 5 == 2 ? 0 : 1, isSync: index % 5 == 0)
    }
    return (facts, samples)
  }

  private func write(
    _ tracks: [(facts: OutputTrackFacts, samples: [MediaSample])], tags: MovieTags = MovieTags()
  ) throws -> [UInt8] {
    let sink = FragmentInterleavingTests.MemorySink()
    var settings = ProgressiveMP4Settings(movieTimescale: 48_000)
    settings.tags = tags
    let writer = try ProgressiveMP4Writer(
      sink: sink, tracks: tracks.map(\.facts), settings: settings, name: "a.mp4")
    var all: [(time: MediaTime, order: Int, track: Int, sample: MediaSample)] = []
    for (number, pair) in tracks.enumerated() {
      for sample in pair.samples {
        all.append((pair.facts.instant(sample), all.count, number, sample))
      }
    }
    // Samples of one time keep their order.
    all.sort { first, second in
      if first.time < second.time { return true }
      return !(second.time < first.time) && first.order < second.order
    }
    for entry in all { try writer.add(entry.sample, track: entry.track) }
    try writer.finish()
    return sink.bytes
  }

  private func types(_ bytes: [UInt8]) -> [String] {
    BoxScanner(MovieBytes.source(bytes)).boxes().map(\.type)
  }

  private func findings(_ bytes: [UInt8]) -> [MovieFinding] {
    ProgressiveMovieCheck(MovieBytes.source(bytes)).findings
  }

  @Test("moov stands in front, and sound alone has the brand of music")
  func theMovieStandsInFront() throws {
    let bytes = try write([sound()])
    #expect(types(bytes) == ["ftyp", "moov", "free", "free", "mdat"])
    #expect(Array(bytes[8..<12]) == Array("M4A ".utf8))
    #expect(Array(bytes[16..<32]) == Array("M4A isomiso2mp41".utf8))
    #expect(findings(bytes) == [])
    let reader = try #require(ProgressiveMovieReader(MovieBytes.source(bytes)))
    #expect(reader.movie.timescale == 48_000)
    #expect(reader.movie.duration == 101_024)
    let track = reader.movie.tracks[0]
    #expect(track.edits == [.init(duration: 100_000, mediaTime: 1024)])
    #expect(track.duration == 100_000)
    // 99 whole packets, the last one too.
    #expect(track.mediaDuration == 99 * 1024)
    #expect(track.rollDistance == -1)
    #expect(reader.tables[0]?.count == 99)
  }

  @Test("chunks of sound and pictures alternate at half a second") func tracksAlternate() throws {
    let bytes = try write([pictures(), sound()])
    #expect(findings(bytes) == [])
    let reader = try #require(ProgressiveMovieReader(MovieBytes.source(bytes)))
    #expect(Array(bytes[8..<12]) == Array("isom".utf8))
    let chunks = reader.tables.enumerated().flatMap { number, tables in
      (tables?.chunks ?? []).map { ($0.offset, number) }
    }.sorted { $0.0 < $1.0 }.map(\.1)
    #expect(chunks.count == 10)
    #expect(zip(chunks, chunks.dropFirst()).filter { $0 == $1 }.count <= 1)
  }

  /// Chromium plays the first edits 21.33 ms early that skip start-up samples after zero, and with iTunSMPB the others, too.
  @Test("a late track begins with an empty edit and presents its start-up samples after zero")
  func lateTracksHaveAnEmptyEdit() throws {
    typealias Row = (start: Int64, durations: [Int64], mediaTimes: [Int64], end: Int64)
    // In the second one the pictures end last.
    let rows: [Row] = [
      (23_968, [22_944, 101_024], [-1, 0], 123_968), (350, [100_350], [674], 117_120),
    ]
    for row in rows {
      let bytes = try write([pictures(), sound(start: row.start)])
      #expect(findings(bytes) == [])
      let reader = try #require(ProgressiveMovieReader(MovieBytes.source(bytes)))
      #expect(reader.movie.tracks[1].edits.map(\.duration) == row.durations)
      #expect(reader.movie.tracks[1].edits.map(\.mediaTime) == row.mediaTimes)
      #expect(reader.movie.duration == row.end)
      #expect(bytes.firstRange(of: Array("iTunSMPB".utf8)) == nil)
    }
  }

  @Test("without a bound moov follows the media data, with the same tables")
  func withoutABoundTheMovieFollows() throws {
    let bytes = try write([sound(isBounded: false)])
    #expect(types(bytes) == ["ftyp", "free", "mdat", "moov"])
    #expect(findings(bytes) == [])
    let bounded = try write([sound()])
    let media = [bytes, bounded].map { bytes -> [UInt8] in
      let scanner = BoxScanner(MovieBytes.source(bytes))
      return scanner.boxes().first { $0.type == "mdat" }.map { scanner.payload($0) } ?? []
    }
    #expect(media[0] == media[1] && !media[0].isEmpty)
  }

  @Test("more samples than the bound let moov follow, too") func aWrongBoundDoesNoHarm() throws {
    var pair = try sound()
    pair.facts.mostSamples = 3
    let bytes = try write([pair])
    #expect(types(bytes) == ["ftyp", "free", "free", "mdat", "moov"])
    #expect(findings(bytes) == [])
  }

  /// The fields of iTunSMPB: start-up samples, padding, length; a tag of the source is replaced.
  @Test("AAC states its start-up samples, padding and length in iTunSMPB")
  func startUpIsInTheTags() throws {
    var tags = MovieTags()
    tags.items = [MovieItem(freeform: "ITUNSMPB", values: [.text("00000000 00000840 0000")])]
    let bytes = try write([sound()], tags: tags)
    let text =
      " 00000000 00000400 00000160 00000000000186A0" + String(repeating: " 00000000", count: 8)
    #expect(bytes.firstRange(of: Array(text.utf8)) != nil)
    #expect(bytes.firstRange(of: Array("iTunSMPB".utf8)) != nil)
    #expect(bytes.firstRange(of: Array("ITUNSMPB".utf8)) == nil)
  }

  @Test("titles of chapters lie in one chunk in front of the media") func chaptersAreInFront()
    throws
  {
    let markers = (0..<5).map {
      ProgrammeMarker(time: MediaTime(ticks: Int64($0) * 20_000, rate: 48_000), title: "c\($0)")
    }
    let titles = try #require(
      ChapterTrack(markers, rate: 48_000, end: MediaTime(ticks: 100_000, rate: 48_000)))
    var samples: [MediaSample] = []
    while let sample = titles.next() { samples.append(sample) }
    let bytes = try write([sound(), (titles.facts, samples)])
    #expect(findings(bytes) == [])
    let reader = try #require(ProgressiveMovieReader(MovieBytes.source(bytes)))
    let chapters = try #require(reader.tables[1])
    #expect(chapters.chunks.count == 1)
    let first = try #require(reader.tables[0]?.chunks.first)
    #expect(chapters.chunks[0].offset + chapters.chunks[0].size == first.offset)
    #expect(Array(bytes[8..<12]) == Array("M4A ".utf8))
  }

  @Test("the same samples give the same bytes") func bytesRepeat() throws {
    #expect(try write([pictures(), sound()]) == write([pictures(), sound()]))
  }

  @Test("misuse is an error") func misuseIsAnError() throws {
    let pair = try sound()
    func writer() throws -> ProgressiveMP4Writer {
      try ProgressiveMP4Writer(
        sink: FragmentInterleavingTests.MemorySink(), tracks: [pair.facts],
        settings: ProgressiveMP4Settings(movieTimescale: 48_000), name: "a")
    }
    #expect(throws: MediaError.self) { try writer().add(pair.samples[0], track: 1) }
    #expect(throws: MediaError.self) { try writer().add(pair.samples[1], track: 0) }
    #expect(throws: MediaError.self) { try writer().finish() }
    let short = try writer()
    for sample in pair.samples.dropLast() { try short.add(sample, track: 0) }
    #expect(throws: MediaError.self) { try short.finish() }
    #expect(throws: MediaError.self) { try write([]) }
  }
}
