// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import TrueHD

/// Samples, events and checks of whole streams against what their makers and other decoders have.
@Suite(.tags(.media), .enabled(if: TrueHDOracle.isPresent, "../shared is missing"))
struct PresentationTests {
  @Test(
    "each presentation has the encoder's samples, and each event is told",
    arguments: TrueHDOracle.streams)
  func presentationsAreBitExact(name: String) throws {
    let facts = try TrueHDOracle.facts(name)
    let decoded = try DecodedStream(TrueHDOracle.bytes(name))
    let presentations = try #require(facts["presentations"] as? [[String: Any]])
    #expect(decoded.digests.count == presentations.count)
    for wanted in presentations {
      let index = try #require(wanted["presentation"] as? Int)
      #expect(decoded.digests[index] == wanted["sha256"] as? String, "presentation \(index)")
      #expect(decoded.channels[index] == wanted["channels"] as? Int)
      #expect(decoded.samples == (wanted["samples"] as? Int).map(Int64.init))
      let counts = try #require(decoded.counts[index])
      #expect([counts.rightChecks, counts.wrongChecks] == wanted["lossless_checks"] as? [Int])
      #expect(counts.concealed == (wanted["concealed"] as? Int).map(Int64.init))
    }
    let events = try #require(facts["events"] as? [[String: Any]])
    #expect(decoded.events == events.map(DecodedStream.line))
    #expect(decoded.units == facts["units"] as? Int)
  }

  @Test(
    "a presentation is the same when no other is decoded",
    arguments: ["06_nested_71", "08_map_58", "22_atmos_nested", "26_map_ext2", "09_map_24"])
  func presentationsNeedNoOther(name: String) throws {
    let bytes = try TrueHDOracle.bytes(name)
    let all = try DecodedStream(bytes)
    for (index, digest) in all.digests {
      #expect(try DecodedStream(bytes, wanted: [index]).digests[index] == digest, "\(index)")
    }
  }

  @Test("samples don't depend on the pieces that bytes come in", arguments: [1, 7, 1000, 65_536])
  func piecesDontMatter(piece: Int) throws {
    for name in ["20_end_drc", "52_core_raw"] {
      let bytes = try TrueHDOracle.bytes(name)
      let (whole, parts) = (try DecodedStream(bytes), try DecodedStream(bytes, piece: piece))
      #expect(parts.digests == whole.digests && parts.events == whole.events, "\(name)")
    }
  }

  @Test("dynamic range control is told as it is sent")
  func rangeControlIsTold() throws {
    for name in TrueHDOracle.streams {
      let wanted = try #require(try TrueHDOracle.facts(name)["drc"] as? [Any])
      let found = try DecodedStream(TrueHDOracle.bytes(name), wanted: []).controls
      let pairs = found.map { $0.map { [$0.gain, $0.time] } }
      #expect(pairs == wanted.map { $0 as? [Int] }, "\(name)")
    }
  }
}
