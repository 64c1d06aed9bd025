// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import ADM

@Suite struct DolbyMetadataTests {
  private struct Samples: Decodable {
    struct Sample: Decodable {
      struct Expected: Decodable {
        let tool: String
        let version: String
        let warp: UInt8
        let modes: [UInt8]
        let auto_trim: [Int]
      }
      let file: String
      let dbmd: String
      let expected: Expected
    }
    let samples: [Sample]
    let axml: String
    let chna: String
  }

  private static func samples() throws -> Samples {
    let bytes = try ADMCases.bytes("vectors/dolby_samples.json")
    return try JSONDecoder().decode(Samples.self, from: Data(bytes))
  }

  private static func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
  }

  @Test(
    "seven real dbmd chunks give tool, version, warp and headphone modes and trims as listed",
    .tags(.media), .enabled(if: ObjectCases.isPresent, "../shared is missing"))
  func realChunksAreReadAsDolbysListingHasThem() throws {
    let samples = try DolbyMetadataTests.samples().samples
    #expect(samples.count == 7)
    for sample in samples {
      let findings = FindingLog()
      let found = DolbyMetadata(DolbyMetadataTests.bytes(sample.dbmd), findings: findings)
      #expect(found.tool == sample.expected.tool)
      #expect(found.toolVersion == sample.expected.version)
      #expect(found.warpMode?.rawValue == sample.expected.warp)
      #expect(found.headphoneModes.map(\.rawValue) == sample.expected.modes)
      #expect(found.automaticTrims == sample.expected.auto_trim.map { $0 == 1 })
      #expect(findings.findings.isEmpty, "\(sample.file)")
    }
  }

  @Test(
    "a cut dbmd chunk never traps, and a changed byte is reported", .tags(.media),
    .enabled(if: ObjectCases.isPresent, "../shared is missing"))
  func damageIsReportedAndNeverTraps() throws {
    let chunk = try DolbyMetadataTests.bytes(
      #require(DolbyMetadataTests.samples().samples.first).dbmd)
    for count in 0..<chunk.count {
      let findings = FindingLog()
      _ = DolbyMetadata(Array(chunk[..<count]), findings: findings)
    }
    var damaged = chunk
    damaged[300] ^= 1
    let findings = FindingLog()
    _ = DolbyMetadata(damaged, findings: findings)
    #expect(findings.findings.map(\.code) == [.dolbyMetadata])
  }

  @Test(
    "an Atmos master's dbmd gives a headphone mode for each of its 13 channels", .tags(.media),
    .enabled(if: ObjectCases.isPresent, "../shared is missing"))
  func modesOfAMasterBelongToItsChannels() throws {
    let dolby = try #require(ADMCases.container("atmos-master").dolby)
    #expect(dolby.headphoneModes.map(\.rawValue) == [3, 3, 3, 0, 3, 3, 2, 2, 2, 2, 1, 0, 2])
  }
}
