// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Damage after the last sample of the programme.
@Suite(.tags(.system)) struct AfterTheEndTests {
  /// Two seconds of ALAC in MP4 whose last packet, from sample 94,208 on, begins with an element that no ALAC has
  /// (type 2, a coupling channel), and whose edit list presents so many milliseconds.
  private func presented(_ milliseconds: Int) throws -> MadeMedia {
    let media = try MadeMedia("a.m4a", ["-c:a", "alac"])
    let probe = try withExtendedLifetime(media.folder) {
      try Tool.run(
        "ffprobe",
        ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", media.path])
    }
    let places = String(decoding: probe.output, as: UTF8.self).split(separator: "\n")
    let last = try #require(places.last.flatMap { Int($0.filter(\.isNumber)) })
    return try media.altered { data in
      data[last] = 0x40
      // Version and flags, number of edits, duration.
      let place = try #require(data.range(of: Data("elst".utf8))).upperBound + 8
      let duration = (0..<4).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> (8 * $0)) }
      data.replaceSubrange(place..<place + 4, with: duration)
    }
  }

  @Test(
    "a packet that can't be decoded is no fault where the edit list ends before it",
    arguments: [(1900, DamagePolicy.fail), (1900, .conceal), (1000, .fail)])
  func damageAfterTheEditIsNone(milliseconds: Int, policy: DamagePolicy) throws {
    var options = InputOptions()
    options.damage = policy
    let track = try presented(milliseconds).decode(options)
    #expect(track.count == 48 * milliseconds)
    #expect(track.degradations.isEmpty)
    #expect(track.decisions.contains { $0.code == .trailingData })
  }

  /// The SV8 specification: packets have a key, their size with both, and numbers of seven bits a byte. A decoder begins 481
  /// samples early; silence in front is part of the count.
  @Test("the header of Musepack 8 counts the samples, and one that is cut or counts none doesn't")
  func musepackCountsItsSamples() throws {
    let header: [UInt8] = [0x53, 0x48, 15, 1, 2, 3, 4, 8, 0x84, 0x97, 0x42, 0, 0, 0, 0]
    let samples = { (bytes: [UInt8]) -> Int64? in
      let media = try MadeMedia("a.mpc", bytes: Data("MPCK".utf8) + bytes)
      return try withExtendedLifetime(media.folder) {
        MusepackHeader(try LocalFile(path: media.path))?.decodedSamples
      }
    }
    #expect(try samples(header) == 68_546 + 481)
    #expect(try samples(Array(header.prefix(10))) == nil)
    #expect(try samples([0x53, 0x48]) == nil)
    #expect(try samples([0x53, 0x48, 15, 1, 2, 3, 4, 8, 0, 0, 0]) == nil)
  }

  @Test("a packet that can't be decoded is a cut end where the edit list presents it")
  func damageInTheEditIsACutEnd() throws {
    let track = try presented(2000).decode()
    #expect(track.count == 94_208 && track.kinds == ["truncated"])
  }
}
