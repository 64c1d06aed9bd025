// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

@testable import Rendering

/// Chapters keep their exact times from any input to any output.
@Suite struct ChapterTimesTests {
  private func clock(_ start: Int64, others: [MediaTime] = []) -> PresentationClock {
    PresentationClock(audioStart: start, sourceRate: 44_100, rate: 48_000, others: others)
  }

  private func place(_ start: Int64, length: Int64?) -> Companions.Place {
    Companions.Place(start: start, origin: 0, sourceRate: 44_100, rate: 48_000, length: length)
  }

  @Test func windowsCutExactly() {
    let window = CueWindow(
      hasStart: true, audio: place(44_101, length: 100), clock: clock(44_101))
    func begin(_ start: MediaTime, _ end: MediaTime) -> MediaTime? {
      window.begin(of: start, end: end)
    }
    func samples(_ count: Int64) -> MediaTime { MediaTime(ticks: count, rate: 44_100) }
    let nanosecond = MediaTime(ticks: 1, rate: 1_000_000_000)
    // From before the range to within it: the beginning is the range's.
    #expect(begin(samples(0), samples(44_102))?.ticks == 0)
    #expect(begin(samples(0), samples(44_101)) == nil)
    #expect(begin(samples(0), samples(44_101) + nanosecond)?.ticks == 0)
    let third = begin(samples(44_104), samples(50_000))
    #expect(third.map { $0.samples(at: 44_100) } == 3)
    #expect(third.map { MediaTime.rescale($0.ticks, by: 44_100, over: $0.rate) } == 3)
    #expect(begin(samples(44_201), samples(50_000)) == nil)
    #expect(begin(samples(44_201) + -nanosecond, samples(50_000)) != nil)
  }

  /// However much faster the sound becomes, a text stays for a millisecond at least.
  @Test func textsKeepALengthUnderATempo() {
    var place = place(0, length: nil)
    place.tempo = Tempo(4)
    let window = CueWindow(hasStart: true, audio: place, clock: clock(0))
    func clip(_ start: Int64, _ end: Int64) -> [Int64]? {
      window.clip(start: start, end: end).map { [$0.start, $0.end] }
    }
    #expect(clip(1000, 3000) == [250, 750])
    #expect(clip(1000, 1001) == [250, 251] && clip(0, 1) == [0, 1])
    #expect(clip(1000, 1000) == nil && clip(-10, 0) == nil)
  }

  /// Pictures that begin earlier move the zero, and with it the chapters.
  @Test func picturesThatBeginEarlierMoveTheZero() {
    let early = clock(44_100, others: [MediaTime(ticks: 1, rate: 2)])
    #expect(early.audioOffset == 24_000)
    let window = CueWindow(hasStart: false, audio: place(44_100, length: nil), clock: early)
    let found = window.begin(
      of: MediaTime(ticks: 3, rate: 4), end: MediaTime(ticks: 2, rate: 1))
    #expect(found.map { $0.samples(at: 48_000) } == 12_000)
    #expect(early.soundStart == MediaTime(ticks: 24_000, rate: 48_000))
  }

  private func companions(
    _ given: [ProgrammeMarker]?, keeps: Bool = true, name: String = "a.wav"
  ) throws -> (Companions, DiagnosticLog) {
    let log = DiagnosticLog()
    var output = OutputRequest(.file(name), Rendition(.channels()))
    output.carriage.keepsChapters = keeps
    let made = try Companions(
      clip: Clip(.file("x")), output: output, media: nil,
      audio: Companions.Place(
        start: 0, origin: 0, sourceRate: 48_000, rate: 48_000, length: nil), given: given, log: log)
    return (made, log)
  }

  @Test("given chapters are sorted by time, and those at one time joined")
  func givenChaptersAreOrderedAndJoined() throws {
    let given = [(30, "c"), (10, "a"), (10, ""), (-5, "x"), (30, "d")].map {
      ProgrammeMarker(time: MediaTime(ticks: $0.0, rate: 48_000), title: $0.1)
    }
    let (made, log) = try companions(given)
    #expect(made.chapters.map(\.title) == ["x", "a", "c / d"])
    #expect(made.chapters.map { $0.time.samples(at: 48_000) } == [0, 10, 30])
    #expect(log.decisions.map(\.code) == [.chapters])
    #expect(try companions(given, keeps: false).0.chapters.isEmpty)
    #expect(try companions(nil).0.chapters.isEmpty)
  }

  @Test func chaptersBehindTheEndAreToldAndLeftOut() throws {
    let given = [0, 99, 100, 101].map {
      ProgrammeMarker(time: MediaTime(ticks: $0, rate: 48_000), title: "")
    }
    let (made, log) = try companions(given)
    let end = MediaTime(ticks: 100, rate: 48_000)
    #expect(made.chapters(before: end, rate: 48_000).count == 2)
    #expect(log.degradations.map(\.code) == [.chaptersCut])
  }

