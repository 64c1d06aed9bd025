// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Inspection
import LibAV
import Rendering
import Report
import TestSupport
import Testing

/// Pictures are copied bit by bit, and the sound keeps its time relative to them.
@Suite(.tags(.system), .fullRunOnly) struct VideoCopyTests {
  private func render(
    _ film: FlashAndBeep, _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> (case: RenderCase, report: RenderReport, path: String) {
    var test = try RenderCase(path: film.path)
    let path = test.folder.file("out.mp4")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .fragmentedMP4(.flac, bitRate: nil)
    test.job.loudness = nil
    change(&test.job)
    return (test, try await test.run(), path)
  }

  private func expectExact(_ film: FlashAndBeep, _ output: String, lag: Double = 0) throws {
    #expect(try FlashAndBeep.pictures(output) == FlashAndBeep.pictures(film.path))
    let lags = try FlashAndBeep.lags(output)
    #expect(lags.count == FlashAndBeep.seconds - 1)
    // ffprobe prints microseconds.
    for value in lags { #expect((value - lag).magnitude < 3e-6, "\(value)") }
  }

  @Test("pictures and sound stay aligned in MP4 and HLS") func alignedTracksStayAligned()
    async throws
  {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(film)
    #expect(done.report.degradations.isEmpty && done.report.outputs[0].verified)
    try expectExact(film, done.path)
  }

  @Test("sound half a second late stays half a second late") func lateSoundStaysLate() async throws
  {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let late = try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: "0.499333")
    let source = try #require(try FlashAndBeep.times(late.path, "a").first)
    #expect(source > 0.49)
    let done = try await render(late)
    try expectExact(late, done.path, lag: source)
  }

  /// The start-up samples of a lossy encoding lie before the sound; the sound keeps its time.
  @Test(arguments: [AudioEncoding.aac, .opus])
  func lateLossySoundStaysLate(encoding: AudioEncoding) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    for delay in ["0.499333", "0.004"] {
      let late = try FlashAndBeep(copying: film, folder, name: "late\(delay).mp4", delay: delay)
      let source = try #require(try FlashAndBeep.times(late.path, "a").first)
      let done = try await render(late) {
        $0.form = .fragmentedMP4(encoding, bitRate: 256_000)
      }
      #expect(done.report.outputs[0].verified)
      for lag in try FlashAndBeep.lags(done.path) {
        #expect((lag - source).magnitude < 2e-3, "\(lag) \(source)")
      }
    }
  }

  /// Chromium plays Opus that begins late 6.5 ms early.
  @Test("Opus that would begin half a second late begins with silence, and the report says so")
  func lateOpusBeginsWithSilence() async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let late = try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: "0.5")
    for (encoding, silence) in [(AudioEncoding.opus, 24_000), (.aac, 0)] as [(AudioEncoding, Int64)]
    {
      let done = try await render(late) {
        $0.form = .fragmentedMP4(encoding, bitRate: 256_000)
      }
      #expect(
        done.report.outputs[0].samples == Int64(FlashAndBeep.seconds * 48_000) + silence)
      let decision = try #require(done.report.decisions.first { $0.code == .audioStart })
      #expect(decision.chose.hasSuffix("of silence") == (silence > 0))
      let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: done.path)))
      let source = ByteSource(data)
      let track = try #require(FragmentedMovieReader(source)?.tracks.first { $0.handler == "soun" })
      #expect(track.edits.map(\.mediaTime) == [encoding == .opus ? 312 : 0])
    }
  }

  /// ffprobe gives the ratio of the container where there is one, as players do; of HLS only that of the files it names.
  @Test(
    "pictures are copied with the ratio of their container, else with that of their bitstream",
    arguments: [
      ("1", "20:9", "b.mkv", "5:4"), ("1", "20:9", "b.mp4", "5:4"), ("4/3", "16:9", "b.mkv", "1:1"),
      ("4/3", "16:9", "b.mp4", "1:1"), ("4/3", nil, "b.ts", "4:3"),
      ("4/3", "64:27", "b.mkv", "4:3"),
    ] as [(bitstream: String, display: String?, name: String, ratio: String)])
  func picturesKeepTheirRatio(
    bitstream: String, display: String?, name: String, ratio: String
  ) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(
      folder, name: "a.mkv", audio: ["-c:a", "mp2"], extra: ["-vf", "setsar=\(bitstream)"])
    try FixtureStore.ffmpeg(
      ["-i", film.path, "-map", "0", "-c", "copy"] + (display.map { ["-aspect", $0] } ?? [])
        + [folder.file(name)])
    for (form, output, pictures) in [
      (RenderJob.Form.fragmentedMP4(.flac, bitRate: nil), "out.mp4", "out.mp4"),
      (.hls(.flac, bitRate: nil), "out.m3u8", "out-video.mp4"),
    ] {
      var test = try RenderCase(path: folder.file(name))
      let path = test.folder.file(output)
      test.job.outputs = [.init(endpoint: .none, location: .file(path))]
      test.job.form = form
      test.job.loudness = nil
      let report = try await test.run()
      #expect(!report.degradations.contains { $0.code == .videoLeftOut })
      let result = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=sample_aspect_ratio",
          "-of",
          "compact=p=0:nk=1", test.folder.file(pictures),
        ])
      let found = String(decoding: result.output, as: UTF8.self).split(separator: "\n")
      #expect(found.first.map(String.init) == ratio, "\(output)")
    }
  }

  @Test("HLS fills a late start of the sound with silence") func silenceFillsALateStartInHLS()
    async throws
  {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let late = try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: "0.5")
    let done = try await render(late) { job in
      job.form = .hls(.flac, bitRate: nil)
      job.outputs[0].location = .file(folder.file("out.m3u8"))
    }
    #expect(done.report.outputs[0].samples == Int64(FlashAndBeep.seconds * 48_000 + 24_000))
    #expect(done.report.decisions.contains { $0.code == .audioStart })
    let sound = try Decoded(folder.file("out.mp4"))
    #expect(sound.planes[0][..<24_000].allSatisfy { $0 == 0 })
    // Both renditions begin at 0.
    for name in ["out.mp4", "out-video.mp4"] {
      let kind = name == "out.mp4" ? "a" : "v"
      #expect(try FlashAndBeep.times(folder.file(name), kind).first == 0)
    }
  }

  @Test("a transport stream keeps the lead of its pictures") func transportStreamsKeepTheirLead()
    async throws
  {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.ts", audio: ["-c:a", "mp2", "-b:a", "384k"])
    #expect(try #require(try FlashAndBeep.times(film.path, "v").first) > 1.3)
    let before = try FlashAndBeep.lags(film.path)
    let done = try await render(film)
    #expect(try FlashAndBeep.pictures(done.path) == FlashAndBeep.pictures(film.path))
    let after = try FlashAndBeep.lags(done.path)
    #expect(before.count == after.count && !after.isEmpty)
    // ffmpeg keeps the start-up samples of MPEG layer II, 481 of them; ours are trimmed. The rest
    // is how MPEG's times are rounded to 90 kHz, and where a coded beep begins.
    for (old, new) in zip(before, after) {
      #expect((old - new).magnitude < 5e-4, "\(old) \(new)")
    }
  }

  /// A transport stream marks packets that arrived damaged (ISO/IEC 13818-1, 2.4.3.3).
  @Test("pictures marked as damaged in a transport stream are refused or reported")
  func damagedPicturesAreRefusedOrTold() async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.ts", audio: ["-c:a", "mp2", "-b:a", "384k"])
    var bytes = [UInt8](try Data(contentsOf: folder.url("a.ts")))
    // ffmpeg gives the pictures the identifier 256.
    let pictures = stride(from: 0, to: bytes.count, by: 188).filter { place -> Bool in
      let high = Int(bytes[place + 1] & 0x1F)
      return 256 * high + Int(bytes[place + 2]) == 256
    }
    let place = try #require(pictures.dropFirst(pictures.count / 2).first)
    bytes[place + 1] |= 0x80
    try Data(bytes).write(to: folder.url("a.ts"))
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(film) { $0.decoding.damage = .fail }
    }
    #expect(failure?.error.kind == .damaged)
    let done = try await render(film) { $0.decoding.damage = .conceal }
    #expect(done.report.degradations.contains { $0.code == .videoDamaged })
  }

  @Test func silenceFillsALateStartWhenAskedFor() async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let late = try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: "0.5")
    let done = try await render(late) { $0.alignment = .presentation }
    #expect(done.report.outputs[0].samples == Int64(FlashAndBeep.seconds * 48_000 + 24_000))
    try expectExact(late, done.path, lag: 0.5)
  }

  @Test func aRangeTakesPicturesFromTheKeyFrameBefore() async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(film) {
      $0.start = .clock(.init(ticks: 2500, rate: 1000))
      $0.clip.range.end = .at(.clock(.init(ticks: 5500, rate: 1000)))
    }
    #expect(done.report.outputs[0].samples == 144_000)
    // Shown from 2.5 s on: the flashes of seconds 3 to 5 lie at 0.5, 1.5 and 2.5 s.
    let shown = try FlashAndBeep.times(done.path, "v").filter { $0 >= -1e-6 && $0 < 3 }
    #expect(shown.count == 75)
    // The source has no picture at 2.5 s itself, but at 2.52 s.
    #expect(((shown.min() ?? 1) - 0.02).magnitude < 1e-5)
    let sound = try Decoded(done.path)
    #expect(sound.planes[0][24_001].magnitude > 0.02 && sound.planes[0][23_990].magnitude < 0.02)
  }

  @Test(
    "pictures in other codecs are copied",
    arguments: [
      ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=25:bframes=4"],
      ["-c:v", "libvpx-vp9", "-b:v", "100k", "-g", "25", "-deadline", "realtime"],
      ["-c:v", "libaom-av1", "-cpu-used", "8", "-b:v", "100k", "-g", "25"],
    ])
  func otherCodecsAreCopiedToo(codec: [String]) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv", codec: codec)
    let done = try await render(film)
    #expect(done.report.degradations.isEmpty)
    try expectExact(film, done.path)
  }

  @Test("pictures with start codes are stored with lengths") func startCodesBecomeLengths()
    async throws
  {
    let folder = try TemporaryFolder()
    for codec in [
      FlashAndBeep.h264, ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=25"],
    ] {
      let film = try FlashAndBeep(folder, name: "a.ts", codec: codec, audio: ["-c:a", "mp2"])
      let done = try await render(film)
      #expect(try FlashAndBeep.pictures(done.path) == FlashAndBeep.pictures(film.path))
    }
  }

  @Test func hdrAndRotationAreKept() async throws {
    let folder = try TemporaryFolder()
    let colours =
      "colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:max-cll=1000,400:"
      + "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
    // A transport stream has its HDR metadata in SEI messages only.
    let film = try FlashAndBeep(
      folder, name: "a.ts",
      codec: ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=25:hdr10=1:\(colours)"],
      audio: ["-c:a", "mp2"])
    let done = try await render(film)
    let text = try probe(done.path)
    #expect(text.contains("max_luminance=10000000/10000") && text.contains("red_x=34000/50000"))
    #expect(text.contains("max_content=1000") && text.contains("color_transfer=smpte2084"))
    #expect(text.contains("codec_tag_string=hvc1"))
    let plain = try FlashAndBeep(folder, name: "b.mkv")
    let turned = folder.file("c.mp4")
    try FixtureStore.ffmpeg([
      "-i", plain.path, "-c", "copy", "-strict", "-2", "-metadata:s:v", "rotate=90", turned,
    ])
    var test = try RenderCase(path: turned)
    test.job.outputs = [.init(location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.flac, bitRate: nil)
    test.job.loudness = nil
    _ = try await test.run()
    let before = try probe(turned).split(separator: "\n").first { $0.hasPrefix("rotation=") }
    #expect(before != nil)
    #expect(try probe(test.folder.file("out.mp4")).contains(before ?? "none"))
  }

  private func probe(_ path: String) throws -> String {
    let result = try Tool.run(
      "ffprobe", ["-v", "error", "-select_streams", "v", "-show_streams", path])
    return String(decoding: result.output, as: UTF8.self)
  }

  @Test func hlsKeepsPicturesInAFileOfTheirOwn() async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let done = try await render(film) {
      $0.form = .hls(.flac, bitRate: nil)
      $0.outputs[0].location = .file(folder.file("film.m3u8"))
    }
    #expect(done.report.outputs[0].verified)
    let names = ["film-audio.m3u8", "film-video.m3u8", "film-video.mp4", "film.m3u8", "film.mp4"]
    #expect(folder.contents.filter { $0.hasPrefix("film") }.sorted() == names)
    let text = try String(contentsOfFile: folder.file("film.m3u8"), encoding: .utf8)
    #expect(text.contains("CODECS=\"avc1.") && text.contains(",fLaC\""))
    #expect(text.contains("RESOLUTION=160x90,FRAME-RATE=25.000,VIDEO-RANGE=SDR"))
    let pictures = try FlashAndBeep.pictures(folder.file("film.m3u8"))
    #expect(pictures == (try FlashAndBeep.pictures(film.path)))
  }

  /// Open groups of pictures, and a range that begins between key frames: every fragment begins with
  /// a picture that decoding can begin with.
  @Test func fragmentsBeginWithKeyFrames() async throws {
    let folder = try TemporaryFolder()
    let open = try FlashAndBeep(
      folder, name: "open.mp4",
      codec: ["-c:v", "libx265", "-x265-params", "log-level=none:keyint=25:bframes=4:open-gop=1"],
      extra: ["-strict", "-2"])
    let closed = try FlashAndBeep(folder, name: "closed.mkv")
    for (film, start) in [(open, 0), (closed, 0), (closed, 1300), (closed, 1960), (open, 2500)] {
      for name in ["out.mp4", "out.m3u8"] {
        let done = try await render(film) {
          $0.outputs[0].location = .file(folder.file(name))
          if name == "out.m3u8" { $0.form = .hls(.flac, bitRate: nil) }
          $0.fragmentDuration = .clock(.init(ticks: 1, rate: 1))
          $0.overwrite = true
          if start > 0 { $0.start = .clock(.init(ticks: Int64(start), rate: 1000)) }
        }
        #expect(done.report.outputs[0].verified)
        let findings = try OutputValidator(isolate: true).validate(path: folder.file(name)).findings
        #expect(findings.isEmpty, "\(film.path) \(start) \(name): \(findings)")
      }
    }
  }

  @Test func changedParameterSetsAreNotCopied() async throws {
    let folder = try TemporaryFolder()
    let first = try FlashAndBeep(folder, name: "a.ts", audio: ["-c:a", "mp2"])
    let second = try FlashAndBeep(
      folder, name: "b.ts",
      codec: ["-c:v", "libx264", "-bf", "0", "-profile:v", "baseline", "-g", "25"],
      audio: ["-c:a", "mp2"], extra: ["-output_ts_offset", "\(FlashAndBeep.seconds)"])
    let both = folder.url("c.ts")
    try (Data(contentsOf: folder.url("a.ts")) + Data(contentsOf: folder.url("b.ts")))
      .write(to: both)
    _ = (first, second)
    var test = try RenderCase(path: both.path)
    test.job.outputs = [.init(location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.flac, bitRate: nil)
    test.job.loudness = nil
    let kinds = try await test.run().degradations.map(\.code.rawValue)
    #expect(kinds.contains("video-left-out"))
  }
}
