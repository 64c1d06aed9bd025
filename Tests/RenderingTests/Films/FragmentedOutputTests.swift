// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Inspection
import LibAV
import Loudness
import MediaOut
import Rendering
import TestSupport
import Testing

/// A render to fragmented MP4 has the same samples at the same times, for Pinna's reader and for ffmpeg.
@Suite struct FragmentedOutputTests {
  static let encodings = ContainerKind.mp4.traits.output?.codecs ?? []

  private func impulses(_ form: RenderJob.Form) throws -> RenderCase {
    var test = try RenderCase(WAVBytes.pcm16(ImpulseSignal.planes(), rate: 48_000))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.loudness = nil
    test.job.form = form
    test.job.policy.overwrite = true
    return test
  }

  @Test(
    "FLAC, ALAC and PCM in MP4 keep every bit", .tags(.system), .fullRunOnly,
    arguments: [AudioEncoding.flac, .alac, .pcm])
  func losslessEncodingsAreExact(encoding: AudioEncoding) async throws {
    let test = try impulses(.fragmentedMP4(encoding, bitRate: nil))
    let report = try await test.run()
    #expect(report.outputs[0].format == "fmp4" && report.outputs[0].verified)
    #expect(report.outputs[0].samples == Int64(ImpulseSignal.frames))
    let decoded = try Decoded(test.folder.file("out.mp4"))
    #expect(decoded.planes == ImpulseSignal.planes().map { $0.map { Float($0) * 0x1p-15 } })
    // The digest is that of the same samples as 24-bit WAV.
    var plain = test
    plain.job.form = .wav
    plain.job.outputs[0].location = .file(plain.outputPath)
    let wav = try await plain.run()
    #expect(wav.outputs[0].pcmSHA256 == report.outputs[0].pcmSHA256)
  }

  /// Pinna reads loudspeaker positions in `chnl` and Apple's layout tag for binaural sound, which
  /// libavformat 5.1 doesn't.
  @Test(arguments: ["5.1(side)", "7.1", "5.0(side)"])
  func thePositionsOfPCMComeBack(name: String) async throws {
    let layout = try #require(ChannelLayout(name: name))
    var test = try RenderCase(
      TestProgramme.wav(channels: layout.count, seconds: 1, mask: UInt32(layout.mask)))
    let path = test.folder.file("out.mp4")
    test.job.outputs = [.init(endpoint: .none, location: .file(path))]
    test.job.form = .fragmentedMP4(.pcm, bitRate: nil)
    _ = try await test.run()
    let again = try MediaProber().probe(path: path)
    #expect(again.track?.input.layout == name)
    #expect(try OutputValidator().validate(path: path).findings.isEmpty)
  }

