// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import ISOBMFF

/// Damaged structure must never trap and never keep the reader from ending.
@Suite(.tags(.system), .fullRunOnly) struct HostileMovieTests {
  /// The boxes of a real file in front of its media data.
  private func head() throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=duration=1", "-c:a", "eac3", "-movflags", "faststart",
      folder.file("a.mp4"),
    ])
    let bytes = try withExtendedLifetime(folder) {
      Array(try Data(contentsOf: folder.url("a.mp4")))
    }
    let media = try #require(
      BoxScanner(BoxBytes.source(bytes)).boxes().first { $0.type == "mdat" })
    return Array(bytes[..<Int(media.payload)])
  }

  /// Reads everything that is derived from the boxes.
  private func read(_ bytes: [UInt8]) -> Int {
    guard let facts = MovieFacts(BoxBytes.source(bytes)) else { return 0 }
    return facts.tracks.reduce(facts.timescale > 0 ? 1 : 0) {
      $0 + $1.edits.count + ($1.objectComplexity ?? 0) + ($1.mediaTimescale > 0 ? 1 : 0)
    }
  }

  @Test("the head of a movie that is cut at any byte is read or refused")
  func truncationAtEveryByte() throws {
    let bytes = try head()
    for length in 0...bytes.count { _ = read(Array(bytes[..<length])) }
    #expect(read(bytes) > 1)
  }

  @Test("the head of a movie with up to eight other bytes is read or refused")
  func damagedMoviesAreReadOrRefused() throws {
    let bytes = try head()
    var noise = SeededNoise(seed: 2024)
    for _ in 0..<Soak.rounds(500, soak: 200_000) {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...8, using: &noise) {
        let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &noise)]
        let place = Int.random(in: 0..<copy.count, using: &noise)
        copy[place] = extremes[Int.random(in: 0..<extremes.count, using: &noise)]
      }
      _ = read(copy)
    }
  }
}
