// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Inspection
import Loudness
import MediaOut
import Rendering
import Report
import TestSupport
import Testing

/// AC-3 and E-AC-3 for receivers: place of all samples, level, and what containers say of them.
@Suite struct DolbyOutputTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let containers: [String: ContainerKind] = [
    "mkv": .matroska, "mp4": .mp4, "ac3": .ac3, "eac3": .eac3,
  ]

  private func render(
    _ data: Data, to name: String, _ codec: AudioEncoding, level: LoudnessTarget? = nil,
    options: [String: String] = [:], layout: ChannelLayout? = nil
  ) async throws -> RenderReport {
    try data.write(to: folder.url("in.wav"))
    var coding = OutputCoding(codec)
    coding.encoderOptions = options
    let kind = try #require(name.split(separator: ".").last.flatMap { Self.containers[String($0)] })
    var request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [
        OutputRequest(
          .file(folder.file(name)), Rendition(.channels(layout), level: level),
          container: Container(kind, coding))
      ])
    request.policy.overwrite = true
    return try await RenderPipeline().render(request)
  }

  /// The sound as Pinna reads it.
  private func decoded(_ name: String) async throws -> Decoded {
    let request = RenderRequest(
      .file(folder.file(name)),
      outputs: [
        OutputRequest(
          .file(folder.file(name + ".wav")), Rendition(.channels(), level: nil),
          container: Container(.wav))
      ])
    _ = try await RenderPipeline().render(request)
    return try Decoded(folder.file(name + ".wav"))
  }

  @Test(
    "Matroska and MP4 state the exact length and place of AC-3 and E-AC-3",
    arguments: ["mkv", "mp4"], [AudioEncoding.ac3, .eac3])
  func placesAreExact(ending: String, codec: AudioEncoding) async throws {
    let planes = ImpulseSignal.planes()
    let report = try await render(
      WAVBytes.pcm16(planes, rate: 48_000), to: "a." + ending, codec)
    #expect(report.outputs[0].samples == Int64(ImpulseSignal.frames) && report.outputs[0].verified)
    #expect(report.degradations.isEmpty, "\(report.degradations)")
    let track = try #require(try MediaProber().probe(path: folder.file("a." + ending)).track)
    #expect(track.priming.samples == 256 && track.input.codec == codec.rawValue)
    let sound = try await decoded("a." + ending)
    #expect(sound.planes[0].count == ImpulseSignal.frames)
    for burst in ImpulseSignal.bursts {
      let lag = ImpulseSignal.lag(of: sound.planes[0], against: planes[0], burst: burst)
      #expect(lag.samples == 0 && lag.correlation > 0.9)
    }
  }

  @Test(
    "bare frames keep all samples at their place after 256, and the report names what they can't state",
    arguments: [AudioEncoding.ac3, .eac3])
  func bareFramesAreReported(codec: AudioEncoding) async throws {
    let planes = ImpulseSignal.planes()
    let name = "a." + codec.rawValue
    let report = try await render(WAVBytes.pcm16(planes, rate: 48_000), to: name, codec)
    let whole = Int64((ImpulseSignal.frames + 256 + 1535) / 1536 * 1536 - 256)
    #expect(report.outputs[0].samples == whole && report.outputs[0].verified)
    let said = report.decisions.filter { $0.chose == "bare frames" }.map(\.why)
    #expect(said.count == 1 && said[0].contains("256 samples"), "\(said)")
    let probed = try MediaProber().probe(path: folder.file(name), deep: true)
    #expect(probed.track?.priming.samples == 256 && probed.track?.samples == whole)
    let sound = try await decoded(name)
    let lag = ImpulseSignal.lag(
      of: sound.planes[0], against: planes[0], burst: ImpulseSignal.bursts[1])
    #expect(lag.samples == 0 && lag.correlation > 0.9)
  }

  @Test(
    "no sample is missing at the end, wherever in a frame it lies",
    arguments: [AudioEncoding.ac3, .eac3], [1, 1280, 1281, 1536, 2817, 3072, 9216 + 1300])
  func endsAreWhole(codec: AudioEncoding, frames: Int) async throws {
    let data = WAVBytes.pcm16(
      ImpulseSignal.planes().map { Array($0.prefix(frames)) }, rate: 48_000)
    // Less than a frame is read too long from Matroska, and refused by the proof.
    for ending in frames < 1536 ? ["mp4"] : ["mp4", "mkv"] {
      let report = try await render(data, to: "a." + ending, codec)
      #expect(report.outputs[0].samples == Int64(frames) && report.outputs[0].verified)
    }
    let report = try await render(data, to: "a." + codec.rawValue, codec)
    #expect(report.outputs[0].samples == Int64((frames + 256 + 1535) / 1536 * 1536 - 256))
  }

  @Test("dialnorm is the loudness that is delivered, unless another one is asked for")
  func dialnormIsTheLoudness() async throws {
    let data = TestProgramme.wav(channels: 2, seconds: 5, level: 0.05)
    for target in [-16.0, -23.4, -40] {
      let level = LoudnessTarget(integrated: target, truePeak: -1)
      let report = try await render(data, to: "a.mkv", .ac3, level: level)
      let stated = try MediaProber().probe(path: folder.file("a.mkv")).track?.input.dialnorm
      #expect(stated == max(-31, target.rounded()))
      let reached = try #require(report.loudness?.output.integrated)
      #expect((reached - target).magnitude < 0.1)
    }
    _ = try await render(data, to: "a.eac3", .eac3, options: ["dialnorm": "-27"])
    let track = try #require(try MediaProber().probe(path: folder.file("a.eac3")).track)
    #expect(track.input.dialnorm == -27 && track.input.drc == false)
  }

  @Test(
    "layouts up to 5.1 arrive, and MP4 describes them as ffmpeg does",
    arguments: [AudioEncoding.ac3, .eac3], [("mono", 1), ("stereo", 2), ("5.1", 6)])
  func layoutsArrive(codec: AudioEncoding, layout: (name: String, channels: Int)) async throws {
    let mask: UInt32? = layout.channels == 6 ? 0x3F : nil
    let data = TestProgramme.wav(channels: layout.channels, seconds: 2, mask: mask)
    let report = try await render(data, to: "a.mp4", codec)
    #expect(report.outputs[0].verified)
    let probed = try MediaProber().probe(path: folder.file("a.mp4")).track
    let named = layout.channels == 6 ? "5.1(side)" : layout.name
    #expect(probed?.input.layout == named)
    // ffmpeg makes the box of the frames.
    _ = try await render(data, to: "a." + codec.rawValue, codec)
    try Tool.ffmpeg(["-i", folder.file("a." + codec.rawValue), "-c", "copy", folder.file("b.mp4")])
    let boxes = try ["a.mp4", "b.mp4"].map { name -> Data in
      let bytes = try Data(contentsOf: folder.url(name))
      let box = try #require(bytes.range(of: Data((codec == .ac3 ? "dac3" : "dec3").utf8)))
      return Data(bytes[box.upperBound..<box.upperBound + (codec == .ac3 ? 3 : 5)])
    }
    #expect(boxes[0] == boxes[1], "\(boxes.map(Array.init))")
  }

  @Test("more than 5.1 and a bit rate that AC-3 doesn't have are refused")
  func whatDoesNotFitIsRefused() async throws {
    let data = TestProgramme.wav(channels: 8, seconds: 1, mask: 0x63F)
    let failure = await #expect(throws: RenderFailure.self) {
      try await render(data, to: "a.mkv", .ac3)
    }
    #expect(failure?.error.kind == .unsupportedFeature)
    let coding = OutputCoding(.ac3, bitRate: 200_000)
    let request = RenderRequest(
      .file(folder.file("in.wav")),
      outputs: [
        OutputRequest(
          .file(folder.file("b.ac3")), Rendition(.channels(.stereo), level: nil),
          container: Container(.ac3, coding))
      ])
    let refusal = await #expect(throws: RenderFailure.self) {
      try await RenderPipeline().render(request)
    }
    #expect(refusal?.error.kind == .usage)
  }
}
