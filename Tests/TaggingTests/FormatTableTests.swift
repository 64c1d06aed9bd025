// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import Tagging

/// Loudness tags in each format, over files with other tags, read by mutagen and ffprobe.
@Suite(
  .tags(.system), .fullRunOnly, .enabled(if: TagScript.isInstalled, TagScript.absence))
struct FormatTableTests {
  static let tags = LoudnessTags(
    trackGain: -3.446, trackPeak: 0.9771321, albumGain: 1, albumPeak: 1.25)
  /// Formats and the tags that they have before; `3` makes the writer of these take ID3v2.3.
  static let cases = TaggedMedia.rows.flatMap { row in
    let hasFrames = [.mpeg, .wav, .aiff].contains(row.format)
    let states = ["none", "some", "full", "full-stale"] + (hasFrames ? ["full-stale-3"] : [])
    return states.map { (row, $0) }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The fields as mutagen names them in the file of `row`.
  static func expected(_ row: TaggedMedia.Row) -> [String: [String]] {
    if row.format == .oggOpus {
      return ["r128_track_gain": ["-2162"], "r128_album_gain": ["-1024"]]
    }
    let values = [
      "REPLAYGAIN_TRACK_GAIN": ["-3.45 dB"], "REPLAYGAIN_TRACK_PEAK": ["0.977132"],
      "REPLAYGAIN_ALBUM_GAIN": ["1.00 dB"], "REPLAYGAIN_ALBUM_PEAK": ["1.250000"],
    ]
    return Dictionary(
      uniqueKeysWithValues: values.map { name, value in
        switch row.format {
        case .mpeg, .wav, .aiff: ("TXXX:" + name, value)
        case .mp4: ("----:com.apple.iTunes:" + name, value)
        // mutagen shows names of Vorbis comments in lower case.
        case .flac, .oggVorbis, .oggFLAC: (name.lowercased(), value)
        default: (name, value)
        }
      })
  }

  @Test(
    "loudness is written, other tags and the sound stay, and a second run changes no byte",
    arguments: FormatTableTests.cases)
  func tagsAreWritten(row: TaggedMedia.Row, state: String) throws {
    let path = folder.file(row.name)
    try TaggedMedia.make(row, at: path)
    if state != "none" { try TagScript.write(state, to: path) }
    let before = try TagScript.tags(of: path).filter { !TagScript.isLoudness($0.key) }
    let sound = try TaggedMedia.sound(LocalFile(path: path))

    let change = TagReplacement(FormatTableTests.tags)
    #expect(try change.apply(to: path, digest: TaggedMedia.sound) == .replaced(notes: []))
    let after = try TagScript.tags(of: path)
    #expect(after.filter { !TagScript.isLoudness($0.key) } == before)
    #expect(after.filter { TagScript.isLoudness($0.key) } == FormatTableTests.expected(row))
    #expect(try TaggedMedia.sound(LocalFile(path: path)) == sound)
    #expect(folder.contents == [row.name])
    let isOnePiece = ![.oggVorbis, .oggOpus, .oggFLAC, .mp4].contains(row.format)
    #expect((try SoundBytes.digest(of: LocalFile(path: path)) != nil) == isOnePiece)

    let bytes = try TaggedMedia.bytes(path)
    #expect(try change.apply(to: path, digest: TaggedMedia.sound) == .unchanged)
    #expect(try TaggedMedia.bytes(path) == bytes)
  }

  @Test("what was written is read back, and removed", arguments: TaggedMedia.rows)
  func tagsAreReadAndRemoved(row: TaggedMedia.Row) throws {
    let path = folder.file(row.name)
    try TaggedMedia.make(row, at: path)
    try TagScript.write("full-stale", to: path)
    let before = try TagScript.tags(of: path).filter { !TagScript.isLoudness($0.key) }
    _ = try TagReplacement(FormatTableTests.tags).apply(to: path, digest: TaggedMedia.sound)
    let stored = try StoredLoudness(path: path)
    #expect(stored.format == row.format)
    if row.format == .oggOpus {
      #expect(stored.replayGain == .none)
      #expect(stored.r128.trackGain == -2162.0 / 256)
      #expect(stored.r128.albumGain == -4)
      #expect(stored.r128.referenceLoudness == -23)
      #expect(stored.outputGain == 0)
    } else {
      #expect(
        stored.replayGain
          == LoudnessTags(
            trackGain: -3.45, trackPeak: 0.977132, albumGain: 1, albumPeak: 1.25))
      #expect(stored.r128 == .none)
      #expect(stored.outputGain == nil)
    }

    let removal = TagReplacement(.none)
    #expect(try removal.apply(to: path, digest: TaggedMedia.sound) == .replaced(notes: []))
    #expect(try TagScript.tags(of: path) == before)
    #expect(try removal.apply(to: path, digest: TaggedMedia.sound) == .unchanged)
  }

  @Test(
    "ffprobe reads the track's gain", arguments: TaggedMedia.rows.filter { !$0.words.isEmpty })
  func ffprobeReadsIt(row: TaggedMedia.Row) throws {
    let path = folder.file(row.name)
    try TaggedMedia.make(row, at: path)
    _ = try TagReplacement(FormatTableTests.tags).apply(to: path, digest: TaggedMedia.sound)
    let entries = "format_tags:stream_tags"
    let result = try Tool.run(
      "ffprobe", ["-v", "error", "-show_entries", entries, "-of", "default=nw=1", path])
    let text = String(decoding: result.output, as: UTF8.self).uppercased()
    let line =
      row.format == .oggOpus ? "TAG:R128_TRACK_GAIN=-2162" : "TAG:REPLAYGAIN_TRACK_GAIN=-3.45 DB"
    // libavformat reads ID3v2 in WAV and AIFF since 4.4 at least.
    #expect(text.contains(line), "\(text)")
  }
}
