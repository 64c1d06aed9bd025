// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import Platform
import Testing

@testable import MediaOut

/// The index in front of the fragments, and the lengths of media, as they are written.
@Suite struct SegmentIndexWritingTests {
  private let entry = AudioSampleEntry(format: "test", channels: 2, sampleRate: 48_000).encoded

  private func sound(
    valid: Int64 = 10_000, priming: Int64 = 1024, start: Int64 = 0
  ) -> (track: MovieTrack, samples: [MediaSample]) {
    let track = MovieTrack(
      kind: .sound, timescale: 48_000, sampleEntry: entry, mediaTime: priming,
      validDuration: valid, startOffset: start)
    return (
      track,
      (0..<((valid + priming + 1023) / 1024)).map {
        MediaSample(data: [1, 2, 3], decodeTime: $0 * 1024, duration: 1024)
      }
    )
  }

  /// A key frame every five pictures; each but the first is presented behind one that is decoded after it.
  private func pictures(_ count: Int64 = 15) -> (track: MovieTrack, samples: [MediaSample]) {
    let track = MovieTrack(
      kind: .pictures, timescale: 25, sampleEntry: entry, mediaTime: 1, validDuration: count,
      width: 64, height: 64)
    let samples = (0..<count).map { number in
      let place = number % 5
      let offset: Int64 = number < 5 ? 1 : place == 0 ? 2 : place == 1 ? 0 : 1
      return MediaSample(
        data: [9], decodeTime: number, duration: 1, compositionOffset: offset, isSync: place == 0)
    }
    return (track, samples)
  }

  private func write(
    _ tracks: [(track: MovieTrack, samples: [MediaSample])], duration: Int64,
    change: (inout FragmentedMP4Settings) -> Void = { _ in }
  ) throws -> (bytes: [UInt8], writer: FragmentedMP4Writer) {
    let sink = FragmentInterleavingTests.MemorySink()
    var settings = FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: duration)
    change(&settings)
    let writer = try FragmentedMP4Writer(
      sink: sink, tracks: tracks.map(\.track), settings: settings)
    for (number, pair) in tracks.enumerated() {
      for sample in pair.samples { try writer.add(sample, track: number) }
    }
    try writer.finish()
    return (sink.bytes, writer)
  }

  private func index(_ bytes: [UInt8]) -> SegmentIndexBox? {
    let scanner = BoxScanner(MovieBytes.source(bytes))
    return scanner.boxes().first { $0.type == "sidx" }
      .flatMap { SegmentIndexBox(payload: scanner.payload($0)) }
  }

  private func types(_ bytes: [UInt8]) -> [String] {
    BoxScanner(MovieBytes.source(bytes)).boxes().map(\.type)
  }

  @Test("sidx follows moov at once and has sizes and presented samples of all fragments")
  func soundHasAnIndex() throws {
    let (bytes, writer) = try write([sound()], duration: 4096)
    #expect(types(bytes).prefix(4) == ["ftyp", "moov", "sidx", "moof"])
    let box = try #require(index(bytes))
    #expect(box.trackID == 1 && box.timescale == 48_000)
    #expect(box.earliestTime == 0 && box.firstOffset == 0)
    #expect(box.entries.map(\.duration) == [3072, 4096, 2832])
    #expect(box.entries.map(\.size) == writer.fragments.map(\.size))
    #expect(box.entries.allSatisfy { $0.accessType == 1 })
    #expect(FragmentedMovieCheck(MovieBytes.source(bytes)).findings == [])
  }

  /// Ten packets are the first ones at or after eleven multiples, the last of which lies in the last packet.
  @Test("what is left of the place is free in front of sidx") func theRestIsFree() throws {
    let (bytes, writer) = try write([sound(valid: 10_240)], duration: 1020)
    #expect(types(bytes).prefix(5) == ["ftyp", "moov", "free", "sidx", "moof"])
    let scanner = BoxScanner(MovieBytes.source(bytes))
    let free = try #require(scanner.boxes().first { $0.type == "free" })
    #expect(free.payload == writer.initializationSize + 8)
    #expect(free.payloadSize == 4)
    #expect(FragmentedMovieCheck(MovieBytes.source(bytes)).findings == [])
  }

  @Test("a film has no sidx, with which Chromium doesn't seek in a long one")
  func filmsHaveNone() throws {
    let (bytes, writer) = try write([sound(valid: 20_000), pictures()], duration: 5)
    #expect(types(bytes).prefix(3) == ["ftyp", "moov", "moof"] && !types(bytes).contains("sidx"))
    #expect(!writer.exceedsIndex)
    #expect(FragmentedMovieCheck(MovieBytes.source(bytes)).findings == [])
  }

  @Test("segment files, and files for a MediaSource, have no sidx and no place for one")
  func otherFilesHaveNone() throws {
    let segments = try write([sound()], duration: 4096) { $0.isForSegmentFiles = true }
    #expect(types(segments.bytes).prefix(3) == ["ftyp", "moov", "styp"])
    var pair = sound()
    pair.track.facts.statesPriming = false
    #expect(types(try write([pair], duration: 4096).bytes).prefix(3) == ["ftyp", "moov", "moof"])
  }

  @Test("more fragments than sidx can list leave it out, and the writer says so")
  func tooManyFragmentsHaveNone() throws {
    func made(_ valid: Int64) throws -> FragmentedMP4Writer {
      try FragmentedMP4Writer(
        sink: FragmentInterleavingTests.MemorySink(),
        tracks: [sound(valid: valid, priming: 0).track],
        settings: FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 1))
    }
    #expect(try !made(65_534).exceedsIndex)
    #expect(try made(65_535).exceedsIndex)
    #expect(try made(65_534).size - made(65_535).size == 40 + 12 * 65_535)
  }

  /// Tools that read tags take the length from here.
  @Test("mdhd states all samples of each track with its start-up samples and late beginning")
  func mediaLengthsAreStated() throws {
    let (bytes, _) = try write(
      [sound(), sound(valid: 8000, priming: 512, start: 2000), pictures(10)], duration: 5)
    let scanner = BoxScanner(MovieBytes.source(bytes))
    let movie = try #require(scanner.boxes().first { $0.type == "moov" })
    let tracks = scanner.boxes(from: movie.payload, to: movie.end).filter { $0.type == "trak" }
    let lengths = tracks.compactMap { scanner.first(["mdia", "mdhd"], in: $0) }.map {
      scanner.payload($0).bigEndian64(at: 24)
    }
    #expect(lengths == [11_024, 10_000, 11])
  }
}
