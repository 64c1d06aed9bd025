// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Rendering
import TestSupport
import Testing

/// The effect of each endpoint on the channels, and its entries in the report.
@Suite struct EndpointTests {
  private func surround() throws -> RenderCase {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 3, mask: 0x60F))
    test.job.policy.overwrite = true
    return test
  }

  @Test("loudspeakers 30° apart get a virtualised programme with that span in the report")
  func speakersAreVirtualisedWithTheirSpan() async throws {
    var test = try surround()
    test.job.outputs[0].endpoint = .speakers
    test.job.speakerSpan = 30
    let report = try await test.run()
    let render = try #require(report.render)
    #expect(render.endpoint == .speakers && render.virtualized && render.speakerSpan == 30)
    #expect(render.hrtf?.id == "kemar" && render.lfeGainDB == 10 && render.layout == "stereo")
    #expect(report.timeline?.samplesOut == 144_000)
    #expect(((report.loudness?.output.integrated ?? 0) + 16).magnitude < 0.05)
    test.job.outputs[0].endpoint = .headphones
    let headphones = try test.decoded().planes
    _ = try await test.run()
    #expect(try test.decoded().planes != headphones)
  }

  @Test("several endpoints of one decode equal separate runs") func oneDecodeServesEveryEndpoint()
    async throws
  {
    var test = try surround()
    test.job.outputs.append(
      .init(endpoint: .speakers, location: .file(test.folder.file("speakers.wav"))))
    let report = try await test.run()
    #expect(report.outputs.map(\.endpoint) == [.headphones, .speakers])
    #expect(Set(report.outputs.map(\.pcmSHA256)).count == 2)
  }

  @Test("a downmix has the gains stated in the report") func aDownmixHasTheGainsOfTheReport()
    async throws
  {
    var test = try surround()
    test.job.hrtf = nil
    test.job.loudness = nil
    test.job.encoding = .float32
    let report = try await test.run()
    let mix = try #require(report.render?.downmix)
    #expect(mix.inputs == ["FL", "FR", "FC", "LFE", "SL", "SR"] && mix.outputs == ["FL", "FR"])
    let half = 0.5.squareRoot()
    for (row, wanted) in zip(mix.gains, [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]) {
      for (gain, value) in zip(row, wanted) { #expect((gain - value).magnitude < 1e-6) }
    }
    let planes = TestProgramme.planes(channels: 6, seconds: 3)
    let output = try test.decoded().planes
    for side in 0..<2 {
      for frame in stride(from: 0, to: 144_000, by: 997) {
        let sum = (0..<6).reduce(0) { $0 + mix.gains[side][$1] * Double(planes[$1][frame]) }
        #expect((Double(output[side][frame]) - sum).magnitude < 1e-6)
      }
    }
  }

  @Test("a dropped LFE is reported") func lfeIsNeverLostWithoutAWord() async throws {
    var test = try surround()
    test.job.outputs[0].endpoint = .none
    test.job.layout = .stereo
    test.job.loudness = nil
    test.job.encoding = .float32
    let standard = try await test.run()
    #expect(standard.degradations.contains { $0.code == .lfeDropped })
    test.job.rendition.lfe = .dropped
    let dropped = try await test.run()
    #expect(dropped.degradations.isEmpty)
    #expect(dropped.decisions.contains { $0.code == .lfe && $0.chose == "dropped" })
    test.job.rendition.lfe = .gain(0)
    let kept = try await test.run()
    #expect(kept.degradations.isEmpty && kept.render?.lfeGainDB == 0)
    #expect(kept.render?.downmix?.gains[0][3] ?? 0 > 0)
  }

  /// Masks of WAVEFORMATEXTENSIBLE, the largest layout, and the layout that comes out.
  static let limits: [(mask: UInt32, largest: String, output: String)] = [
    (0x4, "stereo", "mono"), (0x3, "stereo", "stereo"), (0x7, "stereo", "stereo"),
    (0x60F, "stereo", "stereo"), (0x3, "mono", "mono"), (0x60F, "5.1", "5.1(side)"),
    (0x63F, "5.1", "5.1"), (0x3, "5.1", "stereo"),
  ]

  @Test(
    "a programme with more channels than the largest layout is mixed down to it, others stay as they are, and both are reported",
    arguments: limits)
  func largerProgrammesAreMixedDown(mask: UInt32, largest: String, output: String) async throws {
    var test = try RenderCase(
      TestProgramme.wav(channels: mask.nonzeroBitCount, seconds: 1, mask: mask))
    test.job.outputs[0].endpoint = .none
    let limit = try #require(ChannelLayout(name: largest))
    test.job.rendition.largestLayout = limit
    let report = try await test.run()
    let channels = try #require(ChannelLayout(name: output)).count
    #expect(try test.decoded().planes.count == channels)
    #expect((report.render?.downmix == nil) == (channels == mask.nonzeroBitCount))
    let layout = report.decisions.filter { $0.code == .layout && $0.subject == .output(0) }
    #expect(layout.map(\.chose) == [output])
    #expect(layout.first?.why.contains("more channels") == true)
  }

  @Test("a layout that is asked for beats the largest one")
  func aLayoutBeatsTheLargest() async throws {
    var test = try RenderCase(TestProgramme.wav(channels: 6, seconds: 1, mask: 0x60F))
    test.job.outputs[0].endpoint = .none
    test.job.layout = ChannelLayout(name: "3.0")
    test.job.rendition.largestLayout = .stereo
    _ = try await test.run()
    #expect(try test.decoded().planes.count == 3)
  }

  @Test("an impossible output layout is refused") func layoutsThatCantBeMadeAreRefused()
    async throws
  {
    var test = try RenderCase(TestProgramme.wav(channels: 2, seconds: 1))
    test.job.outputs[0].endpoint = .none
    // ITU-R BS.2051 doesn't have it, and stereo has nothing for most of its channels.
    test.job.layout = ChannelLayout(name: "6.1")
    let failure = await #expect(throws: RenderFailure.self) { try await test.run() }
    #expect(failure?.error.kind == .usage)
    #expect(failure?.error.message.contains("6.1") == true)
    #expect(test.folder.contents == ["in.wav"])
  }

  @Test(
    "a programme virtualised before passes without another HRTF", .tags(.slow), .fullRunOnly,
    arguments: [Endpoint.Kind.headphones, .speakers],
    [RenderJob.Form.wav, .fragmentedMP4(.flac, bitRate: nil)])
  func virtualisedProgrammesPassThrough(endpoint: Endpoint.Kind, form: RenderJob.Form) async throws
  {
    var first = try surround()
    first.job.outputs[0].endpoint = endpoint
    first.job.form = form
    let path = first.folder.file(form == .wav ? "out.wav" : "out.mp4")
    first.job.outputs[0].location = .file(path)
    first.job.carriage.keepsMetadata = false
    _ = try await first.run()
    var again = try RenderCase(path: path)
    again.job.outputs[0].endpoint = endpoint
    again.job.policy.overwrite = true
    again.job.loudness = nil
    let report = try await again.run()
    #expect(report.render?.hrtf == nil && report.render?.virtualized == true)
    #expect(report.decisions.contains { $0.code == .virtualizer && $0.chose == "passed through" })
    #expect(report.degradations.isEmpty)
    #expect(try again.decoded().planes == (try Decoded(path).planes))
    // For the other endpoint the programme also passes through, and a degradation says so.
    again.job.outputs[0].endpoint = endpoint == .headphones ? .speakers : .headphones
    let other = try await again.run()
    #expect(other.degradations.map(\.code.rawValue) == ["other-endpoint"])
    #expect(other.render?.hrtf == nil)
    again.job.rendition.alreadyVirtualized = .no
    #expect(try await again.run().render?.hrtf?.id == "kemar")
  }
}
