// SPDX-License-Identifier: Apache-2.0
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
  /// A file with channels of 9.1.6, which another decoder doesn't render by ITU-R BS.2127.
  private static let other = "syn_expanded_916_lpcm16.iamf"

  /// Two loudspeakers get what another decoder gives them: all elements with all gains, also those that move, and a
  /// stereo layer as it is.
  @Test(
    "a stereo render of IAMF is another decoder's",
    arguments: IAMFExpectation.names.filter { $0 != other })
  func mixesAreAsExpected(name: String) throws {
    for mix in try IAMFExpectation(name).mixes {
      var options = InputOptions()
      options.presentation = .number(mix.id)
      options.playback = .only(.stereo, followsFile: false)
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
      let difference = Signals.difference(own, wanted)
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
    #expect(Signals.difference(try test.decoded().planes, wanted) < -90)
    guard endpoint == .headphones else { return }
    let why = report.decisions.first { $0.code == .virtualizer }?.why
    #expect(why?.contains("headphones get what two loudspeakers get") == true)
    test.job.rendition.alreadyVirtualized = .no
    test.job.policy.overwrite = true
    #expect(try await test.run().render?.hrtf?.id == "kemar")
  }

  /// A layer of the wanted layout is played as it is; with `--downmix stream` the file's factors make other layouts.
  @Test func layersAndFactorsAreTold() async throws {
    func run(
      _ name: String, _ layout: String, _ change: (inout RenderJob) -> Void = { _ in }
    ) async throws -> (report: RenderReport, planes: [[Float]]) {
      var test = try RenderCase(path: IAMFExpectation.media(name))
      test.job.outputs[0].endpoint = .none
      test.job.layout = ChannelLayout(name: layout)
      test.job.loudness = nil
      test.job.encoding = .float32
      change(&test.job)
      return (try await test.run(), try test.decoded().planes)
    }
    let film = "syn_scalable_2_512_714_lpcm24.iamf"
    let layer = try await run(film, "5.1.2")
    #expect(layer.report.decisions.contains { $0.code == .layout && $0.chose == "5.1.2" })
    #expect(layer.report.loudness?.stated == nil && layer.planes.count == 8)
    // The stated stereo loudness is that of the stereo layer, so it can be compared.
    #expect(try await run(film, "stereo").report.loudness?.stated?.comparable == true)
    // An LFE is only in the highest layer.
    let bass = try await run(film, "stereo") { $0.lfe = .gain(0) }
    #expect(bass.report.render?.downmix != nil && bass.report.loudness?.stated?.comparable == false)

    let surround = "syn_scalable_1_2_71_aac_recon.iamf"
    let usual = try await run(surround, "5.1(side)")
    #expect(usual.report.render?.downmix?.method == "standard")
    let own = try await run(surround, "5.1(side)") { $0.downmix = .stream }
    #expect(own.report.render?.downmix == nil)
    let told = own.report.decisions.filter { $0.code == .downmix }
    #expect(told.count == 1 && told.first?.chose == "element 10 to 5.1", "\(told)")
    // Front channels, centre and LFE are those of 7.1; the surrounds are made of four channels.
    let all = try await run(surround, "7.1")
    #expect(Signals.difference(Array(own.planes[0..<4]), Array(all.planes[0..<4])) < -120)
    #expect(Signals.difference(Array(own.planes[4..<6]), Array(all.planes[6..<8])) > -30)
    // 5.1 has its surrounds under another name.
    let renamed = try await run(surround, "5.1") { $0.downmix = .stream }
    #expect(renamed.planes == own.planes)
    #expect(renamed.report.decisions.filter { $0.code == .downmix } == told)
  }

  /// One decode serves all outputs of a job, from the highest layer, which a decision tells.
  @Test func severalLayoutsTakeTheHighestLayer() async throws {
    var test = try RenderCase(
      path: IAMFExpectation.media("syn_scalable_2_512_714_lpcm24.iamf"))
    test.job.outputs = [
      .init(endpoint: .none, location: .file(test.folder.file("all.wav"))),
      .init(endpoint: .headphones, location: .file(test.folder.file("ears.wav"))),
    ]
    test.job.layout = .stereo
    let report = try await test.run()
    let choice = report.decisions.first { $0.code == .layout && $0.subject == .input(0) }
    #expect(choice?.chose == "the highest layer of element 10")
    #expect(report.input?.layout == "7.1.4")
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
