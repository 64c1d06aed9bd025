// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import IAMF

/// The seeds that `make fuzz` begins with reach every branch of the syntax.
@Suite struct FuzzSeedTests {
  /// The content of the seeds, in both containers.
  private struct Content {
    var descriptions: [SequenceDescription] = []
    var blocks: [ParameterBlock] = []
    var findings: [UnitFindings] = []
    var clocks: [TrimmingClock] = []
    var boxes = 0
  }

  private static func seeds() throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzz/Seeds/IAMF")
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return try files.map { [UInt8](try Data(contentsOf: $0)) }
  }

  /// Content of all seeds that can be read.
  private static func content() throws -> Content {
    var content = Content()
    for seed in try seeds() {
      let bytes = Array(seed.dropFirst())
      if seed[0] & 1 == 1 {
        let box = try ConfigurationBox(bytes)
        guard let description = try? SequenceDescription(configOBUs: box.configOBUs) else {
          continue
        }
        content.descriptions.append(description)
        content.boxes += 1
        continue
      }
      guard var reader = try? RawSequenceReader(bytes: bytes) else { continue }
      content.descriptions.append(reader.description)
      var clock = TrimmingClock()
      while let unit = try? reader.next() {
        content.blocks += unit.blocks
        let mix = reader.description.playableMixes[0]
        let count = reader.description.samples(of: unit, mix) ?? mix.samplesPerFrame
        _ = clock.range(count, unit.trim(reader.description.neededSubstreams))
      }
      content.findings.append(reader.findings)
      content.clocks.append(clock)
    }
    return content
  }

  @Test("more than 100 fuzz seeds have less than 4096 bytes each and 200,000 bytes together")
  func theyAreSmall() throws {
    let sizes = try FuzzSeedTests.seeds().map(\.count)
    #expect(sizes.count > 100 && sizes.allSatisfy { $0 < 4096 } && sizes.reduce(0, +) < 200_000)
  }

  @Test("the fuzz seeds hold every loudspeaker and expanded layout, 0 to 4 layers and a projection")
  func theyHaveEveryLayoutAndField() throws {
    var (layouts, expanded, layers, fields) = (Set<Int>(), Set<Int>(), Set<Int>(), Set<Int>())
    var hasProjection = false
    let content = try FuzzSeedTests.content()
    for element in content.descriptions.flatMap(\.playableElements.values) {
      layers.insert(element.layerCount)
      switch element.element.content {
      case .channels(let all):
        layouts.formUnion(all.map(\.layoutNumber))
        expanded.formUnion(all.compactMap(\.expandedNumber))
      case .scene(let config):
        fields.insert(config.channelCount)
        if case .projection = config.mapping { hasProjection = true }
      case .other: break
      }
    }
    #expect(layouts.isSuperset(of: Array(0...9) + [15]), "\(layouts)")
    #expect(expanded == Set(ExpandedLayout.allCases.map(\.rawValue)), "\(expanded)")
    #expect(layers == Set(0...4) && fields == [1, 4, 9, 16, 25, 225] && hasProjection)
    #expect(content.boxes > 25, "\(content.boxes)")
  }

  @Test(
    "the fuzz seeds hold four codecs, six LPCM formats, three headphones modes and mixes of two parts"
  )
  func theyHaveEveryCodecAndMix() throws {
    let descriptions = try FuzzSeedTests.content().descriptions
    let codecs = descriptions.flatMap(\.codecConfigs)
    #expect(Set(codecs.map(\.codecID)) == ["Opus", "mp4a", "fLaC", "ipcm"])
    let plain = codecs.compactMap { codec -> [Int]? in
      guard case .lpcm(let config) = codec.decoder else { return nil }
      return [config.bitDepth, config.isLittleEndian ? 1 : 0]
    }
    #expect(Set(plain).count == 6 && codecs.contains { $0.samplesPerFrame == 0 })
    let mixes = descriptions.flatMap(\.playableMixes)
    let modes = Set(mixes.flatMap(\.elements).map(\.headphonesMode))
    #expect(modes == [.stereo, .binaural, .headLocked])
    #expect(Set(mixes.map(\.parts.count)) == [1, 2] && mixes.contains { $0.presentation == nil })
    let presentations = mixes.compactMap(\.presentation)
    #expect(presentations.contains { $0.contentLanguage == "fra" && $0.languages.count == 2 })
    let ignored = Set(descriptions.flatMap(\.ignored).map { "\($0.kind)" })
    #expect(ignored == ["audioElement", "mixPresentation", "parameterBlock"], "\(ignored)")
  }

  @Test("the fuzz seeds hold every gain animation, six demixing modes and both block timings")
  func theyHaveEveryKindOfBlock() throws {
    var kinds: Set<String> = []
    for block in try FuzzSeedTests.content().blocks {
      if let timing = block.timing { kinds.insert(timing.constant == 0 ? "listed" : "constant") }
      if block.subblocks.count > 1 { kinds.insert("several") }
      for subblock in block.subblocks {
        switch subblock.value {
        case .mixGain(.step): kinds.insert("step")
        case .mixGain(.linear): kinds.insert("linear")
        case .mixGain(.bezier(_, _, _, let time)): kinds.insert(time == 0 ? "even" : "bezier")
        case .demixing(let mode): kinds.insert("mode \(mode)")
        case .reconGain(let layers):
          for flags in layers.compactMap({ $0?.flags }) { kinds.insert("recon \(flags)") }
        }
      }
    }
    let curves: Set<String> = [
      "listed", "constant", "several", "step", "linear", "bezier", "even", "recon 4095", "recon 24",
    ]
    #expect(kinds == curves.union([0, 2, 3, 4, 5, 6].map { "mode \($0)" }), "\(kinds)")
  }

  /// Everything that is counted occurs.
  @Test("the fuzz seeds cause ten kinds of findings, and clamped and misplaced trims")
  func theyHaveEveryFinding() throws {
    let content = try FuzzSeedTests.content()
    let counts: [KeyPath<UnitFindings, Int>] = [
      \.emptyFrames, \.shortFrames, \.unreadableUnits, \.unreadableBlocks, \.unknownBlocks,
      \.foreignFrames, \.reservedUnits, \.redundantUnits, \.strayDescriptors,
    ]
    for count in counts {
      #expect(content.findings.contains { $0[keyPath: count] > 0 }, "\(count)")
    }
    #expect(content.findings.contains { $0.lostBytes > 0 })
    #expect(content.clocks.contains { $0.clampedUnits > 0 && $0.misplacedUnits > 0 })
    #expect(content.clocks.contains { $0.trimmedStart > 0 && $0.trimmedEnd > 0 })
  }
}
