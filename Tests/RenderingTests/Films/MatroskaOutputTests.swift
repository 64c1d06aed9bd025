import AudioCore
import Foundation
import Inspection
import LibAV
import Matroska
import MediaIn
import MediaOut
import Platform
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

  @Test("subtitles with overlap and italics, chapters and the title arrive")
  func whatBelongsToTheSoundArrives() async throws {
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
    let report = try await test.run()
    #expect(report.outputs[0].tracks?.map(\.kind) == ["video", "subtitles"])
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

  private func source(_ path: String) throws -> ByteSource {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return ByteSource(size: Int64(data.count)) { offset, count in
      Array(data[Int(offset)..<min(data.count, Int(offset) + count)])
    }
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

  @Test("the proof finds other bytes, and times that differ by more than the file's rounding")
  func theProofFindsDifferences() async throws {
    let folder = try TemporaryFolder()
    let descriptor = open(folder.file("a.mkv"), O_RDWR | O_CREAT, 0o600)
    defer { close(descriptor) }
    let sink = DescriptorSink(descriptor: descriptor, name: "a.mkv")
    let written = CarriedTrack(Texts(1000))
    let writer = try MatroskaWriter(
      sink: sink, tracks: [written.facts], texts: TrackTexts(), name: "a.mkv")
    while let sample = try written.next() { try writer.add(sample, track: 0) }
    try writer.finish()
    try sink.finish()
    let stored = MatroskaTracks(try MediaFile.locate(folder.file("a.mkv")))
    #expect(stored.fault == nil && stored.kinds == [.subtitles])
    let found = try #require(stored.accounts(of: [0])[0])
    for (other, hasBytes, hasTimes) in [
      (Texts(1000), true, true), (Texts(1000, "Tow"), false, true), (Texts(1001), true, false),
    ] {
      let carried = CarriedTrack(other)
      while try carried.next() != nil {}
      #expect((carried.account.digest == found.digest) == hasBytes)
      #expect(stored.hasTimes(found, of: carried.account) == hasTimes)
    }
  }
}
