// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestSupport
import Testing

@testable import IAMF

/// The file's own downmix, against the lower layers, which an encoder of its own mixed with the same factors.
@Suite(.tags(.media), .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct FactorDownmixTests {
  private func element(_ file: MediaFile) throws -> PlayableElement {
    try #require(file.description.playableElements.values.first)
  }

  private func planes(
    _ file: MediaFile, _ element: PlayableElement, _ form: ElementForm
  ) throws -> [[Float]] {
    let reconstructor = ElementReconstructor(element, form: form)
    let lengths = try PlayedFile.lengths(file, file.description.playableMixes[0])
    let units = try PlayedFile.reconstructed(file, element, reconstructor, lengths)
    return (0..<reconstructor.channelCount).map { channel in
      units.flatMap { Array($0.channel(channel)) }
    }
  }

  @Test(
    "the top layer, downmixed by the file's factors, is each lower layer within 2e-6",
    arguments: ["syn_scalable_2_512_714_lpcm24.iamf", "syn_scalable_312_514_lpcm16.mp4"])
  func theHighestLayerGivesTheLowerOnes(name: String) throws {
    let file = try MediaFile(name)
    let element = try element(file)
    for (index, layout) in element.layerLayouts.dropLast().enumerated() {
      let wanted = try planes(file, element, .layer(index))
      let found = try planes(file, element, .downmix(layout))
      #expect(found.count == wanted.count && layout.channels.count == wanted.count)
      for (one, other) in zip(found, wanted) {
        #expect(one.count == other.count && other.contains { abs($0) > 0.01 })
        let difference = zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
        #expect(difference < 2e-6, "\(name), \(layout): \(difference)")
      }
    }
  }

  /// A layer as it is comes first; factors are followed where they are asked for, are there, and lose no tops.
  @Test(
    "a layout plays as its own layer, else as a downmix by factors that loses no tops, else not at all"
  )
  func formsFollowTheRules() throws {
    let tall = try element(MediaFile("syn_scalable_312_514_lpcm16.mp4"))
    #expect(tall.layerLayouts == [.surround312, .surround514])
    #expect(tall.form(for: .surround312, followsFactors: false) == .layer(0))
    #expect(tall.form(for: .surround514, followsFactors: true) == .layer(1))
    #expect(tall.form(for: .surround512, followsFactors: true) == .downmix(.surround512))
    #expect(tall.form(for: .surround512, followsFactors: false) == nil)
    for layout in [LoudspeakerLayout.stereo, .surround51, .surround714, .binaural] {
      #expect(tall.form(for: layout, followsFactors: true) == nil, "\(layout)")
    }
    let flat = try element(MediaFile("syn_scalable_1_2_71_aac_recon.iamf"))
    #expect(flat.form(for: .stereo, followsFactors: false) == .layer(1))
    #expect(flat.form(for: .surround51, followsFactors: true) == .downmix(.surround51))
    let plain = try element(MediaFile("7_1_4_Flac.iamf"))
    #expect(plain.form(for: .surround714, followsFactors: true) == .layer(0))
    #expect(plain.form(for: .surround512, followsFactors: true) == nil)
  }
}
