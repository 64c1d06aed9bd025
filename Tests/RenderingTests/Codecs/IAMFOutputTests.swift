// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import IAMF
import MediaIn
import MediaOut
import Report
import TestSupport
import Testing

@testable import Rendering

/// IAMF that Pinna writes, as its own reader and others get it.
@Suite struct IAMFOutputTests {
  /// A coding and its container.
  struct Way: CustomTestStringConvertible, Sendable {
    let codec: AudioEncoding
    var layers: [Container.IAMF.Layer] = []
    var kind = ContainerKind.iamf
    var bits = SampleEncoding.pcm24

    var testDescription: String {
      "\(codec) \(layers.map(\.rawValue)) \(kind) \(bits.rawValue)"
    }
    var form: RenderJob.Form { .iamf(codec, layers: layers, in: kind) }
  }

  /// A written file, and what its reader gets. The folder goes with the value.
  private struct Written {
    let folder: TemporaryFolder
    let path: String
    let report: RenderReport
    let planes: [[Float]]
  }

  private static let frames = 100_123
  private static let stack: [Container.IAMF.Layer] = [.stereo, .surround51, .surround714]
  private static let steep: [Container.IAMF.Layer] = [
    .mono, .stereo, .surround312, .surround512, .surround714,
  ]
  private let whole: ChannelLayout

