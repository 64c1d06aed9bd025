// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Report
import TestSupport
import Testing

@testable import Rendering

/// MP4 and HLS keep the input's own AAC, AC-3 and E-AC-3 beside the rendered track.
@Suite(.tags(.system), .fullRunOnly) struct CopiedSoundsTests {
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("film.mkv")
    let film = try FlashAndBeep(folder, name: "a.mkv", audio: ["-c:a", "aac"])
    try FixtureStore.ffmpeg([
      "-i", film.path, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-map", "0:a", "-map", "0:a",
      "-c:v",
      "copy", "-c:a:0", "aac", "-c:a:1", "ac3", "-c:a:2", "eac3", "-c:a:3", "flac",
      "-metadata:s:a:1", "language=eng",
      "-metadata:s:a:2", "language=ger", path,
    ])
  }

  private func render(
    _ kept: Carriage.KeptAudio, _ form: RenderJob.Form = .progressiveMP4(.aac, bitRate: nil),
    _ change: (inout RenderJob) -> Void = { _ in }
  ) async throws -> RenderReport {
    var test = try RenderCase(path: path)
    test.job.outputs = [.init(endpoint: .headphones, location: .file(folder.file("out.mp4")))]
    test.job.form = form
    test.job.loudness = nil
    test.job.carriage.keptAudio = kept
    change(&test.job)
    return try await test.run()
  }

  private func hash(_ file: String, _ track: Int) throws -> String {
    let arguments = [
      "-v", "error", "-i", file, "-map", "0:a:\(track)", "-c", "copy", "-f", "md5", "-",
    ]
    return String(decoding: try Tool.run("ffmpeg", arguments).output, as: UTF8.self)
  }

  /// Seconds from the first picture to the first packet of a track of sound.
  private func start(_ file: String, _ track: String) throws -> Double {
    func first(_ stream: String) throws -> Double {
      let text = try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", stream, "-show_entries", "packet=pts_time",
          "-read_intervals", "%+#1", "-of", "csv=p=0", file,
        ]
      ).output
      return try #require(
        Double(
          String(decoding: text, as: UTF8.self).trimmingCharacters(
            in: CharacterSet(charactersIn: ",\n"))))
    }
    return try first(track) - first("v:0")
  }

  @Test(
    "frames and times stay, and the rendered track is first",
    arguments: [
      RenderJob.Form.progressiveMP4(.alac, bitRate: nil), .fragmentedMP4(.flac, bitRate: nil),
    ])
  func framesStay(form: RenderJob.Form) async throws {
    let report = try await render(.all, form)
    let made = folder.file("out.mp4")
    let copies = (report.outputs[0].tracks ?? []).filter { $0.kind == .audio }
    #expect(
      copies.map(\.codec) == ["aac", "ac3", "eac3"] && copies.allSatisfy { $0.sha256 != nil })
    for track in 0...2 {
      #expect(try hash(made, track + 1) == hash(path, track))
      #expect(abs(try start(made, "a:\(track + 1)") - start(path, "a:\(track)")) < 0.001)
    }
    let left = report.decisions.filter { $0.code == .leftOut }.map(\.chose)
    #expect(left.count == 1 && left[0].contains("MP4 gets copies of AAC"), "\(left)")
    let shown = String(
      decoding: try Tool.run(
        "ffprobe",
        [
          "-v", "error", "-select_streams", "a", "-show_entries", "stream_disposition=default",
          "-of", "csv=p=0", made,
        ]
      ).output, as: UTF8.self)
    #expect(shown.split(separator: "\n").map { $0.prefix(1) } == ["1", "0", "0", "0"])
    #expect(try OutputValidator().validate(path: made).findings.isEmpty)
  }

  @Test(
    "HLS has the originals of rendered tracks in a group of their own", arguments: [false, true])
  func originalsAreAGroup(hasSegmentFiles: Bool) async throws {
    func made() async throws -> RenderReport {
      try await render(.all, .hls(.aac, bitRate: nil)) {
        $0.outputs[0].location = .file(folder.file("out.m3u8"))
        $0.clip.decoding.track = .several([2, 1])
        $0.hasSegmentFiles = hasSegmentFiles
        $0.policy.overwrite = true
      }
    }
    // The second one takes the place of the first, folder of segments included.
    _ = try await made()
    let report = try await made()
    let text = try String(contentsOfFile: folder.file("out.m3u8"), encoding: .utf8)
    let sounds = text.split(separator: "\n").filter { $0.contains("GROUP-ID=\"audio-2\"") }
    // The tracks lie in the order of the input there.
    let expected = [("de", "out-original-2.m3u8"), ("en", "out-original-1.m3u8")]
    #expect(sounds.count == 2)
    for (line, (language, playlist)) in zip(sounds, expected) {
      #expect(line.contains("LANGUAGE=\"\(language)\"") && line.contains(playlist), "\(line)")
    }
    #expect(text.contains("ec-3,ac-3"))
    for track in 1...2 {
      #expect(try hash(folder.file("out-original-\(track).m3u8"), 0) == hash(path, track))
    }
    let left = report.decisions.filter { $0.code == .leftOut }.map(\.chose)
    #expect(
      left.count == 1
        && ["aac", "flac"].allSatisfy { left[0].contains("\($0) mono): every group") },
      "\(left)")
    #expect(report.decisions.contains { $0.code == .originals })
    let check = try OutputValidator().validate(path: folder.file("out.m3u8"))
    #expect(check.findings.isEmpty, "\(check.findings)")
  }

  @Test("languages choose, and parts are refused") func languagesChoose() async throws {
    let report = try await render(.languages(["de"]))
    #expect((report.outputs[0].tracks ?? []).filter { $0.kind == .audio }.map(\.codec) == ["eac3"])
    try FileManager.default.removeItem(atPath: folder.file("out.mp4"))
    await #expect(throws: RenderFailure.self) {
      _ = try await render(.all) { $0.clip.range = Clip.Range(start: .samples(48_000)) }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("out.mp4")))
  }
}
