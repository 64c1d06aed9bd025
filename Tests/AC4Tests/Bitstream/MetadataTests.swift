// SPDX-License-Identifier: Apache-2.0
import AC4
import TestSupport
import Testing

@testable import AC4References

@Suite(
  .tags(.media), .enabled(if: Oracle.isPresent && SharedMedia.isPresent, "../shared is missing"))
struct MetadataTests {
  @Test(
    "metadata of real frames are the oracle's", .tags(.system), .fullRunOnly,
    arguments: RealStream.allCases) func isTheOracles(
      stream: RealStream
    ) throws
  {
    var inspector = AC4Inspector()
    for (frame, expected) in zip(try stream.frames(), try Oracle.control(stream)) {
      let facts = try inspector.inspect(rawFrame: frame.rawFrame)
      let presentation = try #require(facts.presentations.first)
      let metadata = try #require(presentation.metadata)
      check(metadata, expected.presentation_substream)
      let substream = try #require(presentation.substreams[0])
      #expect(substream.stereoOrigin == expected.metadata.pre_dmixtyp_2ch)
      #expect(substream.phaseShift == expected.metadata.phase90_2ch)
      #expect(substream.hasDCBlocking == expected.metadata.dc_block.map { $0 == 1 })
      #expect(substream.isDialogue == (expected.metadata.b_dialog == 1))
      #expect(substream.hasGoodToolsSize && expected.metadata.tools_ok)
      let enhancement = try #require(substream.dialogueEnhancement)
      #expect(enhancement.method == expected.metadata.de.method)
      #expect(enhancement.maximumGain == 3 * (expected.metadata.de.max_gain + 1))
      #expect(enhancement.channels == expected.metadata.de.chcfg)
      // Method 0 has 32 steps; a wrong reference would leave them sooner or later.
      #expect(enhancement.parameters.allSatisfy { (0...31).contains($0) })
      // The oracle tracks by order instead of by channel, which differs once the channels change.
      if expected.frame < 62, let parameters = expected.metadata.de.par {
        #expect(enhancement.parameters == parameters.flatMap { $0 })
      }
    }
  }

  private func check(
    _ metadata: AC4PresentationMetadata, _ expected: ControlFrame.Presentation
  ) {
    #expect(metadata.dialnorm == -Double(expected.dialnorm_bits) / 4)
    #expect(metadata.isImmersive == expected.immersive_audio_indicator.map { $0 == 1 })
    #expect(metadata.isAssociated == (expected.assoc == 1))
    #expect(metadata.hasGoodDRCSize)
    #expect((metadata.loudness != nil) == (expected.fli != nil))
    if let wanted = expected.fli, let loudness = metadata.loudness {
      #expect(loudness.version == wanted.loudness_version)
      #expect(loudness.practice == wanted.loud_prac_type)
      #expect(loudness.correctionDialogueGate == wanted.dialgate)
      #expect(loudness.isCorrectedInRealTime == wanted.loudcorr_type.map { $0 == 1 })
      #expect(loudness.integrated == wanted.loudrelgat.map { Double($0 - 1024) / 10 })
      #expect(loudness.dialogue == wanted.loudspchgat.map { Double($0 - 1024) / 10 })
      #expect(loudness.dialogueGate == wanted.dialgate2)
    }
    #expect(metadata.dynamicRange.isPresent == (expected.drc.present == 1))
    guard let settings = expected.drc.cfg else { return }
    #expect(metadata.dynamicRange.profile == settings.profile)
    #expect(metadata.dynamicRange.modes.map(\.id) == settings.modes.map(\.id))
    #expect(metadata.dynamicRange.modes.map(\.repeats) == settings.modes.map(\.repeat))
    for (mode, wanted) in zip(metadata.dynamicRange.modes, settings.modes) {
      guard let curve = wanted.c else {
        #expect(mode.profile == .standard)
        continue
      }
      guard case .curve(let found) = mode.profile else {
        Issue.record("mode \(mode.id) has no curve")
        continue
      }
      #expect([found.nullBandLow, found.nullBandHigh] == [curve.nl, curve.nh])
      #expect([found.maximumBoost, found.maximumBoostLevel] == [curve.mb, curve.lmb])
      #expect([found.maximumCut, found.maximumCutLevel] == [curve.mc, curve.lmc])
      #expect([found.cutSection, found.cutSectionLevel] == [curve.gsc, curve.lsc])
      #expect(found.timeConstants == curve.tc)
      #expect(found.fastThresholds == curve.thr)
    }
  }

  @Test("the dac4 box is built from a frame") func buildsTheBoxFromTheFrame() throws {
    for name in ["sample_ac4.mp4", "sample_ac4_level4.mp4"] {
      let movie = try MovieSamples(name)
      let first = try #require(movie.samples.first)
      #expect(try AC4SpecificConfiguration(rawFrame: first).dac4 == movie.dac4, "\(name)")
    }
  }

  @Test("metadata of a stream of objects are read") func readsMetadataOfObjects() throws {
    var inspector = AC4Inspector()
    for sample in try MovieSamples("sample_ac4_level4.mp4").samples {
      let facts = try inspector.inspect(rawFrame: sample).presentations[0]
      #expect(facts.metadata?.isImmersive == true)
      #expect(facts.dialnorm == -18)
      #expect(facts.metadata?.hasGoodDRCSize == true)
      #expect(facts.substreams.count == 1 && facts.substreams[0]?.hasGoodToolsSize == true)
      #expect(facts.channelMode == nil && facts.objects?.objects == 20)
    }
  }

  @Test("immersive stereo names the layout behind the pair")
  func tellsWhatAnImmersivePairWasMadeFrom() throws {
    let names: [RealStream: String] = [.channelCheck: "7.1 (3/4/0.1)", .sample: "7.0 (3/4/0)"]
    for (stream, name) in names {
      var inspector = AC4Inspector()
      let facts = try inspector.inspect(rawFrame: try stream.frames()[0].rawFrame)
      #expect(facts.presentations[0].originalMode?.name == name)
      #expect(facts.presentations[0].channelMode == .stereo)
    }
  }
}
