import AudioCore
import Foundation
import Inspection
import MediaIn
import Report
import TestSupport
import Testing

@testable import Rendering

/// IAMF from a file to what is heard.
@Suite(.tags(.media), .enabled(if: IAMFExpectation.isPresent, "../shared is missing"))
struct IAMFRenderTests {
  /// Files whose renderings by another decoder aren't those of their highest layer by ITU-R BS.2127: three have a stereo
  /// layer, which it plays as it is, and one has channels of 9.1.6.
  private static let others: Set<String> = [
    "syn_scalable_1_2_71_aac_recon.iamf", "syn_scalable_2_512_714_lpcm24.iamf",
    "syn_scalable_4layer_opus_recon.mp4", "syn_expanded_916_lpcm16.iamf",
  ]

  /// Two loudspeakers get what another decoder gives them: all elements with all gains, also those that move.
  @Test(arguments: IAMFExpectation.names.filter { !others.contains($0) })
  func mixesAreAsExpected(name: String) throws {
    for mix in try IAMFExpectation(name).mixes {
      var options = InputOptions()
      options.presentation = .number(mix.id)
      let found = try RenderedScene.planes(IAMFExpectation.media(name), options, to: .stereo)
      let wanted = try Decoded(mix.stereo.path).planes.map { plane in
        plane.map { $0 / Float(mix.stereo.scale) }
      }
      let own = found.enumerated().map { Array($1.prefix(wanted[$0].count)) }
      // One file begins with a second of silence.
      guard wanted.joined().contains(where: { $0 != 0 }) else {
        #expect(own.joined().allSatisfy { $0 == 0 })
        continue
      }
      let difference = RenderedScene.difference(own, wanted)
      #expect(difference < -90, "\(name), mix \(mix.id): \(difference) dB")
    }
  }

  /// `probe` lists every mix, and says which is played and why one can't be.
  @Test func mixesAreProbed() throws {
    let name = "syn_soa_projection_two_mixes_flac.iamf"
    var prober = MediaProber()
    prober.decoding.presentation = .languages(["fr"])
    let mixes = try #require(try prober.probe(path: IAMFExpectation.media(name)).track?.mixes)
    #expect(mixes.map(\.id) == [11, 12] && mixes.map(\.chosen) == [false, true])
    #expect(mixes.map(\.language) == ["eng", "fra"] && mixes.allSatisfy { $0.refusal == nil })
    let part = try #require(mixes[1].parts.first)
    #expect(mixes[1].names == [.init(language: "fr", text: "Français")] && part.gainDB == -0.5)
    #expect(part.elements.map(\.id) == [1, 3] && part.elements.map(\.gainDB) == [-2, 1])
    #expect(part.elements[0].kind == "scene" && part.elements[0].order == 2)
    #expect(part.elements[0].headphones == nil && part.elements[1].headphones == "binaural")
    #expect(
      part.loudness == [.init(layout: "stereo", integrated: -20, samplePeak: -3)])

    // The headphone mode of the French mix becomes the reserved one.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: IAMFExpectation.media(name)))
    let label = Data("Français".utf8) + [0, 1, 2, 1] + Data("el".utf8) + [0]
    let place = try #require(bytes.range(of: label)?.upperBound)
    bytes[place] = 0xC0
    let folder = try TemporaryFolder()
    try bytes.write(to: folder.url("reserved.iamf"))
    let damaged = try prober.probe(path: folder.file("reserved.iamf"))
    let left = try #require(damaged.track?.mixes)
    #expect(left.map(\.chosen) == [true, false])
    #expect(left[0].refusal == nil)
    #expect(left[1].refusal?.contains("reserved headphones_rendering_mode") == true)
    #expect(left[1].parts.first?.elements.last?.headphones == "binaural")
    #expect(left[1].parts.first?.elements.first?.headphones == nil)
    let why = damaged.decisions.first { $0.code == .presentation }?.why
    #expect(why?.contains("asks for fr, but the mixes are in eng") == true)
  }

  /// Layers, placeholders and anchors are told, too.
  @Test func layersAndStatedLoudnessAreProbed() throws {
    func mix(_ name: String) throws -> ProbeReport.Mix {
      let report = try MediaProber().probe(path: IAMFExpectation.media(name))
      return try #require(report.track?.mixes?.first)
    }
    let film = try mix("syn_scalable_2_512_714_lpcm24.iamf").parts[0]
    #expect(film.elements[0].layers == ["stereo", "5.1.2", "7.1.4"])
    #expect(film.elements[0].layout == "7.1.4")
    #expect(film.loudness.map(\.layout) == ["stereo", "7.1.4"])
    let noise = try mix("noise_1024samp_5p1_opus.iamf").parts[0]
    #expect(noise.loudness.map(\.doubt) == ["placeholder"] && noise.elements[0].layers == nil)
    let music = try mix("syn_stereo_trims_lpcm16be.iamf").parts[0]
    #expect(music.elements[0].headphones == "stereo" && music.gainDB == 1.25)
    #expect(
      music.loudness[0].anchors == [
        .init(of: "dialogue", integrated: -24.5), .init(of: "album", integrated: -22),
      ])
    #expect(music.loudness[0].truePeak == -3.5)
    let encoder = try mix("7_1_4_Flac.iamf").tags
    #expect(encoder == [.init(name: "iamf_encoder", value: "GitHub/iamf-tools")])
  }

  /// The only element of a mix, stereo that headphones get without HRTF, is a plain bed: it needs no layout, and only
  /// its level changes.
  @Test(arguments: [Endpoint.Kind.none, .headphones])
  func plainStereoStaysPlain(endpoint: Endpoint.Kind) async throws {
    var test = try RenderCase(path: IAMFExpectation.media("syn_stereo_trims_lpcm16be.iamf"))
    test.job.outputs[0].endpoint = endpoint
    test.job.loudness = nil
    test.job.encoding = .float32
    let report = try await test.run()
    #expect(report.render?.hrtf == nil && report.render?.virtualized == false)
    #expect(report.input?.layout == "stereo")
    let mix = try #require(try IAMFExpectation("syn_stereo_trims_lpcm16be.iamf").mixes.first)
    let wanted = try Decoded(mix.stereo.path).planes.map { plane in
      plane.map { $0 / Float(mix.stereo.scale) }
    }
    #expect(RenderedScene.difference(try test.decoded().planes, wanted) < -90)
    guard endpoint == .headphones else { return }
    let why = report.decisions.first { $0.code == .virtualizer }?.why
    #expect(why?.contains("headphones get what two loudspeakers get") == true)
    test.job.rendition.alreadyVirtualized = .no
    test.job.policy.overwrite = true
    #expect(try await test.run().render?.hrtf?.id == "kemar")
  }

  /// Headphones get the level, all samples and no degradation.
  @Test(arguments: ["7_1_4_Flac.iamf", "syn_foa_stereo_gains_flac_frag.mp4"])
  func headphonesReachTheirLevel(name: String) async throws {
    let expected = try IAMFExpectation(name)
    let test = try RenderCase(path: IAMFExpectation.media(name))
    let report = try await test.run()
    let output = try #require(report.outputs.first)
    #expect(abs(try #require(output.integrated) + 16) < 0.05)
    #expect(try #require(output.truePeak) <= -1)
    #expect(output.samples == Int64(expected.presented))
  }
}