  @Test(.tags(.system), .fullRunOnly, arguments: FragmentedOutputTests.encodings)
  func headphonesAreNamedInTheSampleEntry(encoding: AudioEncoding) async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    let path = test.folder.file("out.mp4")
    test.job.outputs = [.init(location: .file(path))]
    test.job.form = .fragmentedMP4(encoding, bitRate: nil)
    _ = try await test.run()
    let bytes = try Data(contentsOf: test.folder.url("out.mp4"))
    let place = try #require(bytes.range(of: Data("chan".utf8)))
    #expect(bytes[(place.upperBound + 4)..<(place.upperBound + 8)] == Data([0, 106, 0, 2]))
    #expect(try Decoded(path).planes.count == 2)
  }

  @Test(
    "AAC and Opus in MP4 keep the place and the number of all samples",
    arguments: [AudioEncoding.aac, .opus])
  func lossyEncodingsKeepPlaceAndLength(encoding: AudioEncoding) async throws {
    let test = try impulses(.fragmentedMP4(encoding, bitRate: 256_000))
    let report = try await test.run()
    #expect(report.outputs[0].samples == Int64(ImpulseSignal.frames))
    // Our own reader follows the edit list to the sample.
    var again = try RenderCase(path: test.folder.file("out.mp4"))
    again.job.outputs[0].endpoint = .none
    again.job.loudness = nil
    let back = try await again.run()
    #expect(back.timeline?.priming.source == .editList)
    #expect(back.timeline?.samplesOut == Int64(ImpulseSignal.frames))
    let planes = ImpulseSignal.planes()
    let decoded = try again.decoded()
    for burst in ImpulseSignal.bursts {
      let lag = ImpulseSignal.lag(of: decoded.planes[0], against: planes[0], burst: burst)
      #expect(lag.samples == 0 && lag.correlation > 0.9)
    }
  }

  @Test("Opus for Media Source Extensions has an edit that skips nothing")
  func opusForMediaSourceHasNoEdit() async throws {
    var test = try impulses(.fragmentedMP4(.opus, bitRate: nil))
    test.job.isForMediaSource = true
    let report = try await test.run()
    #expect(report.outputs[0].verified)
    let data = [UInt8](try Data(contentsOf: test.folder.url("out.mp4")))
    let source = ByteSource(data)
    let track = try #require(FragmentedMovieReader(source)?.tracks.first)
    #expect(track.edits.count == 1 && track.edits[0].mediaTime == 0)
    #expect(track.edits[0].duration == Int64(ImpulseSignal.frames) + 312)
    test.job.form = .fragmentedMP4(.aac, bitRate: nil)
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .usage)
  }

  @Test(.tags(.system), .fullRunOnly) func pcmKeepsItsChannels() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 2, level: 0.05, mask: 0x3F))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.loudness = nil
    test.job.form = .fragmentedMP4(.pcm, bitRate: nil)
    for encoding in [SampleEncoding.pcm16, .pcm24] {
      test.job.encoding = encoding
      test.job.policy.overwrite = true
      let report = try await test.run()
      #expect(report.outputs[0].samples == 96_000)
      #expect(try Decoded(test.folder.file("out.mp4")).planes.count == 6)
    }
  }

  @Test("each encoding in MP4 has the same bytes for blocks of any size")
  func twoRunsGiveTheSameBytes() async throws {
    for encoding in FragmentedOutputTests.encodings {
      let test = try impulses(.fragmentedMP4(encoding, bitRate: nil))
      _ = try await test.run()
      let first = try Data(contentsOf: test.folder.url("out.mp4"))
      var other = test
      other.job.blockSize = 777
      _ = try await other.run()
      #expect(try Data(contentsOf: test.folder.url("out.mp4")) == first, "\(encoding)")
    }
  }

  @Test(
    "the decoded output stays below the true-peak ceiling", .tags(.slow), .fullRunOnly,
    arguments: FragmentedOutputTests.encodings)
  func theCeilingHoldsBehindTheEncoder(encoding: AudioEncoding) async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 8, level: 0.3, mask: 0x60F))
    test.job.outputs = [.init(location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(encoding, bitRate: nil)
    let report = try await test.run()
    let output = try #require(report.loudness?.output)
    #expect(try #require(output.truePeak) <= (encoding.isLossless ? -1 : -0.95))
    #expect(((output.integrated ?? 0) + 16).magnitude < 0.3)
    #expect(!report.degradations.contains { $0.code == .codecOvershoot })
    #expect(report.degradations.filter { $0.code == .limited }.count <= 1)
    #expect(test.folder.contents == ["in.wav", "out.mp4"])
  }

  /// An encoder that moves the loudness is corrected the other way, and nothing is left to tell.
  @Test("loudness lost by an encoder is given back", .tags(.system), .fullRunOnly)
  func theLoudnessHoldsBehindTheEncoder() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    try FixtureStore.ffmpeg([
      "-y", "-f", "lavfi", "-i", "anoisesrc=d=10:c=white:r=48000:a=0.02:s=7,highpass=f=9000", "-ac",
      "2",
      test.folder.file("in.wav"),
    ])
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.form = .fragmentedMP4(.opus, bitRate: 24_000)
    test.job.rendition.level?.integrated = -30
    let report = try await test.run()
    let levels = try #require(report.loudness)
    let (before, after) = (levels.input.integrated, levels.output.integrated)
    // Opus of 24 kbit/s loses more than 1 dB of such noise; without that the test would say nothing.
    #expect(levels.gainDB - (-30 - (try #require(before))) > 0.5)
    #expect(((try #require(after)) + 30).magnitude < 0.1)
    #expect(!report.degradations.contains { $0.code == .codecLoudness })
  }

  @Test(
    "5.1 is carried in AAC and FLAC", .tags(.system), .fullRunOnly,
    arguments: [AudioEncoding.aac, .flac])
  func surroundIsCarried(encoding: AudioEncoding) async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 3, level: 0.05, mask: 0x3F))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.form = .fragmentedMP4(encoding, bitRate: nil)
    let report = try await test.run()
    #expect(report.outputs[0].samples == 144_000)
    #expect(try Decoded(test.folder.file("out.mp4")).planes.count == 6)
  }

  /// Dolby's 5.1 has side surrounds; AAC, ALAC and Opus call the same loudspeakers back.
  @Test(arguments: [AudioEncoding.aac, .alac, .opus])
  func sideSurroundsAreCarried(encoding: AudioEncoding) async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 2, level: 0.05, mask: 0x60F))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("out.mp4")))
    ]
    test.job.form = .fragmentedMP4(encoding, bitRate: nil)
    test.job.loudness = nil
    let report = try await test.run()
    #expect(report.outputs[0].verified && report.outputs[0].samples == 96_000)
    #expect(report.decisions.contains { $0.code == .layout && $0.chose == "5.1" })
  }

  @Test("streams left out of the output are reported once", .tags(.system), .fullRunOnly)
  func whatIsLeftOutIsSaid() async throws {
    let folder = try TemporaryFolder()
    try Data("1\n00:00:00,100 --> 00:00:00,900\nhello\n".utf8).write(to: folder.url("a.srt"))
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "testsrc=d=1:s=64x64", "-f", "lavfi", "-i", "sine=d=1:r=48000", "-i",
      folder.file("a.srt"), "-c:v", "mpeg4", "-c:a", "flac", "-c:s", "srt", folder.file("a.mkv"),
    ])
    var test = try RenderCase(path: folder.file("a.mkv"))
    test.job.outputs = [.init(location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.flac, bitRate: nil)
    test.job.policy.overwrite = true
    let kinds = try await test.run().degradations.map(\.code.rawValue)
    #expect(kinds.contains("video-left-out") && !kinds.contains("subtitles-left-out"))
    test.job.carriage.keepsVideo = false
    test.job.carriage.subtitles = .dropped
    let asked = try await test.run()
    #expect(!asked.degradations.contains { $0.code.rawValue.hasSuffix("left-out") })
    #expect(asked.decisions.contains { $0.code == .video && $0.chose == "left out" })
    test.job.form = .wav
    test.job.outputs[0].location = .file(test.outputPath)
    test.job.carriage.keepsVideo = true
    let wav = try await test.run()
    #expect(!wav.degradations.contains { $0.code.rawValue.hasSuffix("left-out") })
    #expect(wav.decisions.contains { $0.code == .video })
  }

  @Test func formatsTheEncoderCantTakeAreRefused() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1, rate: 44_100))
    test.job.outputs = [.init(location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(.opus, bitRate: nil)
    test.job.rendition.sampleRate = 44_100
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .unsupportedFeature)
    #expect(test.folder.contents == ["in.wav"])
    test.job.rendition.sampleRate = nil
    #expect(try await test.run().outputs[0].samples == 48_000)
  }

  @Test("ffmpeg plays HLS by its playlist to the same samples", .tags(.system), .fullRunOnly)
  func hlsPlaysByItsPlaylists() async throws {
    var test = try impulses(.hls(.flac, bitRate: nil))
    test.job.outputs[0].location = .file(test.folder.file("film.m3u8"))
    test.job.fragmentDuration = .clock(MediaTime(ticks: 3, rate: 5))
    let report = try await test.run()
    #expect(report.outputs[0].format == "hls" && report.outputs[0].verified)
    #expect(
      test.folder.contents.filter { $0 != "in.wav" }.sorted()
        == ["film-audio.m3u8", "film.m3u8", "film.mp4"])
    let decoded = try Decoded(test.folder.file("film.m3u8"))
    #expect(decoded.planes == ImpulseSignal.planes().map { $0.map { Float($0) * 0x1p-15 } })
    let text = try String(contentsOf: test.folder.url("film-audio.m3u8"), encoding: .utf8)
    let lengths = text.split(separator: "\n").filter { $0.hasPrefix("#EXTINF:") }
      .compactMap { Double($0.dropFirst(8).dropLast()) }
    let wanted = Double(ImpulseSignal.frames) / 48_000
    #expect(lengths.count == 4 && (lengths.reduce(0, +) - wanted).magnitude < 1e-6)
  }

  @Test("HLS replaces none of its files without --overwrite") func hlsReplacesNothingUnasked()
    async throws
  {
    var test = try impulses(.hls(.aac, bitRate: nil))
    test.job.policy.overwrite = false
    test.job.outputs[0].location = .file(test.folder.file("film.m3u8"))
    for name in ["film.mp4", "film-audio.m3u8", "film.m3u8"] {
      try Data("precious".utf8).write(to: test.folder.url(name))
      let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
      #expect(failure?.error.kind == .outputExists)
      #expect(Set(test.folder.contents) == ["in.wav", name])
      try FileManager.default.removeItem(atPath: test.folder.file(name))
    }
    test.job.outputs[0].location = .standardStream
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .usage)
  }
}
