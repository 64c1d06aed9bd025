// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaIn
import MediaOut
import Platform
import Rendering
import Report
import TestSupport
import Testing

/// MP3 as other programs read it: length, level, peaks, tags.
@Suite struct MP3OutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func render(
    _ data: Data, to name: String = "out.mp3", level: LoudnessTarget? = nil, bitRate: Int? = nil,
    options: [String: String] = [:], layout: ChannelLayout? = nil,
    _ change: (inout RenderRequest) -> Void = { _ in }
  ) async throws -> RenderReport {
    try data.write(to: folder.url("in.wav"))
    var coding = OutputCoding(.mp3, bitRate: bitRate)
    coding.encoderOptions = options
    var request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [
        OutputRequest(
          .file(folder.file(name)), Rendition(.channels(layout), level: level),
          container: Container(.mp3, coding))
      ])
    request.policy.overwrite = true
    change(&request)
    return try await RenderPipeline().render(request)
  }

  /// The frames of sound of a file with LAME's tag.
  private func frames(_ name: String = "out.mp3") throws -> [ArraySlice<UInt8>] {
    let bytes = [UInt8](try Data(contentsOf: folder.url(name)))
    var place = 10 + bytes[6...9].reduce(0) { $0 << 7 | Int($1) }
    var frames: [ArraySlice<UInt8>] = []
    let bitRates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    // All of these files have 48 kHz.
    while place + 4 <= bytes.count {
      let size = 3 * bitRates[Int(bytes[place + 2] >> 4)] + Int(bytes[place + 2] >> 1 & 1)
      frames.append(bytes[place..<min(bytes.count, place + size)])
      place += size
    }
    return Array(frames.dropFirst())
  }

  /// Bytes before the frame that its sound begins in (ISO/IEC 11172-3, 2.4.1.7).
  private static func reach(_ frame: ArraySlice<UInt8>) -> Int {
    Int(frame[frame.startIndex + 4]) << 1 | Int(frame[frame.startIndex + 5] >> 7)
  }

  /// libavformat's own tag makes lengths of which 1 to 46 samples lie in a frame of their own too long.
  @Test(
    "ffmpeg decodes an MP3 to the exact length",
    arguments: [0, 1, 46, 47, 576, 1151].map { 11_520 + $0 } + [1, 700, 1152])
  func ffmpegDecodesTheExactLength(frames: Int) async throws {
    let planes = ImpulseSignal.planes().map { Array($0.prefix(frames)) }
    let report = try await render(WAVBytes.pcm16(planes, rate: 48_000))
    #expect(report.outputs.first?.format == "mp3" && report.outputs.first?.verified == true)
    #expect(report.outputs.first?.samples == Int64(frames))
    try Tool.ffmpeg(["-i", folder.file("out.mp3"), "-f", "f32le", "-y", folder.file("out.raw")])
    #expect(try Data(contentsOf: folder.url("out.raw")).count == frames * 2 * 4)
  }

  @Test("an MP3 keeps the place of all samples")
  func samplesKeepTheirPlace() async throws {
    let planes = ImpulseSignal.planes()
    _ = try await render(WAVBytes.pcm16(planes, rate: 48_000), bitRate: 320_000)
    let decoded = try Decoded(byFFmpeg: folder.file("out.mp3"))
    #expect(decoded.planes[0].count == ImpulseSignal.frames)
    for burst in ImpulseSignal.bursts {
      let lag = ImpulseSignal.lag(of: decoded.planes[0], against: planes[0], burst: burst)
      #expect(lag.samples == 0 && lag.correlation > 0.9)
    }
  }

  @Test(
    "rates and channels of MP3 have their exact length", .tags(.system), .fullRunOnly,
    arguments: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000], [1, 2])
  func eachRateIsExact(rate: Int, channels: Int) async throws {
    let planes = ImpulseSignal.planes().prefix(channels).map { Array($0.prefix(10_007)) }
    let report = try await render(WAVBytes.pcm16(planes, rate: rate))
    #expect(report.outputs.first?.samples == 10_007)
    #expect(
      try Decoded(byFFmpeg: folder.file("out.mp3")).planes.map(\.count)
        == [Int](repeating: 10_007, count: channels))
  }

  @Test("under a limiter peaks are held in frames that stand alone, and libebur128 agrees")
  func peaksAreHeld() async throws {
    let report = try await render(
      TestProgramme.wav(channels: 2, seconds: 9, level: 0.2), level: .standard, bitRate: 128_000)
    let output = try #require(report.loudness?.output)
    #expect(try #require(output.truePeak) <= -0.95)
    #expect(((output.integrated ?? 0) + 16).magnitude <= 0.1)
    #expect(!report.degradations.contains { $0.code == .codecOvershoot })
    #expect(report.decisions.contains { $0.code == .codec && $0.chose.contains("reservoir") })
    #expect(try frames().allSatisfy { MP3OutputTests.reach($0) == 0 })
    let judge = LibEBUR128(try Decoded(byFFmpeg: folder.file("out.mp3")))
    #expect((judge.integrated + 16).magnitude <= 0.1 && judge.truePeak <= -0.95)
  }

  @Test(
    "without a limiter, and where it is asked for, frames share a reservoir of bits",
    arguments: [
      (nil, [:]), (LoudnessTarget(integrated: -20, truePeak: -1, peakPolicy: .lower), [:]),
      (LoudnessTarget.standard, ["reservoir": "1"]),
    ] as [(LoudnessTarget?, [String: String])])
  func theReservoirIsKept(level: LoudnessTarget?, options: [String: String]) async throws {
    let report = try await render(
      TestProgramme.wav(channels: 2, seconds: 4, level: 0.2), level: level, bitRate: 128_000,
      options: options)
    #expect(!report.decisions.contains { $0.chose.contains("reservoir") })
    #expect(try frames().contains { MP3OutputTests.reach($0) > 0 })
    if level != nil { #expect(try #require(report.loudness?.output.truePeak) <= -0.95) }
  }

  @Test("blocks of any size give the same bytes")
  func theBytesDependOnNothingElse() async throws {
    let data = TestProgramme.wav(channels: 2, seconds: 5, level: 0.2)
    _ = try await render(data, level: .standard)
    let first = try Data(contentsOf: folder.url("out.mp3"))
    _ = try await render(data, level: .standard) { $0.policy.blockSize = 777 }
    #expect(try Data(contentsOf: folder.url("out.mp3")) == first)
  }

  /// The second reader of the proof.
  @Test("each changed part of a written file is named")
  func damageIsNamed() async throws {
    let planes = ImpulseSignal.planes().map { Array($0.prefix(20_000)) }
    _ = try await render(WAVBytes.pcm16(planes, rate: 48_000), bitRate: 128_000)
    let whole = [UInt8](try Data(contentsOf: folder.url("out.mp3")))
    let start = 10 + whole[6...9].reduce(0) { $0 << 7 | Int($1) }
    func fault(_ bytes: [UInt8], samples: Int64 = 20_000) throws -> String? {
      try Data(bytes).write(to: folder.url("b.mp3"))
      return MP3InfoTag.fault(of: try LocalFile(path: folder.file("b.mp3")), samples: samples)
    }
    func changed(_ place: Int) -> [UInt8] {
      var bytes = whole
      bytes[place] ^= 1
      return bytes
    }
    #expect(try fault(whole) == nil)
    #expect(try fault(whole, samples: 20_001)?.contains("20000 samples, not 20001") == true)
    #expect(try fault(changed(whole.count - 40))?.contains("sound is wrong") == true)
    // The peak, in the tag of LAME behind Xing's header of stereo.
    #expect(try fault(changed(start + 4 + 32 + 131))?.contains("tag is wrong") == true)
    #expect(try fault(whole + [0])?.contains("bytes, not") == true)
    #expect(try fault(Array(whole.dropLast(3)))?.contains("bytes, not") == true)
  }

  @Test("more than two channels are refused before anything is rendered, with what mixes them down")
  func moreChannelsAreRefused() async throws {
    let data = TestProgramme.wav(channels: 6, seconds: 1, mask: 0x3F)
    let failure = await #expect(throws: RenderFailure.self) { try await render(data) }
    #expect(failure?.error.kind == .unsupportedFeature && failure?.error.exitCode == 5)
    #expect(failure?.error.message.contains("at most 2 channels") == true)
    let report = try await render(data, layout: .stereo)
    #expect(report.outputs.first?.verified == true)
  }

  @Test(
    "what the encoder refuses is refused by a dry run, too",
    arguments: [(100_000, [:]), (nil, ["q": "11"]), (nil, ["nonsense": "1"])]
      as [(Int?, [String: String])])
  func refusedOptionsAreReportedBeforehand(bitRate: Int?, options: [String: String]) async throws {
    let data = TestProgramme.wav(channels: 2, seconds: 1)
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(data, bitRate: bitRate, options: options) { $0.policy.isDryRun = true }
    }
    #expect(failure?.error.kind == .usage, "\(String(describing: failure?.error))")
  }

  @Test(
    "ffprobe finds title, cover and chapters, within a millisecond", .tags(.system), .fullRunOnly)
  func whatBelongsToTheSoundIsThere() async throws {
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", folder.file("cover.jpg"),
    ])
    let texts = """
      ;FFMETADATA1
      title=Ein Gespräch – 二
      [CHAPTER]
      TIMEBASE=1/48000
      START=0
      END=24001
      title=Eins
      [CHAPTER]
      TIMEBASE=1/48000
      START=24001
      END=96000
      title=Zwei – 二

      """
    try texts.write(toFile: folder.file("texts"), atomically: true, encoding: .utf8)
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=sample_rate=48000:duration=2", "-i", folder.file("cover.jpg"),
      "-i", folder.file("texts"), "-map", "0", "-map", "1", "-map_metadata", "2", "-map_chapters",
      "2", "-c:a", "alac", "-c:v", "copy", "-disposition:v", "attached_pic", folder.file("in.m4a"),
    ])
    let report = try await render(Data()) { $0.clips[0].input = .file(folder.file("in.m4a")) }
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let probed = try Tool.run(
      "ffprobe",
      [
        "-v", "error", "-show_entries",
        "format_tags=title:chapter=start_time,end_time:chapter_tags=title:stream_tags=comment",
        "-of",
        "default=noprint_wrappers=1", folder.file("out.mp3"),
      ])
    let text = String(decoding: probed.output, as: UTF8.self)
    for line in [
      "TAG:title=Ein Gespräch – 二", "start_time=0.000000", "end_time=0.500000", "TAG:title=Eins",
      "start_time=0.500000", "end_time=2.000000", "TAG:title=Zwei – 二", "TAG:comment=Cover (front)",
    ] {
      #expect(text.contains(line), "\(line) in \(text)")
    }
    try Tool.ffmpeg([
      "-i", folder.file("out.mp3"), "-map", "0:v", "-c", "copy", "-f", "image2", "-y",
      folder.file("back.jpg"),
    ])
    #expect(
      try Data(contentsOf: folder.url("cover.jpg")) == Data(contentsOf: folder.url("back.jpg")))
  }
}
