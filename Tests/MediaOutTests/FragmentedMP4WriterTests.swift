// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import TestSupport
import Testing

@testable import MediaOut

@Suite(.tags(.system), .fullRunOnly) struct FragmentedMP4WriterTests {
  /// Start and length as ffmpeg decodes them.
  private func measure(_ movie: WrittenMovie) throws -> (lags: [Int], frames: Int) {
    let decoded = try movie.decoded()
    let left = stride(from: 0, to: decoded.count, by: 2).map { decoded[$0] }
    let original = ImpulseSignal.planes()[0]
    let lags = ImpulseSignal.bursts.map {
      ImpulseSignal.lag(of: left, against: original, burst: $0).samples
    }
    return (lags, left.count)
  }

  @Test(
    "FLAC and ALAC in fragmented MP4 decode to the same bits",
    arguments: [CodedStream.Coding.flac, .alac])
  func losslessIsBitExact(coding: CodedStream.Coding) throws {
    let movie = try WrittenMovie(CodedStream(coding))
    let decoded = try movie.decoded().map { Int16($0 * 32_768) }
    let planes = ImpulseSignal.planes()
    #expect(decoded.count == 2 * ImpulseSignal.frames)
    let wanted = zip(planes[0], planes[1]).flatMap { [$0, $1] }
    #expect(decoded == wanted)
  }

  /// FFmpeg's demuxer ignores edit lists in fragments: 5.1 keeps AAC's priming, later ones drop it as
  /// the decoder's own delay; all keep the padding of the last packet, whose short duration they
  /// don't pass on. GStreamer and browsers honour the edit.
  @Test("AAC in fragmented MP4 decodes where ffmpeg puts its priming") func aacIsWhereFFmpegPutsIt()
    throws
  {
    let measured = try measure(WrittenMovie(CodedStream(.aac)))
    let lag = try #require(measured.lags.first)
    #expect([0, 1024].contains(lag))
    #expect(measured.lags.allSatisfy { $0 == lag })
    #expect(measured.frames == ImpulseSignal.frames + lag + 133)
  }

  /// The decoder drops the pre-skip by `dOps`; the padding stays.
  @Test("Opus in fragmented MP4 decodes in place with 525 samples of padding")
  func opusIsInPlace() throws {
    let measured = try measure(WrittenMovie(CodedStream(.opus)))
    #expect(measured.lags.allSatisfy { $0 == 0 })
    #expect(measured.frames == ImpulseSignal.frames + 525)
  }

  @Test(
    "fragmented MP4 has the times, edits and roll distances that readers need",
    arguments: CodedStream.Coding.allCases)
  func theLayoutIsWhatReadersAgreeOn(coding: CodedStream.Coding) throws {
    let stream = try CodedStream(coding)
    let movie = try WrittenMovie(stream, seconds: 0.4)
    let source = MovieBytes.source(try movie.bytes())
    #expect(FragmentedMovieCheck(source).findings == [])
    let reader = try #require(FragmentedMovieReader(source))
    #expect(reader.timescale == 48_000)
    #expect(reader.duration == CodedStream.valid)
    #expect(reader.fragmentDuration == CodedStream.valid + stream.priming)
    let track = try #require(reader.tracks.first)
    #expect(track.edits == [.init(duration: CodedStream.valid, mediaTime: stream.priming)])
    #expect(track.duration == CodedStream.valid)
    let entry = try stream.entry()
    #expect(track.sampleEntryBox == entry)
    #expect(track.rollDistance == [.aac: -1, .opus: -4][coding])
    var fragments: [MovieFragment] = []
    reader.forEachFragment {
      fragments.append($0)
      return true
    }
    let runs = fragments.compactMap(\.tracks.first)
    #expect(runs.first?.baseDecodeTime == 0)
    #expect(runs.reduce(0) { $0 + $1.duration } == CodedStream.valid + stream.priming)
    // Every fragment begins with the first packet at or after a multiple of 0.4 s.
    let packet = stream.packets[0].duration
    for (index, run) in runs.enumerated() {
      let wanted = (Int64(index) * 19_200 + packet - 1) / packet * packet
      #expect(run.baseDecodeTime == wanted)
    }
  }

  @Test(
    "fragment records follow each other from the index in front to mfra and over all samples",
    arguments: CodedStream.Coding.allCases)
  func recordsTileTheFileAndTheProgramme(coding: CodedStream.Coding) throws {
    let movie = try WrittenMovie(CodedStream(coding), seconds: 0.3)
    let bytes = try movie.bytes()
    let scanner = BoxScanner(MovieBytes.source(bytes))
    var offset = try #require(scanner.boxes().first { $0.type == "sidx" }).end
    #expect(movie.initializationSize < offset)
    var start: Int64 = 0
    for (index, record) in movie.fragments.enumerated() {
      #expect(record.sequenceNumber == index + 1)
      #expect(record.offset == offset)
      #expect(record.start == start)
      #expect(record.startsWithSync)
      #expect(bytes[Int(offset) + 4..<Int(offset) + 8].elementsEqual("moof".utf8))
      offset += record.size
      start += record.duration
    }
    #expect(start == CodedStream.valid)
    #expect(bytes[Int(offset) + 4..<Int(offset) + 8].elementsEqual("mfra".utf8))
  }

  @Test("fragmented MP4 has the same bytes each time") func bytesRepeat() throws {
    let stream = try CodedStream(.aac)
    let first = try WrittenMovie(stream, seconds: 0.5).bytes()
    #expect(try WrittenMovie(stream, seconds: 0.5).bytes() == first)
  }

  @Test(
    "PCM in fragmented MP4 decodes to the same bits at 48 and 96 kHz", arguments: [48_000, 96_000],
    [(16, true), (16, false), (24, true)])
  func pcmIsBitExact(rate: Int, form: (bits: Int, isLittle: Bool)) throws {
    let planes = ImpulseSignal.planes().map { Array($0.prefix(10_001)) }
    let samples = MovieBytes.pcm(planes, bits: form.bits, isLittleEndian: form.isLittle)
    let entry = try PCMSampleEntry(
      isFloat: false, bits: form.bits, isLittleEndian: form.isLittle, channels: 2, sampleRate: rate)
    let track = MovieTrack(
      kind: .sound, timescale: rate, sampleEntry: entry.encoded, validDuration: 10_001)
    let movie = try WrittenMovie(
      [(track, samples)],
      settings: FragmentedMP4Settings(movieTimescale: rate, fragmentDuration: 4000))
    #expect(try MovieBytes.probed(movie.path, "sample_rate") == "\(rate)")
    let wanted = (0..<10_001).flatMap { [planes[0][$0], planes[1][$0]] }
    #expect(try movie.decoded().map { Int16($0 * 32_768) } == wanted)
  }

  @Test("FLAC of 96 kHz in fragmented MP4 is read with its rate and all samples")
  func highRatesAreRead() throws {
    let stream = try CodedStream(.flac, rate: 96_000)
    let track = MovieTrack(
      kind: .sound, timescale: 96_000, sampleEntry: try stream.entry(),
      validDuration: CodedStream.valid)
    let movie = try WrittenMovie(
      [(track, stream.packets)],
      settings: FragmentedMP4Settings(movieTimescale: 96_000, fragmentDuration: 19_200))
    #expect(try MovieBytes.probed(movie.path, "sample_rate") == "96000")
    #expect(try movie.decoded().count == 2 * ImpulseSignal.frames)
  }

  @Test("ffprobe finds all tags and the language of fragmented MP4")
  func tagsAndLanguageAreRead() throws {
    let tags = MediaTags([
      ("title", "Tïtle"), ("artist", "Artist"), ("album", "Album"), ("date", "2024"),
      ("genre", "Genre"), ("comment", "Comment"), ("copyright", "Copyright"),
      ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12"), ("ALBUMARTIST", "Ärzte"), ("COMPOSER", "C"),
      ("DISCNUMBER", "1/2"), ("LYRICS", "la\nla"), ("BPM", "120"), ("COMPILATION", "1"),
      ("ARTISTSORT", "Sort"), ("ISRC", "DKABC2600001"), ("MyOwn", "own"),
    ])
    var settings = FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 19_200)
    var texts = TrackTexts()
    texts.tags = tags
    texts.maker = "Pinna 1.2.3"
    settings.tags = MovieTags(texts, name: "a.mp4")
    let stream = try CodedStream(.flac)
    let movie = try WrittenMovie([(try stream.track(), stream.packets)], settings: settings)
    let result = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries", "format_tags:stream_tags=language", "-of",
        "default=noprint_wrappers=1", movie.path,
      ])
    let lines = Set(
      String(decoding: result.output, as: UTF8.self).split(separator: "\n").map(String.init))
    #expect(
      lines.isSuperset(of: [
        "TAG:title=Tïtle", "TAG:artist=Artist", "TAG:album=Album", "TAG:date=2024",
        "TAG:album_artist=Ärzte", "TAG:composer=C", "TAG:disc=1/2", "TAG:compilation=1",
        "TAG:sort_artist=Sort", "TAG:ISRC=DKABC2600001", "TAG:MyOwn=own",
        "TAG:genre=Genre", "TAG:comment=Comment", "TAG:copyright=Copyright", "TAG:track=3/12",
        "TAG:encoder=Pinna 1.2.3", "TAG:language=eng",
      ]))
  }
}
