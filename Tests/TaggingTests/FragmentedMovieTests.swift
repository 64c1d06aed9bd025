// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import ISOBMFF
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Places in fragmented MP4 stay right when its `moov` grows and shrinks.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg isn't installed"))
struct FragmentedMovieTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ flags: String) throws -> String {
    let path = folder.file("a.mp4")
    try FixtureStore.ffmpeg(
      ["-f", "lavfi", "-i", "sine=sample_rate=48000:duration=8", "-bitexact", "-c:a", "aac"]
        + ["-frag_duration", "1000000", "-movflags", flags, path])
    return path
  }

  /// Faults by their kind and box; ffmpeg's files have some of their own.
  private func findings(_ path: String) throws -> [String] {
    let file = try LocalFile(path: path)
    return FragmentedMovieCheck(file.source).findings.map {
      "\($0.code) \($0.path)"
    }
  }

  /// Boxes of the file that hold places: all of `moof` and `mfra`.
  private func boxes(_ path: String, _ types: [String]) throws -> [[UInt8]] {
    let file = try LocalFile(path: path)
    let scanner = BoxScanner(file.source)
    return scanner.boxes().filter { types.contains($0.type) }.map { scanner.payload($0) }
  }

  @Test(
    "an index of fragments and places in fragments move with them",
    arguments: [
      "+frag_keyframe+empty_moov+default_base_moof", "+frag_keyframe+empty_moov+dash",
      "+frag_keyframe+empty_moov+default_base_moof+global_sidx",
      "+frag_keyframe+empty_moov", "+frag_keyframe",
    ])
  func placesMove(flags: String) throws {
    let path = try make(flags)
    let before = try findings(path)
    let places = try boxes(path, ["moof", "mfra"])
    let segments = try boxes(path, ["sidx"])
    #expect(places.count > 4)

    let tags = LoudnessTags(trackGain: -3.45, trackPeak: 0.5)
    let outcome = try TagReplacement(tags).apply(to: path, digest: TaggedMedia.sound)
    #expect(outcome == .replaced(notes: []))
    #expect(try findings(path) == before)
    #expect(try boxes(path, ["sidx"]) == segments)
    #expect(try boxes(path, ["moof", "mfra"]).map(\.count) == places.map(\.count))
    #expect(try StoredLoudness(path: path).replayGain == tags)

    // A removed tag leaves room in moov, so that nothing moves again.
    let moved = try boxes(path, ["moof", "mfra"])
    _ = try TagReplacement(.none).apply(to: path, digest: TaggedMedia.sound)
    #expect(try findings(path) == before)
    #expect(try boxes(path, ["moof", "mfra"]) == moved)
  }

  @Test("a table that states more chunks than it has is refused: TagLib would write as many")
  func tablesAreChecked() throws {
    let path = folder.file("a.m4a")
    let row = try #require(TaggedMedia.rows.first { $0.name == "front.m4a" })
    try TaggedMedia.make(row, at: path)
    var bytes = Array(try TaggedMedia.bytes(path))
    let table = try #require(bytes.indices.first { bytes[$0...].starts(with: "stco".utf8) })
    bytes.replaceSubrange(table + 8..<table + 12, with: [0x7F, 0xFF, 0xFF, 0xFF])
    try Data(bytes).write(to: folder.url("a.m4a"))
    let error = #expect(throws: MediaError.self) {
      try TagReplacement(LoudnessTags(trackGain: 1)).apply(to: path, digest: { _ in [] })
    }
    #expect(error?.kind == .damaged)
  }

  @Test("a movie that ends within a box is refused")
  func brokenMoviesAreRefused() throws {
    let path = try make("+frag_keyframe+empty_moov+default_base_moof")
    let bytes = try TaggedMedia.bytes(path)
    try bytes.dropLast(100).write(to: folder.url("a.mp4"))
    let error = #expect(throws: MediaError.self) {
      try TagReplacement(LoudnessTags(trackGain: 1)).apply(to: path, digest: TaggedMedia.sound)
    }
    #expect(error?.kind == .damaged)
    #expect(try TaggedMedia.bytes(path) == bytes.dropLast(100))
  }
}
