// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import ISOBMFF

/// Damaged fragments must never trap and never keep the reader from ending.
@Suite struct HostileFragmentTests {
  private func read(_ bytes: [UInt8]) -> Int {
    FragmentedMovieCheck(BoxBytes.source(bytes)).findings.count
  }

  @Test("a fragmented movie that is cut at any byte is checked to its end")
  func truncationAtEveryByte() throws {
    let bytes = try FragmentedMovieBytes.movie()
    for length in 0..<bytes.count { _ = read(Array(bytes[..<length])) }
  }

  @Test("a fragmented movie with up to eight other bytes is checked to its end")
  func damagedMoviesAreCheckedToTheirEnd() throws {
    let bytes = try FragmentedMovieBytes.movie()
    var noise = SeededNoise(seed: 7)
    var found = 0
    let rounds = Soak.rounds(500, soak: 200_000)
    for _ in 0..<rounds {
      var copy = bytes
      for _ in 0..<Int.random(in: 1...8, using: &noise) {
        let extremes: [UInt8] = [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &noise)]
        let place = Int.random(in: 0..<copy.count, using: &noise)
        copy[place] = extremes[Int.random(in: 0..<extremes.count, using: &noise)]
      }
      found += read(copy)
    }
    #expect(found > rounds / 10)
  }

  /// A run whose samples take no bytes in its table may claim 2^32 samples. A reader that visited them one
  /// by one would take too long.
  @Test("1000 runs that claim 2^32 samples each are reported")
  func hugeCountsAreNotWalked() throws {
    let run =
      [0, 0, 0, 1] + BoxBytes.number(UInt32.max) + BoxBytes.number(UInt32(0))
    let header =
      [0, 2, 0, 0x18].map { UInt8($0) } + BoxBytes.number(UInt32(1))
      + BoxBytes.number(UInt32.max) + BoxBytes.number(UInt32.max)
    let track =
      BoxBytes.box("tfhd", [0] + header.dropFirst())
      + Array(repeating: BoxBytes.box("trun", run), count: 1000).flatMap { $0 }
    let fragment = BoxBytes.box("moof", BoxBytes.box("traf", track))
    let bytes = try FragmentedMovieBytes.movie(fragments: 1) + fragment
    #expect(read(bytes) > 0)
  }

  /// Of very many tables of places the first 256 are looked at.
  @Test("the first 256 of up to 1000 tables of places are checked")
  func veryManyTablesArentAllLookedAt() throws {
    let movie = try FragmentedMovieBytes.movie()
    let index = try #require(movie.firstRange(of: Array("mfra".utf8)))
    let fragments = movie[..<(index.lowerBound - 4)]
    // A table that claims one place and holds none.
    let table = BoxBytes.box("tfra", [UInt8](repeating: 0, count: 15) + [1])
    for (count, seen) in [(255, 255), (256, 256), (257, 256), (1000, 256)] {
      let size = BoxBytes.box(
        "mfro", BoxBytes.number(UInt32(0)) + BoxBytes.number(UInt32(24 + count * 24)))
      let tables = [[UInt8]](repeating: table, count: count).flatMap { $0 }
      let bytes = fragments + BoxBytes.box("mfra", tables + size)
      let check = FragmentedMovieCheck(BoxBytes.source(Array(bytes)))
      #expect(check.findings.map(\.path) == (1...seen).map { "mfra/tfra[\($0)]" }, "\(count)")
    }
  }
}
