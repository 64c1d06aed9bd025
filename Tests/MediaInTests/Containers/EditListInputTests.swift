// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// The timeline gets the edit list of the right track, however the file is laid out.
@Suite(.tags(.system), .fullRunOnly) struct EditListInputTests {
  private func made() throws -> MadeMedia { try MadeMedia("a.m4a", ["-c:a", "aac"]) }

  @Test(
    "the edit list is used whatever the type of the file's first box",
    arguments: ["uuid", "skip", "PICT", "junk"])
  func theFirstBoxDoesNotMatter(type: String) throws {
    let good = try made()
    let other = try good.altered { data in
      let range = try #require(data.range(of: Data("ftyp".utf8)))
      data.replaceSubrange(range, with: Data(type.utf8))
    }
    let wanted = try good.decode()
    let result = try other.decode()
    #expect(result.summary.plan.primingSource == .editList)
    #expect(result.count == wanted.count)
    #expect(result.summary.startTrim == wanted.summary.startTrim)
  }

  @Test(
    "an edit list with another media_rate than 1 is refused, and the error states the rate",
    arguments: [0x8000, 0x20000, 0] as [Int32])
  func aChangedSpeedIsRefused(rate: Int32) throws {
    let bad = try made().altered { data in
      let list = try #require(data.range(of: Data("elst".utf8)))
      let place = list.upperBound + 16
      let bytes = withUnsafeBytes(of: rate.bigEndian) { Data($0) }
      data.replaceSubrange(place..<place + 4, with: bytes)
    }
    let error = try #require(bad.failure())
    #expect(error.kind == .unsupportedFeature)
    #expect(error.message.contains("media_rate"))
    #expect(error.message.contains("\(Double(rate) / 65536)"))
  }
}
