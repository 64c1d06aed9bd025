// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Inspection
import LibAV
import Rendering
import TestSupport
import Testing

/// A render to progressive MP4 has the same samples at the same times, and the same media as in fragments.
@Suite(.tags(.system), .fullRunOnly) struct ProgressiveOutputTests {
  private func impulses(_ form: RenderJob.Form, _ name: String = "out.m4a") throws -> RenderCase {
    var test = try RenderCase(WAVBytes.pcm16(ImpulseSignal.planes(), rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file(name)))]
    test.job.loudness = nil
    test.job.form = form
    test.job.policy.overwrite = true
    return test
  }

  private func source(_ path: String) throws -> ByteSource {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return ByteSource(data)
  }

  @Test("FLAC, ALAC and PCM keep every bit", arguments: [AudioEncoding.flac, .alac, .pcm])
  func losslessEncodingsAreExact(encoding: AudioEncoding) async throws {
    let test = try impulses(.progressiveMP4(encoding, bitRate: nil))
    let report = try await test.run()
    #expect(report.outputs[0].format == "mp4" && report.outputs[0].verified)
    #expect(report.outputs[0].samples == Int64(ImpulseSignal.frames))
    let decoded = try Decoded(test.folder.file("out.m4a"))
    #expect(decoded.planes == ImpulseSignal.planes().map { $0.map { Float($0) * 0x1p-15 } })
  }

  /// ffmpeg follows the edit list here: no start-up samples are heard, of the last packet the padding may be.
  @Test("AAC begins at its first sample in ffmpeg, and Pinna plays exactly what was rendered")
  func aacKeepsPlaceAndLength() async throws {
    let test = try impulses(.progressiveMP4(.aac, bitRate: 256_000))
    let path = test.folder.file("out.m4a")
    #expect(try await test.run().outputs[0].samples == Int64(ImpulseSignal.frames))
    let planes = ImpulseSignal.planes()
    let decoded = try Decoded(path)
    #expect((0...1023).contains(decoded.planes[0].count - ImpulseSignal.frames))
    for burst in ImpulseSignal.bursts {
      let lag = ImpulseSignal.lag(of: decoded.planes[0], against: planes[0], burst: burst)
      #expect(lag.samples == 0 && lag.correlation > 0.9)
    }
    var again = try RenderCase(path: path)
    again.job.outputs[0].endpoint = .none
    again.job.loudness = nil
    let back = try await again.run()
    #expect(back.timeline?.priming.source == .editList)
    #expect(back.timeline?.priming.samples == 1024)
    #expect(back.timeline?.samplesOut == Int64(ImpulseSignal.frames))
    #expect(back.degradations.isEmpty)
    let reader = try #require(ProgressiveMovieReader(try source(path)))
    #expect(reader.movie.duration == Int64(ImpulseSignal.frames) + 1024)
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
  }

  /// MD5 of the coded packets, as ffmpeg demuxes them.
  private func payload(_ path: String, _ stream: String) throws -> String {
    let result = try Tool.run(
      "ffmpeg", ["-v", "error", "-i", path, "-map", stream, "-c", "copy", "-f", "md5", "-"])
    guard result.status == 0 else { throw ToolFailure(text: result.errors) }
    return String(decoding: result.output, as: UTF8.self)
  }

  @Test(
    "packets of sound are those of fragments", arguments: [AudioEncoding.aac, .flac, .alac, .pcm])
  func mediaAreThoseOfFragments(encoding: AudioEncoding) async throws {
    var digests: Set<String> = []
    for form in [
      RenderJob.Form.progressiveMP4(encoding, bitRate: nil), .fragmentedMP4(encoding, bitRate: nil),
    ] {
      let test = try impulses(form)
      _ = try await test.run()
      digests.insert(try payload(test.folder.file("out.m4a"), "0:a:0"))
    }
    #expect(digests.count == 1)
  }

  @Test("two runs give the same bytes") func bytesRepeat() async throws {
    var files: Set<Data> = []
    for _ in 0..<2 {
      let test = try impulses(.progressiveMP4(.aac, bitRate: nil))
      _ = try await test.run()
      files.insert(try Data(contentsOf: test.folder.url("out.m4a")))
    }
    #expect(files.count == 1)
  }

  @Test(
    "pictures and sound stay in time, also where the sound begins half a second late",
    arguments: [AudioEncoding.flac, .aac], [nil, "0.499333"] as [String?])
  func filmsStayInTime(encoding: AudioEncoding, delay: String?) async throws {
    let folder = try TemporaryFolder()
    let film = try FlashAndBeep(folder, name: "a.mkv")
    let input = try delay.map {
      try FlashAndBeep(copying: film, folder, name: "late.mp4", delay: $0)
    }
    let start =
      try input.map { try #require(try FlashAndBeep.times($0.path, "a").first) } ?? 0
    var test = try RenderCase(path: (input ?? film).path)
    let path = test.folder.file("out.mp4")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .progressiveMP4(encoding, bitRate: nil)
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.outputs[0].verified && report.outputs[0].format == "mp4")
    #expect(try FlashAndBeep.pictures(path) == FlashAndBeep.pictures(film.path))
    for lag in try FlashAndBeep.lags(path) {
      #expect((lag - start).magnitude < (encoding == .flac ? 3e-6 : 2e-3), "\(lag)")
    }
    // Late AAC presents its start-up samples: a reader can't be sure of them, and the file is right all the same.
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
    let reader = try #require(ProgressiveMovieReader(try source(path)))
    let sound = try #require(reader.movie.tracks.first { $0.handler == "soun" })
    #expect(sound.edits.count == (delay == nil ? 1 : 2))
  }

  @Test("frames of E-AC-3 are copied into tables as they are") func copiesAreProgressive()
    async throws
  {
    let folder = try TemporaryFolder()
    let input = folder.file("a.mp4")
    try FixtureStore.ffmpeg(["-f", "lavfi", "-i", "sine=d=3", "-c:a", "eac3", input])
    let path = folder.file("out.mp4")
    let request = RenderRequest(
      .file(input),
      outputs: [OutputRequest(.file(path), copyInto: OutputRequest.CopyContainer(.mp4))])
    let report = try await RenderPipeline().render(request)
    #expect(report.outputs[0].format == "mp4" && report.outputs[0].verified)
    #expect(try payload(path, "0:a:0") == payload(input, "0:a:0"))
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
  }

  @Test("Opus in one piece is refused, and the message names fragments")
  func otherCodecsAreRefused() async throws {
    let test = try impulses(.progressiveMP4(.opus, bitRate: nil))
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .usage)
    #expect(failure?.error.message.contains("fmp4") == true)
  }
}
