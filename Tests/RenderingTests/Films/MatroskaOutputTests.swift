// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import LibAV
import Matroska
import MediaIn
import MediaOut
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

/// A render to Matroska has the same samples at the same times, and what belongs to them.
@Suite(.tags(.system), .fullRunOnly) struct MatroskaOutputTests {
  private func impulses(_ encoding: AudioEncoding, _ name: String = "out.mka") throws -> RenderCase
  {
    var test = try RenderCase(WAVBytes.pcm16(ImpulseSignal.planes(), rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file(name)))]
    test.job.loudness = nil
    test.job.form = .matroska(encoding, bitRate: nil)
    return test
  }

  @Test("FLAC, ALAC and PCM keep every bit", arguments: [AudioEncoding.flac, .alac, .pcm])
  func losslessEncodingsAreExact(encoding: AudioEncoding) async throws {
    let test = try impulses(encoding)
    let report = try await test.run()
    #expect(report.outputs[0].format == "matroska" && report.outputs[0].verified)
    #expect(report.outputs[0].samples == Int64(ImpulseSignal.frames))
    let decoded = try Decoded(test.folder.file("out.mka"))
    #expect(decoded.planes == ImpulseSignal.planes().map { $0.map { Float($0) * 0x1p-15 } })
    #expect(try OutputValidator().validate(path: test.folder.file("out.mka")).findings.isEmpty)
  }

  @Test(
    "Pinna plays of a lossy encoding exactly what was rendered",
    arguments: [AudioEncoding.opus, .aac])
  func lossyEncodingsKeepPlaceAndLength(encoding: AudioEncoding) async throws {
    let test = try impulses(encoding)
    let path = test.folder.file("out.mka")
    #expect(try await test.run().outputs[0].samples == Int64(ImpulseSignal.frames))
    var again = try RenderCase(path: path)
    again.job.outputs[0].endpoint = .none
    again.job.loudness = nil
    let back = try await again.run()
    #expect(back.timeline?.samplesOut == Int64(ImpulseSignal.frames))
    #expect(back.timeline?.priming.samples == (encoding == .opus ? 312 : 1024))
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
  }

  @Test("two runs and other blocks give the same bytes") func bytesRepeat() async throws {
    var files: Set<Data> = []
    for size in [nil, 480, 1024] {
      var test = try impulses(.opus)
      test.job.blockSize = size
      _ = try await test.run()
      files.insert(try Data(contentsOf: test.folder.url("out.mka")))
    }
    #expect(files.count == 1)
  }

  @Test(
    "pictures and sound stay in time, also where the sound begins half a second late",
    arguments: [AudioEncoding.flac, .opus], [nil, "0.499333"] as [String?])
  func filmsStayInTime(encoding: AudioEncoding, delay: String?) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let input = try delay.map {
      try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: $0)
    }
    let start =
      try input.map { try #require(try FlashAndBeep.times($0.path, "a").first) } ?? 0
    var test = try RenderCase(path: (input ?? film).path)
    let path = test.folder.file("out.mkv")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .matroska(encoding, bitRate: nil)
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.outputs[0].verified)
    #expect(try FlashAndBeep.pictures(path) == FlashAndBeep.pictures(film.path))
    for lag in try FlashAndBeep.lags(path) {
      #expect((lag - start).magnitude < (encoding == .flac ? 1e-5 : 2e-3), "\(lag)")
    }
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
  }

  @Test(
    "subtitles with overlap and italics, chapters and the title arrive", arguments: [false, true])
  func whatBelongsToTheSoundArrives(isFileOfItsOwn: Bool) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    try Data(
      """
      1
      00:00:00,500 --> 00:00:01,500
      <i>Hello</i> there

      2
      00:00:01,200 --> 00:00:03,000
      Both

      """.utf8
    ).write(to: folder.url("a.srt"))
    try Data(
      ";FFMETADATA1\ntitle=Film\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\ntitle=One\n".utf8
    ).write(to: folder.url("a.txt"))
    try FixtureStore.ffmpeg([
      "-i", film.path, "-i", folder.file("a.srt"), "-i", folder.file("a.txt"), "-map", "0", "-map",
      "1", "-map_metadata", "2", "-map_chapters", "2", "-c", "copy", "-metadata:s:s:0",
      "language=eng", folder.file("b.mkv"),
    ])
    var test = try RenderCase(path: folder.file("b.mkv"))
    let path = test.folder.file("out.mkv")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .matroska(.flac, bitRate: nil)
    test.job.loudness = nil
    test.job.carriage.keptAudio = .none
    if isFileOfItsOwn { test.job.carriage.subtitles = .file(folder.file("a.srt")) }
    let report = try await test.run()
    #expect(report.outputs[0].tracks?.map(\.kind) == [.video, .subtitles])
    let reader = try MatroskaReader(source(path))
    #expect(reader.tracks.map(\.codecID) == ["A_FLAC", "V_MPEG4/ISO/AVC", "S_TEXT/UTF8"])
    #expect(reader.info.title == "Film")
    var texts: [String] = []
    try reader.forEachBlock(of: [3]) {
      texts.append(String(decoding: $0.data, as: UTF8.self))
      return true
    }
    #expect(texts == ["<i>Hello</i> there", "Both"])
    let chapters = try #require(reader.chapters.flatMap(MatroskaChapters.init(element:)))
    #expect(chapters.editions[0].chapters.map(\.titles.first?.text) == ["One"])
  }

  /// A film of 24 pictures a second with a key frame each second, or of these options of x264.
  private func film(_ folder: TemporaryFolder, _ options: [String] = ["-g", "24", "-bf", "2"])
    throws -> String
  {
    let path = folder.file("film.mp4")
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "testsrc=d=4:s=64x64:r=24", "-f", "lavfi", "-i", "sine=d=4:r=48000"]
        + ["-c:v", "libx264", "-pix_fmt", "yuv420p"] + options + ["-c:a", "alac", path])
    return path
  }

  private func render(
    _ input: String, to name: String, _ form: RenderJob.Form,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (path: String, report: RenderReport, test: RenderCase) {
    var test = try RenderCase(path: input)
    let path = test.folder.file(name)
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = form
    test.job.loudness = nil
    change(&test.job)
    return (path, try await test.run(), test)
  }

  @Test("the pictures of a range begin at a key frame, and those before are reported")
  func rangesBeginAtAKeyFrame() async throws {
    let folder = try TemporaryFolder()
    let input = try film(folder)
    let done = try await render(input, to: "out.mkv", .matroska(.flac, bitRate: nil)) {
      $0.start = .samples(72_000)
    }
    let degradation = try #require(
      done.report.degradations.first { $0.code == .videoLeftOut }, "\(done.report.degradations)")
    #expect(degradation.message.contains("0.50 s after the beginning"), "\(degradation.message)")
    let reader = try MatroskaReader(source(done.path))
    var times: [Int64] = []
    try reader.forEachBlock(of: [2]) {
      times.append($0.time)
      return true
    }
    // Two seconds of pictures are left, the first one half a second after the sound.
    #expect(times.count == 48 && times.first == 500_000_000 && times.min() == 500_000_000)
    #expect(try OutputValidator().validate(path: done.path).findings.isEmpty)
  }

  @Test(
    "a range without a key frame after its beginning is refused, and the message names MP4")
  func rangesWithoutAKeyFrameAreRefused() async throws {
    let folder = try TemporaryFolder()
    let input = try film(folder, ["-g", "240", "-bf", "2"])
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(input, to: "out.mkv", .matroska(.flac, bitRate: nil)) {
        $0.start = .seconds(1)
      }
    }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(failure?.error.message.contains("mp4") == true)
  }

  @Test("pictures that go back far are stored as they are decoded") func deepReorderingIsStored()
    async throws
  {
    let folder = try TemporaryFolder()
    let input = try film(
      folder, ["-r", "2", "-g", "8", "-bf", "3", "-b_strategy", "0", "-x264-params", "scenecut=0"])
    let done = try await render(input, to: "out.mkv", .matroska(.opus, bitRate: nil))
    #expect(done.report.outputs[0].verified)
    #expect(try OutputValidator().validate(path: done.path).findings.isEmpty)
  }

  @Test(
    "more than two channels keep their layout in FLAC, and PCM says that it has none",
    arguments: [
      (AudioEncoding.flac, UInt32(0x3F)), (.flac, 0x60F), (.flac, 0xF), (.pcm, 0x3F), (.pcm, 0x60F),
    ])
  func layoutsAreKeptOrReported(encoding: AudioEncoding, mask: UInt32) async throws {
    let channels = mask.nonzeroBitCount
    var test = try RenderCase(TestProgramme.wav(channels: channels, seconds: 1, mask: mask))
    let path = test.folder.file("out.mka")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .matroska(encoding, bitRate: nil)
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.outputs[0].verified)
    let isReported = report.degradations.contains { $0.code == .layoutNotCarried }
    #expect(isReported == (encoding == .pcm), "\(report.degradations)")
  }

  private func source(_ path: String) throws -> ByteSource {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return ByteSource(data)
  }

  /// A track of two texts, the second one so many milliseconds after the first.
  private final class Texts: CodedTrack {
    let name = "texts"
    let facts: OutputTrackFacts
    private var samples: [MediaSample]

    init(_ distance: Int64, _ second: String = "Two") {
      facts = OutputTrackFacts(.subtitles, .plainText, timescale: 1000, length: distance + 500)
      samples = [
        MediaSample(data: Array("One".utf8), decodeTime: 0, duration: 500),
        MediaSample(data: Array(second.utf8), decodeTime: distance, duration: 500),
      ]
    }

    func next() -> MediaSample? { samples.isEmpty ? nil : samples.removeFirst() }
  }

  /// A copied track of one text, with the length and the padding that its block states in milliseconds.
  private final class Original: CodedTrack {
    let name = "an original"
    let facts: OutputTrackFacts
    private var sample: MediaSample?

    init(_ length: Int64?, padding: Int64 = 0) {
      let entry = MatroskaTrackEntry(number: 1, kind: .subtitle, codecID: "S_TEXT/UTF8")
      facts = OutputTrackFacts(.subtitles, .matroska(entry), timescale: 1000, length: 0)
      let data = Array("One".utf8)
      func time(_ milliseconds: Int64) -> MediaTime { MediaTime(ticks: milliseconds, rate: 1000) }
      var sample = MediaSample(data: data, decodeTime: 0, duration: 1)
      sample.frame = MatroskaFrame(
        data, isKey: true, duration: length.map(time),
        discardPadding: padding == 0 ? nil : time(padding))
      self.sample = sample
    }

    func next() -> MediaSample? { sample.take() }
  }

  @Test("the proof finds other lengths and padding of copied blocks") func lengthsAreProved() throws
  {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.file("a.mkv"), O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor: descriptor, name: "a.mkv")
    let written = try CarriedTracks(Original(500, padding: 7))
    let writer = try MatroskaWriter(
      sink: sink, tracks: written.tracks, texts: TrackTexts(), name: "a.mkv")
    while let next = try written.nextOfAll() { try writer.add(next.sample, track: 0) }
    try writer.finish()
    try sink.finish()
    let stored = MatroskaTracks(try MediaFile.locate(folder.file("a.mkv")), originals: [0])
    let found = try #require(stored.accounts(of: [0])[0])
    for (other, isEqual) in [
      (Original(500, padding: 7), true), (Original(502, padding: 7), false),
      (Original(nil, padding: 7), false), (Original(500, padding: 8), false),
      (Original(500), false),
    ] {
      let carried = try CarriedTracks(other)
      while try carried.nextOfAll() != nil {}
      #expect(carried.accounts[0].checksum == found.checksum)
      #expect(stored.hasTimes(found, of: carried.accounts[0]) == isEqual)
    }
  }

  @Test("the proof finds other bytes, and times that differ by more than the file's rounding")
  func theProofFindsDifferences() async throws {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.file("a.mkv"), O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor: descriptor, name: "a.mkv")
    let written = try CarriedTracks(Texts(1000))
    let writer = try MatroskaWriter(
      sink: sink, tracks: written.tracks, texts: TrackTexts(), name: "a.mkv")
    while let next = try written.nextOfAll() { try writer.add(next.sample, track: 0) }
    try writer.finish()
    try sink.finish()
    let stored = MatroskaTracks(try MediaFile.locate(folder.file("a.mkv")), originals: [])
    #expect(stored.fault == nil && stored.kinds == [.subtitles])
    let found = try #require(stored.accounts(of: [0])[0])
    for (other, hasBytes, hasTimes) in [
      (Texts(1000), true, true), (Texts(1000, "Tow"), false, true), (Texts(1001), true, false),
    ] {
      let carried = try CarriedTracks(other)
      while try carried.nextOfAll() != nil {}
      #expect((carried.accounts[0].checksum == found.checksum) == hasBytes)
      #expect(stored.hasTimes(found, of: carried.accounts[0]) == hasTimes)
    }
  }
}
