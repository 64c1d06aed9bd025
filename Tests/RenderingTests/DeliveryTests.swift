// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Loudness
import MediaOut
import Rendering
import TestSupport
import Testing

/// Outputs have the loudness and true peak that the report states, as measured by libebur128.
@Suite struct DeliveryTests {
  @Test(
    "a programme of any level is delivered at −16 LUFS below −1 dBTP by libebur128", .tags(.slow),
    .fullRunOnly, arguments: [0.005, 0.05, 0.3, 0.9] as [Float])
  func programmesOfAnyLevelArriveAtTheTarget(level: Float) async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 6, level: level, mask: 0x3F))
    let report = try await test.run()
    let judge = LibEBUR128(try test.decoded())
    #expect((judge.integrated + 16).magnitude <= 0.05)
    #expect(judge.truePeak <= -1)
    let own = try #require(report.loudness?.output)
    #expect(((own.integrated ?? 0) - judge.integrated).magnitude < 0.01)
    #expect((own.truePeak ?? 0) <= -1)
    #expect(report.outputs[0].verified)
  }

  @Test(
    "real files are delivered at −16 LUFS below −1 dBTP by libebur128", .tags(.media),
    .enabled(if: SharedMedia.isPresent, "../shared is missing"))
  func realFilesArriveAtTheTarget() async throws {
    let names = [
      "bear-opus.mka", "bear-vbr-xing-header.mp3", "bear.flac", "opus-5.1.mka", "sample_eac3.mp4",
      "sample_eac3joc.mp4", "sample_opus.mp4", "sample_with_dts.mkv",
    ]
    for name in names {
      let test = try RenderCase(path: SharedMedia.path(name))
      let report = try await test.run()
      guard report.status == .ok else {
        #expect(report.status == .silent && name == "sample_with_dts.mkv")
        continue
      }
      let judge = LibEBUR128(try test.decoded())
      #expect((judge.integrated + 16).magnitude <= 0.05, "\(name)")
      #expect(judge.truePeak <= -1, "\(name)")
    }
  }

  /// The report names the bits of lossless samples where they aren't the usual ones, and says where a choice of bits
  /// plays no part.
  @Test(
    "the report names the bits of lossless samples other than the usual ones",
    arguments: [
      ("out.flac", .pcm16, "16"), ("out.flac", .pcm24, nil), ("out.mp4", .pcm16, "none"),
      ("out.mp4", .float32, "none"), ("out.mp4", .pcm24, nil),
    ] as [(String, SampleEncoding, String?)])
  func theBitsAreSaidWhereTheyMatter(name: String, encoding: SampleEncoding, bits: String?)
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file(name)))]
    test.job.form = name == "out.flac" ? .flac : .fragmentedMP4(.aac, bitRate: 96_000)
    test.job.encoding = encoding
    let report = try await test.run()
    #expect(report.decisions.first { $0.code == .bits }?.chose == bits)
  }

  /// FLAC (RFC 9639) and ALAC hold integers; a lossy encoding has no bits, and PCM has floats in WAV.
  @Test(
    "32-bit floats are refused for FLAC and ALAC and accepted for a lossy codec and PCM in WAV",
    arguments: [
      (.flac, false), (.fragmentedMP4(.flac, bitRate: nil), false),
      (.hls(.flac, bitRate: nil), false),
      (.fragmentedMP4(.alac, bitRate: nil), false), (.hls(.alac, bitRate: nil), false),
      (.fragmentedMP4(.aac, bitRate: nil), true), (.hls(.aac, bitRate: nil), true),
      (.fragmentedMP4(.opus, bitRate: nil), true), (.wav, true), (.bw64, true),
    ] as [(RenderJob.Form, Bool)])
  func floatsAreRefusedOfCodecsOfIntegers(form: RenderJob.Form, isAccepted: Bool) {
    var job = RenderJob(
      input: .file("in.wav"), outputs: [.init(endpoint: .none, location: .file("out"))])
    job.form = form
    job.encoding = .float32
    var failure: MediaError?
    do { try job.request.validate() } catch { failure = error as? MediaError }
    #expect(failure?.kind == (isAccepted ? nil : .usage))
    #expect(isAccepted || failure?.message.contains("32f") == true)
  }

  @Test("silence gets no gain and the status silent") func silenceIsLeftAloneAndSaid() async throws
  {
    let test = try RenderCase(
      WAVBytes.pcm16(
        [[Int16]](repeating: [Int16](repeating: 0, count: 48_000), count: 2), rate: 48_000))
    let report = try await test.run()
    #expect(report.status == .silent)
    #expect(report.exit == 0)
    #expect(report.loudness?.gainDB == 0)
    #expect(report.degradations.contains { $0.code == .silent })
    #expect(try test.decoded().planes[0].allSatisfy { $0 == 0 })
  }

  @Test(
    "a programme under 0.4 s is measured as one block and reported as short",
    arguments: [0.05, 0.3])
  func shortProgrammesAreMeasuredAsOneBlock(seconds: Double) async throws {
    let test = try RenderCase(TestProgramme.wav(channels: 2, seconds: seconds))
    let report = try await test.run()
    #expect(report.degradations.contains { $0.code == .shortProgramme })
    #expect(report.loudness?.output.short == true)
    #expect(((report.loudness?.output.integrated ?? 0) + 16).magnitude < 0.05)
    #expect(report.timeline?.samplesOut == Int64(seconds * 48_000))
  }

  /// −180 dBFS are less than the smallest step of any encoder.
  @Test(
    "a programme of 0.1 s that a lossy encoding makes silent is reported as codec-loudness, one that it keeps isn't",
    .tags(.system), .fullRunOnly, arguments: [AudioEncoding.aac, .opus], [1e-9, 0.1])
  func whatAnEncodingMakesSilentIsReported(encoding: AudioEncoding, level: Double) async throws {
    let tone = Signals.sine(step: 2 * .pi / 48, count: 4800, peak: level)
    var test = try RenderCase(WAVBytes.float32([tone, tone], rate: 48_000))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.mp4")))]
    test.job.form = .fragmentedMP4(encoding, bitRate: nil)
    test.job.loudness = nil
    let report = try await test.run()
    let planes = try Decoded(test.folder.file("out.mp4")).planes
    let isSilent = planes.allSatisfy { $0.allSatisfy { $0 == 0 } }
    let notes = report.degradations.filter {
      $0.code == .codecLoudness && $0.message.contains("leaves nothing")
    }
    #expect(isSilent == (level < 0.01))
    #expect(notes.count == (isSilent ? 1 : 0), "\(report.degradations)")
    #expect(report.outputs[0].verified && report.outputs[0].samples == 4800)
  }

  @Test("each peak policy fails, lowers or clips as named") func policiesKeepTheirWord()
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 3))
    test.job.policy.overwrite = true
    test.job.loudness = LoudnessTarget(integrated: -9, truePeak: -1, peakPolicy: .fail)
    await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(test.folder.contents == ["in.wav"], "a failed job leaves nothing")

    test.job.loudness?.peakPolicy = .lower
    let lower = try await test.run()
    #expect((lower.loudness?.output.integrated ?? 0) < -9.1)
    #expect(lower.loudness?.limiter == nil)
    #expect((lower.loudness?.output.truePeak ?? 0) <= -1)

    test.job.loudness?.peakPolicy = .ignore
    let ignored = try await test.run()
    #expect(ignored.degradations.contains { $0.code == .clipped })
  }

  @Test("--loudness off without an endpoint keeps every bit") func loudnessOffIsBitExact()
    async throws
  {
    let planes = ImpulseSignal.planes().map { Array($0.prefix(50_000)) }
    var test = try RenderCase(WAVBytes.pcm16(planes, rate: 44_100))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    for encoding in [test.job.encoding, .pcm16, .float32] {
      test.job.encoding = encoding
      test.job.policy.overwrite = true
      _ = try await test.run()
      #expect(try test.decoded().planes == planes.map { $0.map { Float($0) * 0x1p-15 } })
    }
  }

  /// The other tests read WAV themselves; ffmpeg must find the same samples in it.
  @Test(
    "a WAV render has the same samples for ffmpeg and for a plain reader", .tags(.system),
    .fullRunOnly, arguments: SampleEncoding.allCases, [1, 2, 6])
  func wavRendersAreReadAlike(encoding: SampleEncoding, channels: Int) async throws {
    let mask: UInt32? = channels == 6 ? 0x3F : nil
    var test = try RenderCase(
      TestProgramme.wav(channels: channels, seconds: 1, level: 0.05, mask: mask))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.encoding = encoding
    _ = try await test.run()
    let (plain, judge) = (try test.decoded(), try Decoded(byFFmpeg: test.outputPath))
    #expect(plain.planes.count == channels && plain.planes[0].count == 48_000)
    #expect(plain.planes == judge.planes && plain.rate == judge.rate)
  }

  @Test("doubling the rate doubles the length and moves nothing")
  func sampleRateConversionKeepsLengthAndPlace() async throws {
    let planes = ImpulseSignal.planes()
    var test = try RenderCase(WAVBytes.pcm16(planes, rate: 48_000))
    test.job.outputs[0].endpoint = .none
    test.job.loudness = nil
    test.job.rendition.sampleRate = 96_000
    let report = try await test.run()
    let decoded = try test.decoded()
    #expect(decoded.rate == 96_000)
    #expect(decoded.planes[0].count == 2 * ImpulseSignal.frames)
    #expect(report.outputs[0].samples == Int64(2 * ImpulseSignal.frames))
    let halved = stride(from: 0, to: decoded.planes[0].count, by: 2).map { decoded.planes[0][$0] }
    let lag = ImpulseSignal.lag(of: halved, against: planes[0], burst: ImpulseSignal.bursts[1])
    #expect(lag.samples == 0)
    #expect(lag.correlation > 0.9999)
  }
}