  /// A Matroska file's chapters count in nanoseconds; each output must have the nearest sample.
  private func source(_ folder: TemporaryFolder) throws -> String {
    let text = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000000000
      START=0
      END=1000020833
      title=One
      [CHAPTER]
      TIMEBASE=1/1000000000
      START=1000020833
      END=2000000000
      title=Zwei ä
      """
    try Data(text.utf8).write(to: folder.url("meta.txt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-i", folder.file("meta.txt"),
      "-map_metadata", "1", "-c:a", "flac", folder.file("in.mka"),
    ])
    return folder.file("in.mka")
  }

  private func render(
    _ path: String, _ name: String, _ form: RenderJob.Form,
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (test: RenderCase, report: RenderReport, path: String) {
    var test = try RenderCase(path: path)
    let output = test.folder.file(name)
    test.job.outputs = [.init(endpoint: .none, location: .file(output))]
    test.job.form = form
    test.job.loudness = nil
    change(&test.job)
    return (test, try await test.run(), output)
  }

  @Test(
    "chapters arrive in every container", .tags(.system), .fullRunOnly,
    arguments: [
      ("a.wav", RenderJob.Form.wav), ("a.flac", .flac),
      ("a.m4b", .fragmentedMP4(.aac, bitRate: nil)), ("a.mp4", .fragmentedMP4(.flac, bitRate: nil)),
    ])
  func theyArriveInEveryFile(name: String, form: RenderJob.Form) async throws {
    let folder = try TemporaryFolder()
    let done = try await render(try source(folder), name, form)
    let found = try ProbedChapter.all(done.path)
    #expect(found.map(\.title) == ["One", "Zwei ä"])
    let second = try #require(found.last)
    // ffprobe prefers the milliseconds of FLAC's comments to the samples of its cue sheet.
    #expect(second.start == (form == .flac ? 1000 : 48_001))
    #expect(second.rate == (form == .flac ? 1000 : 48_000))
    #expect(done.report.outputs[0].verified)
    #expect(done.report.decisions.contains { $0.code == .chapters })
    #expect(done.report.degradations.isEmpty)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: done.path))
    #expect((bytes.range(of: Data("stik".utf8)) != nil) == name.hasSuffix("m4b"))
    let range = try await render(done.path, "b.wav", .wav) { $0.start = .samples(48_000) }
    let rest = try ProbedChapter.all(range.path)
    #expect(rest.map(\.title) == (form == .flac ? ["Zwei ä"] : ["One", "Zwei ä"]))
    #expect(rest.map(\.start) == (form == .flac ? [0] : [0, 1]))
    let short = try await render(done.path, "d.wav", .wav) {
      $0.start = .samples(48_010)
      $0.clip.range.end = .after(.samples(100))
    }
    #expect(try ProbedChapter.all(short.path).map(\.title) == ["Zwei ä"])
    let without = try await render(done.path, "c.wav", .wav) { $0.carriage.keepsChapters = false }
    #expect(try ProbedChapter.all(without.path).isEmpty)
  }

  /// Chapters never make a film longer.
  @Test(.tags(.system), .fullRunOnly) func chaptersEndWithTheLongerOfSoundAndPictures() async throws
  {
    let folder = try TemporaryFolder()
    let chapters = [0, 1500, 3000].map {
      "[CHAPTER]\nTIMEBASE=1/1000\nSTART=\($0)\nEND=\($0 + 1500)\ntitle=\($0)\n"
    }
    try Data((";FFMETADATA1\n" + chapters.joined()).utf8).write(to: folder.url("meta.txt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=size=64x64:rate=25:duration=2", "-f", "lavfi", "-i",
      "sine=sample_rate=48000:duration=1", "-i", folder.file("meta.txt"), "-map", "0", "-map", "1",
      "-map_metadata", "2", "-c:v", "libx264", "-c:a", "flac", folder.file("film.mkv"),
    ])
    let done = try await render(
      folder.file("film.mkv"), "a.mp4", .fragmentedMP4(.flac, bitRate: nil))
    #expect(try ProbedChapter.all(done.path).map(\.start) == [0, 72_000])
    #expect(done.report.degradations.map(\.code) == [.chaptersCut])
    let length = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", done.path])
    #expect(String(decoding: length.output, as: UTF8.self).hasPrefix("2.0"))
  }

  /// Leaving out what lies outside of the range is no loss.
  @Test(.tags(.system), .fullRunOnly) func chaptersOutsideOfTheRangeAreNoLoss() async throws {
    let folder = try TemporaryFolder()
    let text = ";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n"
    try Data(text.utf8).write(to: folder.url("one.txt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-i", folder.file("one.txt"),
      "-map_metadata", "1", "-c:a", "flac", folder.file("one.mka"),
    ])
    let done = try await render(folder.file("one.mka"), "a.wav", .wav) {
      $0.start = .samples(48_000)
    }
    #expect(done.report.degradations.isEmpty)
    #expect(done.report.decisions.contains { $0.code == .chapters && $0.chose.hasPrefix("none") })
  }

  @Test("HLS names chapters in a JSON file", .tags(.system), .fullRunOnly) func hlsNamesThemInJSON()
    async throws
  {
    let folder = try TemporaryFolder()
    let done = try await render(try source(folder), "a.m3u8", .hls(.aac, bitRate: nil))
    let playlist = try String(contentsOfFile: done.path, encoding: .utf8)
    #expect(playlist.contains("DATA-ID=\"com.apple.hls.chapters\",URI=\"a-chapters.json\""))
    let text = try String(
      contentsOfFile: done.test.folder.file("a-chapters.json"), encoding: .utf8)
    #expect(text.contains("\"start-time\": 1.000021, \"duration\": 0.999979,"))
    let without = try await render(try source(folder), "a.m3u8", .hls(.aac, bitRate: nil)) {
      $0.carriage.keepsChapters = false
    }
    #expect(!without.test.folder.contents.contains("a-chapters.json"))
  }
}