  init() throws { whole = try #require(ChannelLayout(name: "7.1.4")) }

  /// A bed with another tone in each channel, which lossy codecs keep.
  private func tones(_ layout: ChannelLayout) -> MadeProgramme {
    let planes = (0..<layout.count).map { channel in
      Signals.sine(step: 0.02 * Double(channel + 2), count: Self.frames, peak: 0.1)
    }
    return MadeProgramme(
      Programme(AudioFormat(sampleRate: 48_000, layout: layout)), planes: planes)
  }

  /// Programme that is written to test `way`.
  private func programme(_ way: Way) -> MadeProgramme {
    way.codec.isLossless ? bed(whole) : tones(whole)
  }

  /// A bed with another low-passed noise in each channel.
  private func bed(_ layout: ChannelLayout, peak: Float = 0.1) -> MadeProgramme {
    let planes = (0..<layout.count).map { channel -> [Float] in
      var noise = SeededNoise(seed: UInt64(channel + 1))
      return noise.darkSamples(Self.frames, peak: peak)
    }
    return MadeProgramme(
      Programme(AudioFormat(sampleRate: 48_000, layout: layout)), planes: planes)
  }

  /// Writes `programme`, and reads it back.
  private func written(
    _ programme: MadeProgramme, _ way: Way, _ change: (inout RenderJob) -> Void = { _ in }
  ) throws -> Written {
    let folder = try TemporaryFolder()
    let ending = way.kind == .iamf ? "iamf" : way.kind == .hls ? "m3u8" : "mp4"
    let path = folder.file("out." + ending)
    let report = try programme.store(at: path) { job in
      job.form = way.form
      job.encoding = way.bits
      change(&job)
    }
    return Written(
      folder: folder, path: path, report: report,
      // Playlists are opened elsewhere.
      planes: way.kind == .hls ? [] : try RenderedScene.tracks(path))
  }

  /// One layer, and layers whose parts are integers: every sample of lossless codecs is there, and of Opus each
  /// channel at its place and level.
  @Test(
    "a bed written to IAMF decodes to its samples",
    arguments: [
      Way(codec: .flac), Way(codec: .pcm), Way(codec: .pcm, bits: .pcm16), Way(codec: .opus),
      Way(codec: .flac, kind: .fmp4), Way(codec: .opus, kind: .fmp4),
      Way(codec: .flac, layers: stack), Way(codec: .pcm, layers: steep),
      Way(codec: .flac, layers: steep, bits: .pcm16), Way(codec: .opus, layers: stack),
      Way(codec: .opus, layers: steep, kind: .fmp4),
    ])
  func aBedComesBack(way: Way) throws {
    let made = programme(way)
    let file = try written(made, way)
    let planes = file.planes
    #expect(try RenderedScene.programme(file.path).elements == [.bed(whole)])
    #expect(file.report.outputs.first?.verified == true)
    #expect(planes.count == 12 && planes[0].count == Self.frames)
    let step = way.bits == .pcm16 ? 0x1p-15 : 0x1p-23
    for (channel, plane) in planes.enumerated() {
      guard way.codec.isLossless else {
        let ratio = Signals.ratio(plane, made.planes[channel])
        #expect(ratio > (way.layers.isEmpty ? 20 : 12), "channel \(channel): \(ratio) dB")
        continue
      }
      // The rear surrounds of five layers come from four differences, whose factors add rounding up.
      let most = (way.layers.isEmpty ? 0.5 : 32) * step * 1.001
      let error = Signals.greatestDifference(plane, made.planes[channel])
      #expect(error <= most, "channel \(channel): \(error / step) steps")
    }
  }

  /// Each layout that an element can have, up to 7.1.4.
  @Test("each layout up to 7.1.4 is written to IAMF") func everyLayoutIsWritten() throws {
    // 3.1.2 isn't a layout of ours; only layers have it.
    for layer in Container.IAMF.Layer.allCases where layer != .surround312 {
      let layout = try #require(layer.layout.layout)
      let made = bed(layout)
      let file = try written(made, Way(codec: .flac))
      #expect(try RenderedScene.programme(file.path).elements == [.bed(layout)])
      #expect(Signals.difference(file.planes, made.planes) < -100, "\(layer)")
    }
  }

  /// A layer above full scale is attenuated and restored, so that nothing is clipped.
  @Test func loudLayersAreNotClipped() throws {
    var made = bed(whole)
    // All channels alike and near full scale: mixed down they are several times louder.
    made = MadeProgramme(
      made.programme, planes: made.planes.map { _ in made.planes[0].map { $0 * 6 } })
    let peak = made.planes[0].map(\.magnitude).max() ?? 0
    #expect(peak > 0.4 && peak < 1)
    let file = try written(made, Way(codec: .flac, layers: Self.stack))
    let report = file.report
    #expect(Signals.difference(file.planes, made.planes) < -100)
    #expect(!report.degradations.contains { $0.code == .clipped })
    #expect(report.decisions.contains { $0.code == .layers && $0.why.contains("output gains") })
  }

  /// Level and stated loudness: what the file says of the whole is what was measured.
  @Test(
    "IAMF states the loudness that was measured",
    arguments: [Way(codec: .flac, layers: stack), Way(codec: .opus)])
  func loudnessIsStated(way: Way) throws {
    let file = try written(bed(whole), way) { $0.loudness = .standard }
    let output = try #require(file.report.outputs.first)
    #expect(abs(try #require(output.integrated) + 16) < 0.05)
    #expect(try #require(output.truePeak) <= -1)
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
    let reader = try RawSequenceReader(size: Int64(bytes.count)) {
      Array(bytes[Int($0)..<Int($0) + $1])
    }
    let stated = try #require(reader.description.mixes.first?.subMixes.first?.loudness)
    let wanted: [SoundSystem] = way.layers.isEmpty ? [.a, .j] : [.a, .b, .j]
    #expect(stated.map(\.layout) == wanted.map { .loudspeakers($0) })
    let last = try #require(stated.last)
    #expect(abs(last.integrated - (output.integrated ?? 0)) < 0.05)
    #expect(abs((last.truePeak ?? 0) - (output.truePeak ?? 0)) < (way.codec == .opus ? 1 : 0.01))
    #expect(stated.allSatisfy { !$0.isImplausible && !$0.isPlaceholder })
  }

  /// A sound field, and a sum of field and bed, keep every plane.
  @Test("a sound field written to IAMF keeps every plane") func soundFieldsComeBack() throws {
    let surround = try #require(ChannelLayout(name: "5.1(side)"))
    for elements: [Programme.Element] in [
      [.scene(order: 1)], [.scene(order: 3)], [.bed(surround), .scene(order: 2)],
      [.scene(order: 1), .bed(.stereo)],
    ] {
      let made = MadeProgramme(elements, frames: 30_011)
      let file = try written(made, Way(codec: .flac))
      #expect(try RenderedScene.programme(file.path).elements == elements)
      #expect(Signals.difference(file.planes, made.planes) < -90)
      #expect(file.planes[0].count == 30_011 && file.report.outputs.first?.verified == true)
    }
  }

  /// Sound for headphones says that it is, and is never virtualised again.
  @Test("headphone sound in IAMF is never virtualised again") func soundForHeadphonesStaysAsItIs()
    async throws
  {
    var first = try RenderCase(
      WAVBytes.pcm16(
        bed(whole).planes.prefix(6).map { $0.map { Int16($0 * 32_767) } }, rate: 48_000))
    let path = first.folder.file("out.iamf")
    first.job.form = .iamf(.flac)
    first.job.outputs[0].location = .file(path)
    _ = try await first.run()
    let programme = try RenderedScene.programme(path)
    #expect(programme.elements == [.bed(.stereo)])
    #expect(programme.facts.virtualization == .binaural)
    var again = try RenderCase(path: path)
    again.job.loudness = nil
    let report = try await again.run()
    #expect(report.decisions.contains { $0.code == .virtualizer && $0.chose == "passed through" })
    let isSame =
      try RenderedScene.tracks(again.outputPath) == RenderedScene.tracks(path)
    #expect(isSame)
  }

  @Test("a programme beyond IAMF is refused") func whatIAMFCannotHoldIsRefused() throws {
    func refusal(_ programme: MadeProgramme, _ way: Way) -> MediaError? {
      do {
        _ = try written(programme, way)
        return nil
      } catch let failure as RenderFailure {
        return failure.error
      } catch { return error as? MediaError }
    }
    let object = MadeProgramme([.object(name: nil, start: ObjectState())])
    #expect(refusal(object, Way(codec: .flac))?.kind == .unsupportedFeature)
    #expect(refusal(bed(whole), Way(codec: .aac))?.kind == .usage)
    #expect(refusal(bed(whole), Way(codec: .flac, layers: [.stereo, .surround51]))?.kind == .usage)
    #expect(
      refusal(bed(whole), Way(codec: .flac, layers: [.surround712, .surround51, .surround714]))?
        .kind == .usage)
    #expect(refusal(bed(whole), Way(codec: .flac, bits: .float32))?.kind == .usage)
    let field = MadeProgramme([.scene(order: 1)])
    #expect(refusal(field, Way(codec: .flac, layers: Self.stack))?.kind == .usage)
    let quad = ChannelLayout([.frontLeft, .frontRight, .backLeft, .backRight])
    #expect(refusal(bed(quad), Way(codec: .flac))?.kind == .unsupportedFeature)
  }

