// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import IAMF

/// Every field of every file against an independent reader.
@Suite(.tags(.media), .enabled(if: IAMFOracle.isPresent, "../shared is missing"))
struct DumpTests {
  @Test(
    "every field of every OBU in a raw file is as an independent reader found it",
    arguments: IAMFOracle.rawFiles)
  func allUnitsOfARawFile(name: String) throws {
    let bytes = try IAMFOracle.bytes(name)
    let file = try MediaFile(name)
    let found = try Dump(description: file.description).units(bytes, base: 0)
    let wanted = try #require(try IAMFOracle.json(name + ".json")["obus"] as? [[String: Any]])
    #expect(wanted.count >= 5)
    #expect(Dump.differences(found, wanted) == [])
    try expectUnits(file, wanted, counts: found.filter { $0["name"] as? String == "audio_frame" })
  }

  @Test(
    "every field of every descriptor and OBU in an MP4 file is as an independent reader found it",
    arguments: IAMFOracle.movies)
  func allUnitsOfAMovie(name: String) throws {
    let bytes = try IAMFOracle.bytes(name)
    let file = try MediaFile(name)
    let dump = Dump(description: file.description)
    let tracks = try #require(try IAMFOracle.json(name + ".json")["tracks"] as? [[String: Any]])
    let descriptors = try #require(tracks.first?["descriptors"] as? [[String: Any]])
    let end = try #require(descriptors.last.flatMap { $0["offset"] as? Int })
    let size = try #require(descriptors.last.flatMap { $0["total_size"] as? Int })
    let front = file.descriptorOffset
    let found = try dump.units(Array(bytes[front..<end + size]), base: front)
    #expect(Dump.differences(found, descriptors) == [])
    var all: [[String: Any]] = []
    for unit in try MediaFile.oracleUnits(name) {
      let offset = try #require(unit["offset"] as? Int)
      let size = try #require(unit["size"] as? Int)
      let wanted = try #require(unit["obus"] as? [[String: Any]])
      let found = try dump.units(Array(bytes[offset..<offset + size]), base: offset)
      #expect(Dump.differences(found, wanted) == [])
      all += wanted
    }
    #expect(all.count > 5)
    try expectUnits(file, all, counts: all.filter { $0["name"] as? String == "audio_frame" })
  }

  /// The temporal units hold all frames and blocks of the oracle in their order, and nothing else.
  private func expectUnits(
    _ file: MediaFile, _ wanted: [[String: Any]], counts frames: [[String: Any]]
  ) throws {
    let substreams = file.description.neededSubstreams.count
    #expect(file.units.count * substreams == frames.count)
    #expect(file.units.allSatisfy { $0.frames.count == substreams })
    var found: [[String: Any]] = []
    for (index, unit) in file.units.enumerated() {
      let base = file.offsets.isEmpty ? 0 : file.offsets[index]
      found += unit.frames.map { frame -> [String: Any] in
        [
          "substream_id": frame.substream, "payload_offset": base + Int(frame.position),
          "payload_size": frame.bytes.count, "trim_start": frame.trim.start,
          "trim_end": frame.trim.end,
        ]
      }
    }
    let plain = frames.map { frame -> [String: Any] in
      var fields = frame.filter {
        ["substream_id", "payload_offset", "payload_size"].contains($0.key)
      }
      fields["trim_start"] = frame["trim_start"] ?? 0
      fields["trim_end"] = frame["trim_end"] ?? 0
      return fields
    }
    #expect(Dump.differences(found, plain) == [])
    let blocks = wanted.compactMap { $0["parameter_block"] as? [String: Any] }
      .filter { $0["unknown"] == nil }
    #expect(Dump.differences(file.units.flatMap(\.blocks).map(Dump.block), blocks) == [])
    #expect(!file.findings.isDamaged)
    #expect(file.description.ignored.isEmpty)
    for config in file.description.codecConfigs { #expect(config.hasStandardRollDistance) }
  }

  /// Counts of what is passed over, in the file that has all of it.
  @Test("a file with foreign parts counts 1 unknown block, 1 reserved unit and 4 redundant units")
  func unknownPartsAreCounted() throws {
    let file = try MediaFile("syn_stereo_trims_lpcm16be.iamf")
    var wanted = UnitFindings()
    wanted.units = 12
    wanted.unknownBlocks = 1
    wanted.reservedUnits = 1
    wanted.redundantUnits = 4
    #expect(file.findings == wanted)
    #expect(file.description.reservedUnits == 1)
  }
}
