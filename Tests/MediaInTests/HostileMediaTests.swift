// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Mutated files may fail or decode, but must neither trap nor keep the reader from ending.
@Suite(.tags(.system), .fullRunOnly) struct HostileMediaTests {
  private func mutate(_ data: inout Data, _ noise: inout SeededNoise) {
    for _ in 0..<Int.random(in: 1...20, using: &noise) {
      let place = Int.random(in: 0..<data.count, using: &noise)
      data[place] =
        [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &noise)][
          Int.random(in: 0..<6, using: &noise)]
    }
  }

  @Test(
    "reading mutated media ends",
    arguments: [
      ["aac", "a.m4a"], ["aac", "a.mkv"], ["libmp3lame", "a.mp3"], ["flac", "a.flac"],
      ["eac3", "a.mp4"], ["libopus", "a.ogg"], ["ac3", "a.ts"], ["pcm_s16le", "a.wav"],
    ]) func mutationsEnd(row: [String]) throws
  {
    let good = try MadeMedia(
      row[1],
      ["-c:a", row[0], "-movflags", "faststart"].prefix(
        row[1].hasSuffix("m4a") || row[1].hasSuffix("mp4") ? 4 : 2) + ["-t", "0.3"], seconds: 1)
    var noise = SeededNoise(seed: 31)
    for _ in 0..<60 {
      let bad = try good.altered { mutate(&$0, &noise) }
      if let error = bad.failure(DamageTests.conceal) {
        #expect(error.kind != .internal, "\(error.message)")
      }
    }
  }

  /// The sample table claims hours for every packet; concealment must not believe it.
  @Test("packet durations of 2147483647 ticks with damage cause no internal error")
  func absurdPacketDurationsStayBounded() throws {
    let good = try MadeMedia("a.mp4", ["-c:a", "eac3", "-movflags", "faststart"])
    let bad = try good.altered { data in
      let table = try #require(data.range(of: Data("stts".utf8)))
      let delta = table.upperBound + 12
      data.replaceSubrange(delta..<delta + 4, with: [0x7F, 0xFF, 0xFF, 0xFF])
    }.damaged(count: 700)
    let error = bad.failure(DamageTests.conceal)
    #expect(error == nil || error?.kind != .internal)
  }
}
