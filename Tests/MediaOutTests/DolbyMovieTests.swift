// SPDX-License-Identifier: Apache-2.0
import Foundation
import ISOBMFF
import TestSupport
import Testing

@testable import MediaOut

/// Streams that are only repacked keep every packet and their configuration.
@Suite(.tags(.system), .fullRunOnly) struct DolbyMovieTests {
  @Test(
    "repacked AC-3 and E-AC-3 keep their configuration and decode to the same samples",
    arguments: [
      (DolbySampleEntry.Coding.ac3, "ac3", "dac3"), (.eac3, "eac3", "dec3"),
    ])
  func surroundIsRepacked(
    coding: DolbySampleEntry.Coding, encoder: String, box: String
  ) throws {
    let folder = try TemporaryFolder()
    try FixtureStore.ffmpeg([
      "-f", "lavfi", "-i", "sine=duration=3:sample_rate=48000", "-ac", "6", "-c:a", encoder,
      folder.file("a.mp4"),
    ])
    let packets = try CodedStream.packets(of: folder.file("a.mp4"), stream: "a:0")
    let bytes = Array(try Data(contentsOf: folder.url("a.mp4")))
    let original = try #require(FragmentedMovieReader(MovieBytes.source(bytes))?.tracks.first)
    let configuration = try #require(original.configuration(box))
    let entry = try DolbySampleEntry(
      coding, configuration: configuration, channels: 6, sampleRate: 48_000)
    let track = MovieTrack(
      kind: .sound, timescale: 48_000, sampleEntry: entry.encoded, mediaTime: 256,
      validDuration: 144_000)
    var settings = FragmentedMP4Settings(movieTimescale: 48_000, fragmentDuration: 48_000)
    settings.compatibleBrands.append("dby1")
    let movie = try WrittenMovie([(track, packets)], settings: settings)
    let source = MovieBytes.source(try movie.bytes())
    #expect(FragmentedMovieCheck(source).findings == [])
    #expect(FragmentedMovieReader(source)?.tracks.first?.configuration(box) == configuration)
    #expect(try MovieBytes.probed(movie.path, "codec_name") == encoder)
    #expect(try MovieBytes.probed(movie.path, "channels") == "6")
    // The decoder's output is that of the stream as it was.
    let plain = try Tool.run(
      "ffmpeg",
      [
        "-v", "error", "-ignore_editlist", "1", "-i", folder.file("a.mp4"), "-f", "f32le", "-",
      ])
    let wanted = plain.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    let decoded = try movie.decoded()
    #expect(decoded == Array(wanted.prefix(decoded.count)))
    #expect(decoded.count / 6 >= 144_000)
  }
}
