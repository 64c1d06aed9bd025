// SPDX-License-Identifier: Apache-2.0
import Foundation
import LibAV
import MediaIn
import MediaOut
import Rendering
import Report
import TestSupport
import Testing

/// Subtitles, chapters, tags and covers arrive at their times.
@Suite(.tags(.system), .fullRunOnly) struct CompanionTests {
  private static let srt = """
    1
    00:00:01,000 --> 00:00:02,500
    Hello <i>world</i>
    & more

    2
    00:00:02,000 --> 00:00:03,000
    Overlap

    3
    00:00:05,000 --> 00:00:06,000
    End äöü

    """

  private func film(_ folder: TemporaryFolder) throws -> String {
    try Data(CompanionTests.srt.utf8).write(to: folder.url("a.srt"))
    let chapters = """
      ;FFMETADATA1
      title=My Film
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=4000
      title=One
      [CHAPTER]
      TIMEBASE=1/1000
      START=4000
      END=8000
      title=Zwei
      """
    try Data(chapters.utf8).write(to: folder.url("meta.txt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", folder.file("cover.png"),
    ])
    let source = try FlashAndBeep(folder, name: "plain.mkv")
    try FixtureStore.ffmpeg([
      "-i", source.path, "-i", folder.file("a.srt"), "-i", folder.file("meta.txt"), "-map", "0",
      "-map", "1", "-map", "1", "-map_metadata", "2", "-c", "copy", "-c:s:0", "srt", "-c:s:1",
      "ass", "-metadata:s:s:0", "language=ger", "-attach", folder.file("cover.png"),
      "-metadata:s:t", "mimetype=image/png", "-metadata:s:t", "filename=cover.png",
      folder.file("film.mkv"),
    ])
    return folder.file("film.mkv")
  }

  private func render(
    _ path: String, _ name: String = "out.mp4", _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (case: RenderCase, report: RenderReport, path: String) {
    var test = try RenderCase(path: path)
    let output = test.folder.file(name)
    test.job.outputs = [.init(endpoint: .none, location: .file(output))]
    test.job.form =
      name.hasSuffix("m3u8") ? .hls(.flac, bitRate: nil) : .fragmentedMP4(.flac, bitRate: nil)
    test.job.loudness = nil
    change(&test.job)
    return (test, try await test.run(), output)
  }

  /// A movie needs only its own name, whatever lies beside it, such as the files of a playlist that is named for it.
  @Test func thePlaylistsOfAnotherOutputStay() async throws {
    let folder = try TemporaryFolder()
    var test = try await render(film(folder), "out.mp4.m3u8").case
    let before = test.folder.contents
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.flac, bitRate: nil)
    // A dry run refuses no more than a run.
    test.job.policy.isDryRun = true
    #expect(try await test.run().exit == 0)
    test.job.policy.isDryRun = false
    let report = try await test.run()
    #expect(report.exit == 0)
    #expect(Set(test.folder.contents) == Set(before + ["out.mp4"]))
  }

  private func probe(_ path: String, _ arguments: [String]) throws -> String {
    let result = try Tool.run("ffprobe", ["-v", "error", "-of", "compact"] + arguments + [path])
    return String(decoding: result.output, as: UTF8.self)
  }

  /// Presentation times, in milliseconds, and sizes of the first subtitle track's samples.
  private func samples(_ path: String) throws -> [String] {
    try probe(
      path, ["-select_streams", "s:0", "-show_entries", "packet=pts,size", "-of", "csv=p=0"]
    ).split(separator: "\n").map(String.init)
  }

  @Test("pictures, subtitles, chapters and cover arrive in MP4") func everythingArrivesInMP4()
    async throws
  {
    let folder = try TemporaryFolder()
    let done = try await render(try film(folder))
    #expect(done.report.outputs[0].verified)
    #expect(done.report.decisions.contains { $0.code == .coverArt && $0.chose == "copied" })
    #expect(
      done.report.degradations.map(\.code.rawValue).allSatisfy { $0 == "subtitle-styling-left-out" }
    )
    let tracks = try #require(done.report.outputs[0].tracks)
    #expect(tracks.map(\.kind) == [.video, .subtitles, .subtitles])
    #expect(tracks.map(\.count) == [200, 3, 3] && tracks[0].sha256?.count == 64)
    let facts = try probe(
      done.path,
      ["-show_entries", "stream=codec_name:stream_tags=language:chapter:chapter_tags:format_tags"])
    #expect(facts.components(separatedBy: "codec_name=mov_text").count == 3)
    #expect(facts.contains("codec_name=png") && facts.contains("tag:title=My Film"))
    #expect(facts.contains("language=deu"))
    #expect(facts.contains("end_time=4.000000|tag:title=One"))
    #expect(facts.contains("start_time=4.000000") && facts.contains("tag:title=Zwei"))
    // Empty up to 1 s, both texts from 2 s, empty between 3 and 5 s.
    let sizes = ["0,2", "1000,42", "2000,50", "2500,9", "3000,2", "5000,12"]
    #expect(try samples(done.path) == sizes)
  }

  @Test("subtitles keep their times by the clock of sound and pictures")
  func theTimesFollowTheCommonClock() async throws {
    let folder = try TemporaryFolder()
    let path = try film(folder)
    // Everything 1.4 s later, as in a transport stream.
    try FixtureStore.ffmpeg([
      "-i", path, "-map", "0:v:0", "-map", "0:a", "-map", "0:s:0", "-c", "copy",
      "-output_ts_offset", "1.4", folder.file("late.mkv"),
    ])
    let done = try await render(folder.file("late.mkv"))
    #expect(try samples(done.path).prefix(2) == ["0,2", "1000,42"])
    let cut = try await render(path) {
      $0.start = .clock(.init(ticks: 2, rate: 1))
      $0.clip.range.end = .at(.clock(.init(ticks: 5500, rate: 1000)))
    }
    #expect(try samples(cut.path) == ["0,50", "500,9", "1000,2", "3000,12"])
  }

  /// Subtitles and chapters keep their places in sound that becomes faster; pictures can't.
  @Test(
    .enabled(if: FilterLibrary.current?.has("rubberband") == true, "rubberband isn't installed"))
  func aTempoMovesTheTimes() async throws {
    let folder = try TemporaryFolder()
    let path = try film(folder)
    let tap = Tap(.post, .filters(try FilterRequest(parsing: "rubberband=tempo=2")))
    let done = try await render(path) {
      $0.keepsVideo = false
      $0.rendition.taps = [tap]
    }
    #expect(try samples(done.path) == ["0,2", "500,42", "1000,50", "1250,9", "1500,2", "2500,12"])
    #expect(
      try ProbedChapter.all(done.path).map { Double($0.start) / Double($0.rate) } == [0, 2])
    let cut = try await render(path) {
      $0.keepsVideo = false
      $0.rendition.taps = [tap]
      $0.start = .clock(.init(ticks: 2, rate: 1))
      $0.clip.range.end = .at(.clock(.init(ticks: 5500, rate: 1000)))
    }
    #expect(try samples(cut.path) == ["0,50", "250,9", "500,2", "1500,12"])
    #expect(
      try ProbedChapter.all(cut.path).map { Double($0.start) / Double($0.rate) } == [0, 1])
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(path) { $0.rendition.taps = [tap] }
    }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(failure?.error.message.contains("the pictures can't follow") == true)
  }

  @Test("--subtitles FILE replaces the subtitles of the film") func aFileOfItsOwnTakesTheirPlace()
    async throws
  {
    let folder = try TemporaryFolder()
    try Data(CompanionTests.srt.utf8).write(to: folder.url("x.de.srt"))
    let source = try FlashAndBeep(folder, name: "a.ts", audio: ["-c:a", "mp2"])
    let done = try await render(source.path) { $0.subtitleFile = folder.file("x.de.srt") }
    #expect(try samples(done.path).prefix(2) == ["0,2", "1000,42"])
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(source.path) { $0.subtitleFile = source.path }
    }
    #expect(failure?.error.kind == .inputUnreadable)
    let none = await #expect(throws: RenderFailure.self) {
      try await render(source.path) {
        $0.subtitleFile = folder.file("x.de.srt")
        $0.form = .wav
      }
    }
    #expect(none?.error.kind == .usage)
  }

  @Test("subtitles become WebVTT in HLS") func hlsHasWebVTT() async throws {
    let folder = try TemporaryFolder()
    let done = try await render(try film(folder), "film.m3u8")
    let names = done.case.folder.contents
    #expect(names.contains("film-subtitles-1.vtt") && names.contains("film-subtitles-2.m3u8"))
    let text = try String(
      contentsOfFile: done.case.folder.file("film-subtitles-1.vtt"), encoding: .utf8)
    #expect(text.hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:0,LOCAL:00:00:00.000\n\n"))
    #expect(text.contains("00:00:01.000 --> 00:00:02.500\nHello <i>world</i>\n&amp; more\n\n"))
    let all = try String(contentsOfFile: done.path, encoding: .utf8)
    #expect(all.contains("TYPE=SUBTITLES") && all.contains("SUBTITLES=\"subs\""))
  }

  @Test(
    "italics, bold and underlined characters of SubRip reach MP4 and HLS, as ffmpeg reads them, and titles of tracks with them",
    .tags(.system))
  func stylesAndTitlesArrive() async throws {
    let folder = try TemporaryFolder()
    let subtitles =
      "1\n00:00:01,000 --> 00:00:02,000\nplain <i>slanted</i> é <b>fat</b>\n<u>low</u>\n\n"
      + "2\n00:00:01,500 --> 00:00:02,000\n<i>below</i>\n"
    try Data(subtitles.utf8).write(to: folder.url("x.srt"))
    let source = try FlashAndBeep(folder, name: "a.mkv")
    try FixtureStore.ffmpeg([
      "-i", source.path, "-i", folder.file("x.srt"), "-map", "0", "-map", "1", "-c", "copy",
      "-metadata:s:v:0", "title=Pictures", "-metadata:s:a:0", "title=English 5.1",
      "-metadata:s:s:0", "title=Signs", folder.file("styled.mkv"),
    ])
    let done = try await render(folder.file("styled.mkv"))
    #expect(done.report.degradations.isEmpty)
    let read = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", done.path, "-map", "0:s:0", "-f", "ass", "-"])
    // ffmpeg ends lines with CR and LF, which are one `Character`.
    let text = String(decoding: read.output.filter { $0 != 0x0D }, as: UTF8.self)
    let line = "plain {\\i1}slanted{\\r} é {\\b1}fat\\N{\\r}{\\u1}low"
    #expect(text.contains(line + "\n"), "\(text)")
    #expect(text.contains(line + "\\N{\\r}{\\i1}below\n"), "\(text)")
    let names = try probe(done.path, ["-show_entries", "stream_tags=handler_name"])
    for name in ["Pictures", "English 5.1", "Signs"] {
      #expect(names.contains("handler_name=\(name)"), "\(names)")
    }
    let again = try MediaFile(path: done.path)
    #expect(
      Set(again.streams.compactMap { again.title(of: $0) }) == ["Pictures", "English 5.1", "Signs"])
    let stream = try await render(folder.file("styled.mkv"), "x.m3u8")
    let vtt = try String(
      contentsOfFile: stream.case.folder.file("x-subtitles-1.vtt"), encoding: .utf8)
    #expect(vtt.contains("plain <i>slanted</i> é <b>fat</b>\n<u>low</u>\n"), "\(vtt)")
    let list = try String(contentsOfFile: stream.path, encoding: .utf8)
    #expect(list.contains("NAME=\"English 5.1\"") && list.contains("NAME=\"Signs\""), "\(list)")
    let bare = try await render(folder.file("styled.mkv"), "bare.mp4") {
      $0.carriage.keepsMetadata = false
    }
    #expect(try !probe(bare.path, ["-show_entries", "stream_tags"]).contains("English"))
  }

  private static let webVTT = """
    WEBVTT

    REGION
    id:fred

    STYLE
    ::cue(b) { color: red; }

    00:01.000 --> 00:02.000
    a&nbsp;b {c}
    it&#39;s R&amp;B

    NOTE nothing

    00:03.000 --> 00:04.000 line:0
    two

    """

  @Test("cues of WebVTT arrive whole and with their characters, from a file and from Matroska")
  func webVTTArrivesWhole() async throws {
    let folder = try TemporaryFolder()
    try Data(CompanionTests.webVTT.utf8).write(to: folder.url("x.vtt"))
    let source = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(source.path) { $0.subtitleFile = folder.file("x.vtt") }
    // Two bytes for the length, then "a b {c}" with a no-break space, a line end and "it's R&B".
    let sizes = ["0,2", "1000,19", "2000,2", "3000,5"]
    #expect(try samples(done.path).prefix(4) == sizes[...])
    #expect(done.report.degradations.map(\.code) == [.subtitleStylingLeftOut])
    let stream = try await render(source.path, "x.m3u8") {
      $0.subtitleFile = folder.file("x.vtt")
    }
    let text = try String(
      contentsOfFile: stream.case.folder.file("x-subtitles-1.vtt"), encoding: .utf8)
    #expect(
      text.hasSuffix(
        "\n\n00:00:01.000 --> 00:00:02.000\na\u{A0}b {c}\nit's R&amp;B\n\n00:00:03.000 --> 00:00:04.000\ntwo\n\n"
      ))
    // libavformat's own reader ends at a style sheet.
    let plain = CompanionTests.webVTT.split(separator: "\n\n").filter {
      !$0.hasPrefix("REGION") && !$0.hasPrefix("STYLE")
    }.joined(separator: "\n\n")
    try Data(plain.utf8).write(to: folder.url("plain.vtt"))
    try FixtureStore.ffmpeg([
      "-i", source.path, "-i", folder.file("plain.vtt"), "-map", "0", "-map", "1", "-c", "copy",
      folder.file("vtt.mkv"),
    ])
    let inside = try await render(folder.file("vtt.mkv"), "inside.mp4")
    #expect(try samples(inside.path).prefix(4) == sizes[...])
  }

  @Test(
    "subtitles that give no text are reported",
    arguments: [
      ("x.vtt", "WEBVTT\n\nNOTE nothing\n"), ("x.vtt", "WEBVTT"),
      ("x.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n&nbsp;\n"),
      ("x.srt", "1\n00:00:01,000 --> 00:00:02,000\n<i></i>\n\n"),
      ("x.ass", "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Text\n"),
    ])
  func subtitlesWithoutTextAreReported(name: String, text: String) async throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url(name))
    let source = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(source.path) { $0.subtitleFile = folder.file(name) }
    let told = done.report.degradations.filter { $0.code == .subtitlesLeftOut }
    #expect(told.count == 1 && told.first?.message.contains("gives no text") == true)
  }

  @Test("text of WebVTT without times that can be read is counted")
  func textWithoutTimesIsCounted() async throws {
    let folder = try TemporaryFolder()
    try Data("WEBVTT\n\n00:01,000 --> 00:02,000\na\n\n00:03.000 --> 00:04.000\nb\n".utf8)
      .write(to: folder.url("x.vtt"))
    let source = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(source.path) { $0.subtitleFile = folder.file("x.vtt") }
    let told = done.report.degradations
    #expect(told.map(\.code) == [.subtitlesCut] && told.first?.message.hasPrefix("1 text") == true)
    #expect(try samples(done.path).prefix(2) == ["0,2", "3000,3"])
  }

  /// Only one rendition of a group may be the default (RFC 8216, 4.3.4.1.1).
  @Test("of two default subtitles only the first is DEFAULT in HLS")
  func onlyTheFirstDefaultOfAGroupIsOne() async throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-i", try film(folder), "-map", "0:v:0", "-map", "0:a", "-map", "0:s", "-c", "copy",
      "-disposition:s:0", "default", "-disposition:s:1", "default", folder.file("two.mkv"),
    ])
    let done = try await render(folder.file("two.mkv"), "two.m3u8")
    let lines = try String(contentsOfFile: done.path, encoding: .utf8).split(separator: "\n")
      .filter { $0.contains("TYPE=SUBTITLES") }
    #expect(lines.map { $0.contains("DEFAULT=YES") } == [true, false])
  }

  /// RFC 8216, 4.3.4.1: names differ within a group, are for people, and should be in the language; RFC 5646, 2.2.1: a
  /// language has its shortest code.
  @Test("renditions of HLS have names that differ and the shortest tags of their languages")
  func renditionsHaveNamesAndTags() async throws {
    let folder = try TemporaryFolder()
    let tracks: [(language: String, title: String?)] = [
      ("eng", nil), ("eng", "for the \"deaf\""), ("ger", nil), ("eng", nil), ("und", nil),
      ("fil", nil),
    ]
    var arguments = ["-i", try film(folder), "-map", "0:a"]
    arguments += tracks.flatMap { _ in ["-map", "0:s:0"] } + ["-c", "copy"]
    arguments += ["-metadata:s:a:0", "language=spa"]
    for (index, track) in tracks.enumerated() {
      arguments += ["-metadata:s:s:\(index)", "language=\(track.language)"]
      if let title = track.title { arguments += ["-metadata:s:s:\(index)", "title=\(title)"] }
    }
    try FixtureStore.ffmpeg(arguments + [folder.file("many.mkv")])
    let done = try await render(folder.file("many.mkv"), "many.m3u8")
    let text = try String(contentsOfFile: done.path, encoding: .utf8)
    let wanted = [
      "\"audio\",NAME=\"Español\",LANGUAGE=\"es\",", "\"subs\",NAME=\"English\",LANGUAGE=\"en\",",
      "\"subs\",NAME=\"for the 'deaf'\",LANGUAGE=\"en\",",
      "\"subs\",NAME=\"Deutsch\",LANGUAGE=\"de\",",
      "\"subs\",NAME=\"English 2\",LANGUAGE=\"en\",", "\"subs\",NAME=\"subtitles\",DEFAULT",
      "\"subs\",NAME=\"fil\",LANGUAGE=\"fil\",",
    ]
    for part in wanted { #expect(text.contains("GROUP-ID=" + part), "\(part)") }
    #expect(text.components(separatedBy: "#EXT-X-MEDIA").count == wanted.count + 1)
  }

  /// Timed text in fragments has no durations in libavformat 5.1: a sample lasts until the next.
  @Test func subtitlesSurviveASecondTime() async throws {
    let folder = try TemporaryFolder()
    let once = try await render(try film(folder))
    let twice = try await render(once.path)
    #expect(try samples(once.path).count == 6)
    #expect(try samples(twice.path) == samples(once.path))
    #expect(!twice.report.degradations.contains { $0.code == .subtitleTimesAssumed })
  }

  @Test("subtitles behind the end of the film are reported") func textBeyondAnyFilmIsSaid()
    async throws
  {
    let folder = try TemporaryFolder()
    let text = "1\n99999:00:00,000 --> 99999:00:01,000\nlate\n\n"
    try Data((text + CompanionTests.srt.replacingOccurrences(of: "\n1\n", with: "\n4\n")).utf8)
      .write(to: folder.url("x.srt"))
    let source = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(source.path) { $0.subtitleFile = folder.file("x.srt") }
    #expect(done.report.degradations.contains { $0.code == .subtitlesCut })
    #expect(try samples(done.path).count == 6)
  }

  @Test func textThatIsNotUTF8IsRefused() async throws {
    let folder = try TemporaryFolder()
    let path = try film(folder)
    let data = Data(
      "1\n00:00:01,000 --> 00:00:02,000\nH\u{E4}\n".unicodeScalars.map { UInt8($0.value) })
    try data.write(to: folder.url("latin.srt"))
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(path) { $0.subtitleFile = folder.file("latin.srt") }
    }
    #expect(failure?.error.message.contains("UTF-8") == true)
  }

  @Test("unwanted pictures, subtitles and chapters are left out") func whatIsNotWantedStaysBehind()
    async throws
  {
    let folder = try TemporaryFolder()
    let done = try await render(try film(folder)) {
      $0.keepsVideo = false
      $0.carriage.subtitles = .dropped
      $0.carriage.keepsChapters = false
      $0.carriage.keepsMetadata = false
    }
    #expect(done.report.degradations.isEmpty)
    let facts = try probe(done.path, ["-show_entries", "stream=codec_type:chapter:format_tags"])
    #expect(!facts.contains("subtitle") && !facts.contains("video") && !facts.contains("Zwei"))
    #expect(!facts.contains("My Film"))
  }
}
