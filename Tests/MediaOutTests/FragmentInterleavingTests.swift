// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Platform
import TestSupport
import Testing

@testable import MediaOut

/// Several tracks side by side, and misuse.
@Suite(.tags(.system), .fullRunOnly) struct FragmentInterleavingTests {
  /// A sink that stores all bytes and the offsets at which fragments begin.
  final class MemorySink: ByteSink {
    var bytes: [UInt8] = []
    var begins: [Int] = []
    func write(_ other: [UInt8]) throws { bytes += other }
    func replace(at offset: Int64, by other: [UInt8]) throws {
      bytes.replaceSubrange(Int(offset)..<Int(offset) + other.count, with: other)
    }
    func fragmentBegins(_ index: Int) throws { begins.append(bytes.count) }
  }

  private let entry = AudioSampleEntry(format: "test", channels: 2, sampleRate: 48_000).encoded

  private func audio(
    start: Int64 = 0, valid: Int64 = 10_000, priming: Int64 = 1024
  ) -> (track: MovieTrack, samples: [MediaSample]) {
    let track = MovieTrack(
      kind: .sound, timescale: 48_000, sampleEntry: entry, mediaTime: priming,
      validDuration: valid, startOffset: start)
    let samples = (0..<((valid + priming + 1023) / 1024)).map {
      MediaSample(
        data: [UInt8](repeating: UInt8($0 & 255), count: 10), decodeTime: $0 * 1024, duration: 1024)
    }
    return (track, samples)
  }

  /// 25 frames a second in groups of five with one reordered frame in between.
  private func video(frames: Int64 = 13) -> (track: MovieTrack, samples: [MediaSample]) {
    let track = MovieTrack(
      kind: .pictures, timescale: 25, sampleEntry: entry, mediaTime: 1, validDuration: frames,
      width: 64, height: 64)
    let samples = (0..<frames).map { index in
      MediaSample(
        data: [UInt8](repeating: 9, count: 30), decodeTime: index, duration: 1,
        compositionOffset: index % 5 == 0 ? 1 : (index % 5 == 1 ? 2 : (index % 5 == 2 ? 0 : 1)),
        isSync: index % 5 == 0)
    }
    return (track, samples)
  }

  private func write(
    _ tracks: [(track: MovieTrack, samples: [MediaSample])], inTurn: Bool = true,
    duration: Int64 = 5, change: (inout FragmentedMP4Settings) -> Void = { _ in }
  ) throws -> (sink: MemorySink, fragments: [FragmentRecord]) {
    let sink = MemorySink()
    var settings = FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: duration)
    change(&settings)
    let writer = try FragmentedMP4Writer(
      sink: sink, tracks: tracks.map(\.track), settings: settings)
    if inTurn {
      for index in 0..<(tracks.map(\.samples.count).max() ?? 0) {
        for (number, pair) in tracks.enumerated() where index < pair.samples.count {
          try writer.add(pair.samples[index], track: number)
        }
      }
    } else {
      for (number, pair) in tracks.enumerated() {
        for sample in pair.samples { try writer.add(sample, track: number) }
      }
    }
    try writer.finish()
    #expect(writer.size == Int64(sink.bytes.count))
    return (sink, writer.fragments)
  }

  /// A sample that is heard from the cut on shows that the fragment before it is complete: what comes later begins
  /// later.
  @Test("a fragment is complete with the first sample heard from its cut on")
  func aFragmentIsCompleteWithTheFirstSampleBehindIt() throws {
    let (track, samples) = audio(start: 3000)
    var queue = TrackQueue(track.facts)
    // The second sample follows the priming of 1024 samples, so the third begins 1024 behind the start.
    let cut = MediaTime(ticks: 3000 + 1024, rate: 48_000)
    var states: [Bool] = []
    for sample in samples.prefix(4) {
      #expect(try queue.add(sample, name: "a"))
      states.append(queue.isComplete(before: cut))
    }
    #expect(states == [false, false, true, true])
    #expect(queue.take(before: cut).map(\.decodeTime) == [0, 1024])
  }

  @Test("a track is complete before a decode time with the first sample decoded at that time")
  func decodingIsCompleteWithTheFirstSampleOfItsTime() throws {
    let (track, samples) = audio(start: 3000)
    var queue = TrackQueue(track.facts)
    var states: [Bool] = []
    for sample in samples.prefix(3) {
      #expect(try queue.add(sample, name: "a"))
      states.append(queue.isComplete(beforeDecoding: 1024))
    }
    #expect(states == [false, true, true])
  }

  /// Decode times ascend, also where the samples before have been taken already.
  @Test("a second sample decoded at 0 is refused, also after the first was taken")
  func onlyTheFirstSampleIsDecodedAtTheBeginning() throws {
    let track = MovieTrack(
      kind: .chapters, timescale: 1000, sampleEntry: entry, validDuration: 3000)
    var queue = TrackQueue(track.facts)
    let chapter = MediaSample(data: [0, 0], decodeTime: 0, duration: 1000)
    #expect(try queue.add(chapter, name: "a"))
    #expect(queue.take(before: nil).count == 1)
    #expect(throws: MediaError.self) { try queue.add(chapter, name: "a") }
  }

  /// Of a track without a valid sample nothing is taken, however much comes.
  @Test("a track without valid samples takes none")
  func aTrackWithoutValidSamplesTakesNone() throws {
    let (_, samples) = audio(start: 0)
    var queue = TrackQueue(
      MovieTrack(kind: .sound, timescale: 48_000, sampleEntry: entry, validDuration: 0).facts)
    for sample in samples.prefix(3) { #expect(try !queue.add(sample, name: "a")) }
    try queue.close(name: "a")
    #expect(queue.take(before: nil).isEmpty)
  }

  @Test("fragments begin at key frames with the sound that is heard from there")
  func fragmentsBeginAtKeyFrames() throws {
    let valid: Int64 = 13 * 1920 - 3000
    let (sink, records) = try write([video(), audio(start: 3000, valid: valid)])
    #expect(records.map(\.start) == [0, 5, 10])
    #expect(records.map(\.duration) == [5, 5, 3])
    #expect(records.allSatisfy { $0.startsWithSync })
    let source = MovieBytes.source(sink.bytes)
    #expect(FragmentedMovieCheck(source).findings == [])
    let reader = try #require(FragmentedMovieReader(source))
    #expect(reader.tracks[1].edits == [.init(duration: 3000 + valid, mediaTime: 0)])
    #expect(reader.tracks.map(\.edits.count) == [1, 1])
    var runs: [[TrackFragment]] = []
    reader.forEachFragment {
      runs.append($0.tracks)
      return true
    }
    #expect(runs.map { $0[0].baseDecodeTime } == [0, 5, 10])
    // The priming lies before the sound's beginning and is played there.
    #expect(runs[0][1].baseDecodeTime == 1976)
    // Sound that is heard from 0.2 s on belongs to the fragment that begins there.
    for (number, run) in runs.enumerated() where number > 0 {
      let heard = run[1].baseDecodeTime ?? 0
      #expect((0..<1024).contains(heard - Int64(number) * 9600))
    }
    #expect(runs.reduce(0) { $0 + $1[1].duration } == valid + 1024)
  }

  /// Pictures with reordering, coded by ffmpeg, beside sound that comes half a second late.
  @Test("ffmpeg plays 100 pictures at 0 and sound late by 23,968 samples")
  func ffmpegPlaysPicturesAndLateSoundInTime() throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=duration=4:size=64x64:rate=25", "-c:v", "mpeg4", "-bf", "2",
      "-g", "25", "-video_track_timescale", "12800", folder.file("v.mp4"),
    ])
    let frames = try CodedStream.packets(of: folder.file("v.mp4"), stream: "v:0")
    let original = MovieBytes.source(Array(try Data(contentsOf: folder.url("v.mp4"))))
    let description = try #require(FragmentedMovieReader(original)?.tracks.first)
    let pictures = MovieTrack(
      kind: .pictures, timescale: 12_800, sampleEntry: description.sampleEntryBox,
      mediaTime: frames[0].compositionOffset, validDuration: 51_200, width: 64, height: 64)
    let stream = try CodedStream(.flac)
    let movie = try WrittenMovie(
      [(pictures, frames), (try stream.track(startOffset: 23_968), stream.packets)],
      settings: FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 12_800))
    #expect(FragmentedMovieCheck(MovieBytes.source(try movie.bytes())).findings == [])
    // The first key frame presented at or after each second.
    let keys = frames.filter(\.isSync).map {
      $0.decodeTime + $0.compositionOffset - pictures.facts.priming
    }
    let cuts = (0..<4).compactMap { second in keys.first { $0 >= second * 12_800 } }
    #expect(Set(cuts).count == 4)
    #expect(movie.fragments.map(\.start) == cuts)
    #expect(movie.fragments.reduce(0) { $0 + $1.duration } == 51_200)
    #expect(try movie.decoded().count == 2 * ImpulseSignal.frames)
    let first = try Tool.run(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_type,start_pts", "-of", "csv=p=0", movie.path])
    let lines = String(decoding: first.output, as: UTF8.self).split(separator: "\n")
    #expect(lines == ["video,0", "audio,23968"])
    let counted = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
        "stream=nb_read_frames", "-of", "csv=p=0", movie.path,
      ])
    #expect(String(decoding: counted.output, as: UTF8.self).hasPrefix("100"))
  }

  @Test("tracks fed in turn and one by one give the same bytes")
  func theOrderOfFeedingDoesNotMatter() throws {
    let tracks = [video(), audio(valid: 20_000), audio(start: 500, valid: 24_000)]
    let first = try write(tracks)
    #expect(try write(tracks, inTurn: false).sink.bytes == first.sink.bytes)
    #expect(FragmentedMovieCheck(MovieBytes.source(first.sink.bytes)).findings == [])
  }

  @Test("fragments of any length sum up to 10,000 samples without findings")
  func nothingIsLeftBehind() throws {
    for duration in [1, 1024, 1025, 5000, 1_000_000] as [Int64] {
      let (sink, records) = try write([audio()], duration: duration)
      #expect(records.reduce(0) { $0 + $1.duration } == 10_000)
      #expect(FragmentedMovieCheck(MovieBytes.source(sink.bytes)).findings == [])
    }
  }

  @Test("priming left to the reader stays in the edit, and the records hold 10,000 samples")
  func primingMayBeLeftToTheReader() throws {
    var pair = audio()
    pair.track.facts.statesPriming = false
    let (sink, records) = try write([pair])
    let source = MovieBytes.source(sink.bytes)
    #expect(FragmentedMovieCheck(source).findings == [])
    let reader = try #require(FragmentedMovieReader(source))
    #expect(reader.tracks[0].edits == [.init(duration: 11_024, mediaTime: 0)])
    #expect(records.reduce(0) { $0 + $1.duration } == 10_000)
  }

  @Test("a packet after the end changes no byte")
  func packetsBehindTheEndAreLeftOut() throws {
    var more = audio()
    more.samples.append(MediaSample(data: [1], decodeTime: 11 * 1024, duration: 1024))
    let bytes = try write([audio()]).sink.bytes
    #expect(try write([more]).sink.bytes == bytes)
  }

  @Test("a programme without samples has no fragments and no findings")
  func anEmptyProgrammeHasNoFragments() throws {
    let (sink, records) = try write([audio(valid: 0, priming: 0)])
    #expect(records.isEmpty)
    #expect(FragmentedMovieCheck(MovieBytes.source(sink.bytes)).findings == [])
  }

  @Test("fragments as segments begin with styp at their records' offsets")
  func segmentsMayBeFiles() throws {
    let (sink, records) = try write([audio()], duration: 2048) {
      $0.writesSegmentTypes = true
      $0.writesIndex = false
    }
    #expect(sink.begins.map(Int64.init) == records.map(\.offset))
    for begin in sink.begins {
      #expect(sink.bytes[begin + 4..<begin + 8].elementsEqual("styp".utf8))
    }
    #expect(FragmentedMovieCheck(MovieBytes.source(sink.bytes)).findings == [])
  }

  @Test("misuse of the MP4 writer is an error") func misuseIsAnError() throws {
    let pair = audio()
    func writer() throws -> FragmentedMP4Writer {
      try FragmentedMP4Writer(
        sink: MemorySink(), tracks: [pair.track],
        settings: FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 4096))
    }
    #expect(throws: MediaError.self) { try writer().add(pair.samples[0], track: 1) }
    #expect(throws: MediaError.self) { try writer().add(pair.samples[1], track: 0) }
    #expect(throws: MediaError.self) { try writer().finish() }
    let twice = try writer()
    try twice.add(pair.samples[0], track: 0)
    #expect(throws: MediaError.self) { try twice.add(pair.samples[0], track: 0) }
    #expect(throws: MediaError.self) { try twice.add(pair.samples[1], track: 0) }
    let short = try writer()
    for sample in pair.samples.dropLast() { try short.add(sample, track: 0) }
    #expect(throws: MediaError.self) { try short.finish() }
    #expect(throws: MediaError.self) {
      try write([(MovieTrack(kind: .sound, timescale: 0, sampleEntry: entry, validDuration: 1), [])]
      )
    }
    #expect(throws: MediaError.self) { try write([pair], duration: 0) }
    #expect(throws: MediaError.self) { try write([]) }
  }

  @Test("MP4 on a full disk is refused as disk full")
  func aFullDiskIsAnError() throws {
    let descriptor = open("/dev/full", O_RDWR)
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor: descriptor, name: "full")
    let pair = audio()
    let writer = try FragmentedMP4Writer(
      sink: sink, tracks: [pair.track],
      settings: FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 4096))
    for sample in pair.samples { try writer.add(sample, track: 0) }
    // The index in front is written last, after what is held back.
    let failure = #expect(throws: MediaError.self) {
      try writer.finish()
      try sink.finish()
    }
    #expect(failure?.kind == .diskFull)
  }
}