  /// A dry run refuses what a run would refuse.
  @Test("a dry run refuses a programme beyond IAMF") func aDryRunRefusesWhatIAMFCannotHold()
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 4, seconds: 1, mask: 0x33))
    test.job.outputs = [.init(endpoint: .none, location: .file(test.folder.file("out.iamf")))]
    test.job.form = .iamf(.flac, layers: [], in: .iamf)
    test.job.policy.isDryRun = true
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .unsupportedFeature)
  }

  /// Blocks and threads change no bit of the file.
  @Test("an IAMF file has the same bytes for all blocks and threads")
  func theFileDependsOnNothingElse() throws {
    let way = Way(codec: .opus, layers: Self.stack)
    let one = try written(bed(whole), way) { $0.blockSize = 333 }
    let other = try written(bed(whole), way) { $0.policy.threads = 1 }
    let bytes = try [one.path, other.path].map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
    #expect(bytes[0] == bytes[1])
  }

  /// MP4 and HLS state the codec, and the edit list repeats the trimming.
  @Test("MP4 and HLS name the IAMF codec, and the edit list repeats the trimming")
  func hlsNamesTheCodec() throws {
    let file = try written(bed(whole), Way(codec: .opus, layers: Self.stack, kind: .hls))
    let output = try #require(file.report.outputs.first)
    #expect(output.verified && output.samples == Int64(Self.frames))
    let text = try String(contentsOfFile: file.path, encoding: .utf8)
    #expect(text.contains("CODECS=\"iamf.000.000.Opus\""), "\(text)")
  }

  /// FFmpeg, which reads substreams only, finds the coded channels in IAMF's order, each with the right samples.
  @Test(
    "ffmpeg finds the coded channels of IAMF in order with the right samples", .tags(.system),
    .enabled(if: TestPython.has("av", "numpy"), "make setup-test installs PyAV"),
    arguments: [
      Way(codec: .flac), Way(codec: .pcm, bits: .pcm16), Way(codec: .opus),
      Way(codec: .flac, kind: .fmp4), Way(codec: .opus, kind: .fmp4),
      Way(codec: .flac, layers: stack),
    ])
  func anotherReaderFindsTheSubstreams(way: Way) throws {
    let made = programme(way)
    let file = try written(made, way)
    let folder = file.folder
    let script = TestPython.root + "/Tests/Tools/iamf_substreams.py"
    let found = try Tool.run(TestPython.path, [script, file.path, folder.path])
    #expect(found.status == 0, "\(found.errors)")
    let counts = String(decoding: found.output, as: UTF8.self).split(separator: "\n")
      .compactMap { Int($0) }
    let isLayered = !way.layers.isEmpty
    #expect(counts == (isLayered ? [2, 2, 1, 1, 2, 2, 2] : [2, 2, 2, 2, 2, 1, 1]))
    // Channels that each layer codes as they are: of several layers, all but the stereo layer and the surrounds of 5.1.
    let layered: [[Speaker]] = [
      [], [.frontLeft, .frontRight], [.frontCenter], [.lowFrequency], [.sideLeft, .sideRight],
      [.topFrontLeft, .topFrontRight], [.topBackLeft, .topBackRight],
    ]
    let single: [[Speaker]] = [
      [.frontLeft, .frontRight], [.sideLeft, .sideRight], [.backLeft, .backRight],
      [.topFrontLeft, .topFrontRight], [.topBackLeft, .topBackRight], [.frontCenter],
      [.lowFrequency],
    ]
    for (index, pair) in (isLayered ? layered : single).enumerated() {
      let samples = try Signals.floats(Data(contentsOf: folder.url("\(index).f32")))
      let channels = counts[index]
      #expect(samples.count == Self.frames * channels, "substream \(index)")
      for (channel, speaker) in pair.enumerated() {
        let plane = try #require(whole.speakers.firstIndex(of: speaker))
        let own = Signals.channel(channel, of: channels, in: samples)
        let ratio = Signals.ratio(own, made.planes[plane])
        #expect(
          ratio > (way.codec == .opus ? 20 : way.bits == .pcm16 ? 50 : 100),
          "\(speaker): \(ratio) dB")
      }
    }
  }

  /// Copies hold the same units, from files without a container and from MP4: every sample comes back.
  @Test(
    "a copy of IAMF keeps every unit and sample", .tags(.media),
    .enabled(if: IAMFExpectation.isPresent, "../shared is missing"),
    arguments: IAMFExpectation.names)
  func copiesHoldTheSame(name: String) async throws {
    for isHLS in [false, true] {
      var test = try RenderCase(path: IAMFExpectation.media(name))
      let path = test.folder.file(isHLS ? "out.m3u8" : "out.mp4")
      test.job.outputs = [.init(endpoint: .none, location: .file(path))]
      test.job.form = .copy(isHLS: isHLS)
      test.job.loudness = nil
      let report = try await test.run()
      let output = try #require(report.outputs.first)
      #expect(output.verified == true && output.format == (isHLS ? "hls" : "fmp4"))
      guard !isHLS else {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains("CODECS=\"iamf.0"), "\(text)")
        continue
      }
      let expected = try IAMFExpectation(name)
      let own = try RenderedScene.tracks(path)
      let same = try own == RenderedScene.tracks(IAMFExpectation.media(name))
      #expect(same && own[0].count == expected.presented)
      #expect(
        try RenderedScene.programme(path).elements
          == RenderedScene.programme(IAMFExpectation.media(name)).elements)
    }
  }
}
