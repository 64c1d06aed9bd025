import AudioCore
import Foundation
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
      options.presentation = mix.id
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
