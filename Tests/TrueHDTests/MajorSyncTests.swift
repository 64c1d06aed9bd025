// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import TrueHD

/// Major syncs against the facts of streams.
@Suite(.tags(.media), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct MajorSyncTests {
  private static let names: [String: Speaker] = [
    "L": .frontLeft, "R": .frontRight, "C": .frontCenter, "LFE": .lowFrequency, "Ls": .sideLeft,
    "Rs": .sideRight, "Lb": .backLeft, "Rb": .backRight, "Cb": .backCenter, "Tfl": .topFrontLeft,
    "Tfr": .topFrontRight, "Tsl": .topSideLeft, "Tsr": .topSideRight, "Tbl": .topBackLeft,
    "Tbr": .topBackRight, "Lw": .wideLeft, "Rw": .wideRight, "LFE2": .lowFrequency2,
    "Lc": .frontLeftOfCenter, "Rc": .frontRightOfCenter, "Tc": .topCenter,
    "Tfc": .topFrontCenter,
  ]

  @Test("a major sync is read in full", arguments: TrueHDOracle.streams)
  func majorSyncsAreRead(name: String) throws {
    let facts = try TrueHDOracle.facts(name)
    let sync = try #require(try DecodedStream(TrueHDOracle.bytes(name), wanted: []).sync)
    #expect((sync.format == .mlp ? "FBB" : "FBA") == facts["format"] as? String)
    #expect(sync.sampleRate == facts["rate"] as? Int)
    #expect((0..<4).map { Int(sync.masks[$0]) } == facts["masks"] as? [Int])
    #expect(sync.extendedInfo == facts["ext"] as? Int)
    let info = (facts["info"] as? String).flatMap { Int($0.dropFirst(2), radix: 16) }
    #expect(sync.info == info)
    if let wanted = facts["meaning"] as? [String: Any] { expect(sync.meaning, wanted) }
    expect(sync.extra, facts["extra"] as? [String: Any])
    if let peak = facts["peak_bits_per_second"] as? Int {
      #expect(sync.peakBitRate == peak)
      #expect(sync.isVariableRate == (facts["variable_rate"] as? Int == 1))
      #expect(sync.unitLength == facts["samples_per_unit"] as? Int)
      let flags = (facts["flags"] as? String).flatMap { Int($0.dropFirst(2), radix: 16) }
      #expect(sync.flags == flags && sync.substreams == facts["substreams"] as? Int)
    }
  }

  private func expect(_ meaning: ChannelMeaning?, _ wanted: [String: Any]) {
    guard let meaning, wanted["mix2"] != nil else {
      #expect(meaning == nil && wanted["mix2"] == nil)
      return
    }
    #expect(meaning.heavyStartGain == wanted["heavy_drc_start"] as? Int)
    #expect(meaning.startGain == wanted["drc_start"] as? Int)
    let controls = [meaning.stereo, meaning.six, meaning.eight].map { $0.isControlled ? 1 : 0 }
    #expect(controls == wanted["control"] as? [Int])
    for (levels, suffix) in [(meaning.stereo, "2"), (meaning.six, "6"), (meaning.eight, "8")] {
      #expect(levels.dialogueNorm == wanted["dialnorm" + suffix] as? Int)
      #expect(levels.mixLevel == wanted["mix" + suffix] as? Int)
      #expect(levels.sourceFormat == wanted["source" + suffix] as? Int ?? 0)
    }
  }

  private func expect(_ extra: ExtraMeaning?, _ wanted: [String: Any]?) {
    guard let extra, let wanted else {
      #expect(extra == nil && wanted == nil)
      return
    }
    #expect(extra.dialogueNorm == wanted["dialnorm"] as? Int)
    #expect(extra.mixLevel == wanted["mix"] as? Int)
    #expect(extra.channels == wanted["channels"] as? Int)
    #expect(extra.isDynamicOnly == (wanted["dynamic_only"] as? Int == 1))
    let hasLFE = wanted["lfe"] as? Int == 1 || wanted["lfe_only"] as? Int == 1
    #expect(extra.hasLFEOnly == hasLFE)
    #expect(extra.content == wanted["content"] as? Int ?? 0)
    #expect(extra.bed == wanted["bed"] as? Int ?? 0)
    #expect(extra.spatialFormat == wanted["isf"] as? Int)
    #expect(extra.statedObjects == wanted["dynamic"] as? Int)
  }

  @Test("presentations have their loudspeakers and roles", arguments: TrueHDOracle.streams)
  func presentationsAreNamed(name: String) throws {
    let sync = try #require(try DecodedStream(TrueHDOracle.bytes(name), wanted: []).sync)
    let stream = TrueHDStream(sync)
    let wanted = try #require(
      try TrueHDOracle.facts(name)["presentations"] as? [[String: Any]])
    #expect(stream.presentations.map(\.index) == wanted.map { $0["presentation"] as? Int })
    for (presentation, fact) in zip(stream.presentations, wanted) {
      let labels = try #require(fact["labels"] as? [String])
      let found = stream.speakers(presentation.index, channels: labels.count)
      #expect(found == labels.map { MajorSyncTests.names[$0] }, "\(presentation.index)")
      let role =
        presentation.copies.map { "copy of \($0)" } ?? presentation.partOf.map { "part of \($0)" }
        ?? "independent"
      #expect(role == fact["role"] as? String, "\(presentation.index)")
    }
  }

  @Test("the presentation that is played suits what is asked for")
  func theChoiceSuitsTheStream() throws {
    let rows: [(String, objects: Int, bed: Int, dynamic: Int)] = [
      ("truehd/streams/01_books.thd", 2, 2, 0), ("truehd/streams/06_nested_71.thd", 2, 2, 0),
      ("truehd/streams/23_atmos_independent.thd", 3, 2, 15),
      ("truehd/streams/31_cbi.thd", 3, 3, 0), ("truehd/oracle/real/fba_atmos_cbi.mlp", 3, 3, 0),
      ("truehd/oracle/real/fba_atmos_obj.mlp", 3, 2, 15),
      ("truehd/oracle/real/fba_atmos_dimtrim.mlp", 3, 2, 11),
    ]
    for row in rows {
      let stream = TrueHDStream(
        try #require(try DecodedStream(TrueHDOracle.bytes(row.0), wanted: []).sync))
      let found = [
        stream.choice(.objects), stream.choice(.bed), stream.choice(.stereo), stream.objects,
      ]
      #expect(found == [row.objects, row.bed, 0, row.dynamic], "\(row.0)")
    }
  }
}
