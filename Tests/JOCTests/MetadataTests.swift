// SPDX-License-Identifier: Apache-2.0
import Foundation
import Signal
import TestSupport
import Testing

@testable import JOC
@testable import ObjectMetadata

/// Metadata of objects against what other implementations read.
@Suite(.tags(.media), .enabled(if: JOCOracle.isPresent, "../shared is missing"))
struct MetadataTests {
  private let labels = [
    "L", "R", "C", "LFE", "Ls", "Rs", "Lb", "Rb", "Tfl", "Tfr", "Tsl", "Tsr", "Tbl", "Tbr", "Lw",
    "Rw", "LFE2",
  ]

  @Test("metadata of real streams are the oracle's", arguments: CoefficientTests.streams)
  func metadataAreThoseOfTheOracle(name: String) throws {
    let facts = try JOCOracle.lines("\(name).sideinfo.jsonl.gz")
    try JOCOracle.readEach(name) { index, reader in
      let fact = try #require(facts[index]["oamd"] as? [String: Any])
      try expect(reader.objects, fact, "\(name) \(index)")
    }
  }

  /// Payloads for what no real stream has: several blocks, differences, sizes, fine positions.
  @Test("made payloads of object metadata are read as the model reads them")
  func madePayloadsAreReadAsTheModelReadsThem() throws {
    let cases = try JOCOracle.lines("synthetic.jsonl").filter { $0["kind"] as? String == "oamd" }
    #expect(!cases.isEmpty)
    for made in cases {
      let bytes = MadePayload.bytes(hex: try #require(made["hex"] as? String))
      let frame = ObjectFrame()
      try bytes.withUnsafeBufferPointer {
        try ObjectReader.read(BitReader($0), size: bytes.count, into: frame)
      }
      try expect(frame, try #require(made["parsed"] as? [String: Any]), "made")
    }
  }

  /// An element that states more bytes than are left is left out, and the frame says so.
  @Test("metadata cut by three bytes are refused or reported not to end exactly")
  func elementsBeyondTheEndAreTold() throws {
    let cases = try JOCOracle.lines("synthetic.jsonl").filter { $0["kind"] as? String == "oamd" }
    var told = 0
    for made in cases {
      let bytes = MadePayload.bytes(hex: try #require(made["hex"] as? String)).dropLast(3)
      let frame = ObjectFrame()
      do {
        try Array(bytes).withUnsafeBufferPointer {
          try ObjectReader.read(BitReader($0), size: bytes.count, into: frame)
        }
      } catch is JOCError { continue }
      #expect(!frame.endsExactly)
      told += 1
    }
    #expect(told > 0)
  }

  private func expect(_ frame: ObjectFrame, _ fact: [String: Any], _ place: String) throws {
    #expect(frame.assignment.count == fact["object_count"] as? Int, "\(place)")
    #expect(frame.assignment.isDynamicOnly == (fact["dyn_object_only"] as? Int == 1), "\(place)")
    #expect(frame.assignment.isDistributed == (fact["bed_chan_distribute"] as? Int == 1))
    #expect(frame.assignment.spatialObjects == fact["isf_objects"] as? Int, "\(place)")
    let beds = frame.assignment.beds.map { $0.channels.map { labels[$0.rawValue] } }
    #expect(beds == fact["beds"] as? [[String]], "\(place)")
    #expect(frame.endsExactly, "\(place)")
    for element in try #require(fact["elements"] as? [[String: Any]]) {
      switch element["id"] as? Int {
      case 1: try expectObjects(frame, element, place)
      case 2: try expectTrims(frame, element, place)
      case 5: try expectExtension(frame, element, place)
      default: break
      }
    }
  }

  private func expectObjects(
    _ frame: ObjectFrame, _ fact: [String: Any], _ place: String
  ) throws {
    #expect(frame.sampleOffset == fact["sample_offset"] as? Int, "\(place)")
    let blocks = try #require(fact["blocks"] as? [[String: Int]])
    #expect(frame.blocks.map(\.offset) == blocks.map { $0["offset"] }, "\(place)")
    #expect(frame.blocks.map(\.ramp) == blocks.map { $0["ramp"] }, "\(place)")
    let objects = try #require(fact["objects"] as? [[[String: Any]]])
    for (object, row) in objects.enumerated() {
      for (block, wanted) in row.enumerated() {
        expect(frame.info(object, block), wanted, "\(place), object \(object), block \(block)")
      }
    }
  }

  private func expect(_ info: ObjectInfo, _ wanted: [String: Any], _ place: String) {
    #expect(info.isActive == (wanted["active"] as? Int == 1), "\(place)")
    #expect(info.gain == wanted["gain_db"] as? Int, "\(place)")
    #expect(info.priority == wanted["priority"] as? Double, "\(place)")
    guard let code = wanted["code"] as? [Int] else { return }
    #expect([info.position.x, info.position.y, info.position.z] == code, "\(place)")
    #expect([info.size.x, info.size.y, info.size.z] == wanted["size"] as? [Int], "\(place)")
    #expect(info.zone == wanted["zone"] as? Int, "\(place)")
    #expect(info.hasElevation == (wanted["elevation"] as? Int == 1), "\(place)")
    #expect(info.isSnapped == (wanted["snap"] as? Int == 1), "\(place)")
    let screen = wanted["screen"] as? [String: Double]
    #expect(info.screen?.factor == screen?["screen_factor"], "\(place)")
    #expect(info.screen?.depth == screen?["depth_factor"], "\(place)")
    switch info.distance {
    case .unstated: #expect(wanted["distance"] is NSNull, "\(place)")
    case .infinite: #expect(wanted["distance"] as? String == "infinity", "\(place)")
    case .factor(let factor): #expect(factor == wanted["distance"] as? Double, "\(place)")
    }
  }

  private func expectTrims(_ frame: ObjectFrame, _ fact: [String: Any], _ place: String) throws {
    #expect(frame.warp == fact["warp_mode"] as? Int, "\(place)")
    #expect(frame.trimMode == fact["global_trim_mode"] as? Int, "\(place)")
    let wanted = fact["configs"] as? [[String: Any]] ?? []
    #expect(frame.trims.count == wanted.count, "\(place)")
    for (trim, values) in zip(frame.trims, wanted) {
      let modes: [Trim.Mode: String] = [
        .standard: "default", .disabled: "disabled", .custom: "custom",
      ]
      #expect(modes[trim.mode] == values["mode"] as? String, "\(place)")
      #expect(trim.center == values["centre_db"] as? Double, "\(place)")
      #expect(trim.surround == values["surround_db"] as? Double, "\(place)")
      #expect(trim.height == values["height_db"] as? Double, "\(place)")
      #expect(trim.heightBalance == values["balance_top_bottom"] as? Double, "\(place)")
      #expect(trim.listenerBalance == values["balance_listener"] as? Double, "\(place)")
    }
    let disabled = fact["disable_per_object"] as? [Int] ?? []
    let found = disabled.indices.map { Int(frame.untrimmed >> UInt32($0) & 1) }
    #expect(found == disabled, "\(place)")
  }

  private func expectExtension(
    _ frame: ObjectFrame, _ fact: [String: Any], _ place: String
  ) throws {
    for (object, row) in (fact["divergence"] as? [[Double]] ?? []).enumerated() {
      #expect(row.indices.map { frame.info(object, $0).divergence } == row, "\(place)")
    }
    for (object, row) in (fact["ext_precision"] as? [[[Int]]] ?? []).enumerated() {
      let found = row.indices.map { block -> [Int] in
        let steps = frame.info(object, block).precision
        return [steps.x, steps.y, steps.z]
      }
      #expect(found == row, "\(place)")
    }
  }
}
