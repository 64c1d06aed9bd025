// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Matroska
import MediaIn
import Platform
import Report
import TestSupport
import Testing

@testable import Rendering

/// WebM is what browsers know of Matroska: Opus, beside pictures of three codecs and WebVTT.
@Suite(.tags(.system), .fullRunOnly) struct WebMOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func render(
    _ path: String, _ name: String = "out.webm", _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> RenderReport {
    var test = try RenderCase(path: path)
    test.job.outputs = [.init(endpoint: .none, location: .file(folder.file(name)))]
    test.job.loudness = nil
    test.job.form = .webm
    change(&test.job)
    return try await test.run()
  }

  private func reader(_ name: String = "out.webm") throws -> MatroskaReader {
    let file = try MediaFile.locate(folder.file(name))
    return try MatroskaReader(ByteSource(size: file.size) { file.bytes(at: $0, count: $1) })
  }

  private func checkIsClean(_ name: String = "out.webm") throws {
    let report = try OutputValidator().validate(path: folder.file(name))
    #expect(report.format == "webm" && report.findings.isEmpty, "\(report.findings)")
  }

  @Test("sound alone has its exact length and start") func soundIsExact() async throws {
    let path = folder.file("a.wav")
    try Data(WAVBytes.pcm16(ImpulseSignal.planes(), rate: 48_000)).write(
      to: URL(fileURLWithPath: path))
    let report = try await render(path)
    #expect(report.outputs[0].format == "webm" && report.outputs[0].verified)
    #expect(try reader().docType == .webm)
    #expect(try reader().tracks.map(\.codecID) == ["A_OPUS"])
    let back = try await render(folder.file("out.webm"), "again.webm")
    #expect(back.timeline?.samplesOut == Int64(ImpulseSignal.frames))
    #expect(back.timeline?.priming.samples == 312)
    try checkIsClean()
  }

  private static let vp9 = ["-c:v", "libvpx-vp9", "-b:v", "200k", "-g", "25", "-cpu-used", "8"]

  @Test("pictures of VP9 stay in time, and texts become WebVTT") func filmsArrive() async throws {
    let film = try FlashAndBeep(folder, name: "a.mkv", codec: WebMOutputTests.vp9)
    try Data("1\n00:00:00,500 --> 00:00:01,500\n<i>Fish</i> & chips\n".utf8).write(
      to: folder.url("a.srt"))
    try FixtureStore.ffmpeg([
      "-i", film.path, "-i", folder.file("a.srt"), "-map", "0", "-map", "1", "-c", "copy",
      "-metadata:s:s:0", "language=eng", folder.file("b.mkv"),
    ])
    let report = try await render(folder.file("b.mkv"))
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    #expect(try FlashAndBeep.pictures(folder.file("out.webm")) == FlashAndBeep.pictures(film.path))
    for lag in try FlashAndBeep.lags(folder.file("out.webm")) { #expect(lag.magnitude < 2e-3) }
    let file = try reader()
    #expect(file.tracks.map(\.codecID) == ["A_OPUS", "V_VP9", "D_WEBVTT/SUBTITLES"])
    var texts: [String] = []
    try file.forEachBlock { frame in
      if frame.track == 3 { texts.append(String(decoding: frame.data, as: UTF8.self)) }
      return true
    }
    #expect(texts == ["\n\n<i>Fish</i> &amp; chips"])
    let shown = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-copyts", "-i", folder.file("out.webm"), "-map", "0:s", "-c", "copy", "-f",
        "webvtt", "-",
      ]
    ).output
    #expect(
      String(decoding: shown, as: UTF8.self)
        == "WEBVTT\n\n00:00.500 --> 00:01.500\n<i>Fish</i> &amp; chips\n")
    try checkIsClean()
  }

  @Test("other pictures stay behind, which is reported") func otherPicturesAreNamed() async throws {
    let film = try FlashAndBeep(folder, name: "a.mp4", audio: ["-c:a", "aac"])
    let report = try await render(film.path)
    let told = report.degradations.filter { $0.code == .videoLeftOut }
    #expect(told.count == 1 && told[0].message.contains("WebM has no h264"), "\(told)")
    #expect(try reader().tracks.map(\.kind) == [.audio])
    try checkIsClean()
  }

  @Test("what lies in WebM goes into WebM as it is") func originalsStay() async throws {
    let film = try FlashAndBeep(
      folder, name: "a.webm", codec: WebMOutputTests.vp9, audio: ["-c:a", "libopus"])
    try FixtureStore.ffmpeg([
      "-i", film.path, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy", "-c:a:1",
      "libvorbis", folder.file("b.webm"),
    ])
    _ = try await render(folder.file("b.webm"))
    let (source, made) = (try reader("b.webm"), try reader())
    #expect(made.tracks.map(\.codecID) == ["A_OPUS", "V_VP9", "A_OPUS", "A_VORBIS"])
    #expect(
      made.tracks.dropFirst().map(\.codecPrivate) == source.tracks.map(\.codecPrivate))
    let sounds = made.tracks.filter { $0.kind == .audio }
    #expect(sounds.map(\.isDefault) == [true, false, false])
    try checkIsClean()
  }

  @Test(
    "beside pictures that stay behind, sound of WebM's codecs is kept and styled texts lose their style"
  )
  func fittingTracksStay() async throws {
    let film = try FlashAndBeep(folder, name: "a.mkv", audio: ["-c:a", "libopus"])
    try Data("1\n00:00:00,500 --> 00:00:01,500\n{\\an8}Up\n".utf8).write(to: folder.url("a.srt"))
    try FixtureStore.ffmpeg([
      "-i", film.path, "-i", folder.file("a.srt"), "-map", "0:v", "-map", "0:a", "-map", "0:a",
      "-map",
      "1", "-c", "copy", "-c:a:1", "flac", "-c:s", "ass", folder.file("b.mkv"),
    ])
    let report = try await render(folder.file("b.mkv"))
    #expect(try reader().tracks.map(\.codecID) == ["A_OPUS", "A_OPUS", "D_WEBVTT/SUBTITLES"])
    let left = report.decisions.filter { $0.code == .leftOut }.map(\.chose)
    #expect(left.count == 1 && left[0].contains("WebM has no flac"), "\(left)")
    try checkIsClean()
  }

  @Test("a track or file of another kind is a finding") func strangersAreFindings() throws {
    var track = MatroskaTrackEntry(number: 1, kind: .audio, codecID: "A_OPUS")
    track.sound = .init(rate: 48_000, channels: 2)
    var bytes: [UInt8] = []
    var builder = try MatroskaSegmentBuilder(
      MatroskaSegment(.webm, info: MatroskaInfo(maker: "a maker"), tracks: [track])
    ) { bytes += $0 }
    try builder.add(MatroskaBlock(track: 1, time: .nanoseconds(0), data: [1, 2, 3]))
    for patch in try builder.finish() {
      bytes.replaceSubrange(
        Int(patch.offset)..<Int(patch.offset) + patch.bytes.count, with: patch.bytes)
    }
    func findings(_ bytes: [UInt8]) -> [MatroskaFinding.Code] {
      let source = ByteSource(bytes)
      return MatroskaCheck(source).findings.map(\.code)
    }
    #expect(findings(bytes) == [])
    let place = try #require(bytes.firstRange(of: Array("A_OPUS".utf8)))
    bytes.replaceSubrange(place, with: "A_FLAC".utf8)
    #expect(findings(bytes).contains(.documentType))
  }
}
