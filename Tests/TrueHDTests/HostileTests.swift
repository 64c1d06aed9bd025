// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import TrueHD

/// Streams that are changed in every way, whose checks are right all the same.
@Suite struct HostileTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Fuzz/Seeds/TrueHD")
  private static let seeds =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .sorted() ?? []

  private static func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: folder.appending(path: name)))
  }

  @Test("the seeds decode without a loss, and repairing them changes nothing", arguments: seeds)
  func seedsAreSound(name: String) throws {
    let bytes = try HostileTests.bytes(name)
    let found = try DecodedStream(bytes)
    #expect(found.units > 0 && found.digests.count > 0)
    #expect(!found.events.contains { $0.contains("lost") || $0.contains("mismatch") })
    // Frames of AC-3 between units end what can be repaired.
    if name != "52_core_raw.bin" { #expect(RepairedStream(bytes).stream == bytes) }
  }

  @Test("changed streams with right checks are decoded or concealed", arguments: seeds)
  func changedStreamsAreRead(name: String) throws {
    let bytes = try HostileTests.bytes(name)
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    for _ in 0..<Soak.rounds(12, soak: 1000) {
      var changed = bytes
      for _ in 0...random(3) { changed[random(changed.count)] ^= 1 << UInt8(random(8)) }
      let found = try? DecodedStream(RepairedStream(changed).stream)
      #expect((found?.samples ?? 0) <= 1 << 18)
    }
  }

  @Test(
    "streams that are cut anywhere end there", arguments: ["22_atmos_nested.bin", "20_end_drc.bin"])
  func cutStreamsAreRead(name: String) throws {
    let bytes = try HostileTests.bytes(name)
    for count in stride(from: 0, to: bytes.count, by: 37) {
      let found = try? DecodedStream(Array(bytes.prefix(count)))
      #expect((found?.samples ?? 0) <= 1 << 16)
    }
  }

  @Test("raw streams are recognised by their units, and other bytes aren't")
  func streamsAreRecognised() throws {
    let junk = (0..<4000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 37 >> 3) }
    let rows: [(String, [UInt8], Bool)] = [
      ("a stream", try HostileTests.bytes("01_books.bin"), true),
      ("a stream with a core", try HostileTests.bytes("52_core_raw.bin"), true),
      ("MLP", try HostileTests.bytes("33_fbb_16bit.bin"), true),
      ("a stream behind something", junk + (try HostileTests.bytes("01_books.bin")), true),
      ("junk", junk, false), ("nothing", [], false),
      ("a sync word", [0, 0, 0, 0, 0xF8, 0x72, 0x6F, 0xBA] + junk, false),
    ]
    for (name, bytes, isTrueHD) in rows {
      #expect((RawUnits.recognised(beginning: bytes) != nil) == isTrueHD, "\(name)")
    }
  }
}
