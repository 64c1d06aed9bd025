// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// A packet that is missing in the file damages nothing else, so only the clock shows the loss.
@Suite(.tags(.system), .fullRunOnly) struct LostPacketTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let codec: String
    let container: String
    let frame: Int
    var rate = 48_000
    var testDescription: String { "\(codec) in \(container) at \(rate) Hz" }
  }

  static let rows = [
    Row(codec: "aac", container: "mkv", frame: 1024),
    Row(codec: "aac", container: "mkv", frame: 1024, rate: 44_100),
    Row(codec: "aac", container: "ts", frame: 1024),
    Row(codec: "aac", container: "ts", frame: 1024, rate: 44_100),
    Row(codec: "aac", container: "flv", frame: 1024, rate: 44_100),
    Row(codec: "ac3", container: "mkv", frame: 1536),
    Row(codec: "ac3", container: "ts", frame: 1536),
    Row(codec: "eac3", container: "mkv", frame: 1536),
    Row(codec: "libmp3lame", container: "mkv", frame: 1152, rate: 44_100),
    Row(codec: "flac", container: "mkv", frame: 4608),
    Row(codec: "libopus", container: "mkv", frame: 960),
  ]

  private static func encoding(_ row: Row) -> [String] {
    ["-c:a", row.codec, "-ar", "\(row.rate)", "-b:a", "192k"]
      + (row.codec == "aac" ? ["-aac_pns", "0"] : [])
  }

  /// A copy of `media` without the packets that `condition` on their number `n` names.
  private func dropping(_ condition: String, from media: MadeMedia) throws -> DecodedTrack {
    let folder = try TemporaryFolder()
    let path = folder.file((media.path as NSString).lastPathComponent)
    try withExtendedLifetime((folder, media)) {
      try FixtureStore.ffmpeg([
        "-i", media.path, "-c", "copy", "-bsf:a", "noise=drop=\(condition)", path,
      ])
    }
    return try withExtendedLifetime(folder) { try DecodedTrack(path: path) }
  }

  @Test(
    "1 or 3 packets missing in a container are filled to their exact length and reported as a gap",
    arguments: rows, [1, 3])
  func lostPacketsAreFilledExactly(row: Row, lost: Int) throws {
    let media = try MadeMedia("a.\(row.container)", LostPacketTests.encoding(row), seconds: 4)
    let whole = try media.decode()
    let result = try dropping("between(n\\,30\\,\(29 + lost))", from: media)
    #expect(whole.summary.gaps.isEmpty)
    #expect(result.summary.gaps.map(\.kind) == [.gap])
    #expect(result.summary.gaps.first?.samples == Int64(lost * row.frame))
    #expect(result.kinds == ["timestamp-gap"])
    #expect(result.count == whole.count)
    #expect(DamageTests.likeness(result.planes[0], whole.planes[0], last: 30_000) > 0.99)
  }

  /// In two transport streams that are joined end to end, the clock starts twice.
  @Test(
    "two transport streams joined end to end keep all sound, with one discontinuity",
    arguments: [1, 4])
  func joinedStreamsAreBothKept(seconds: Int) throws {
    let arguments = ["-c:a", "ac3", "-b:a", "192k"]
    let part = try MadeMedia("a.ts", arguments, seconds: seconds)
    let single = try part.decode()
    let result = try part.altered { $0 += $0 }.decode()
    #expect(result.summary.gaps.map(\.kind) == [.discontinuity])
    #expect(result.summary.decoded == 2 * single.summary.decoded)
  }

  /// Nothing is reported when nothing is lost, although these containers have coarse clocks, to which
  /// Vorbis blocks and TrueHD's short frames don't fit.
  @Test(
    "intact files in containers with coarse clocks have no gaps",
    arguments: [
      ["truehd", "mkv"], ["truehd", "ts"], ["libvorbis", "mkv"], ["libvorbis", "ogg"],
      ["libopus", "ogg"], ["flac", "ogg"], ["mp2", "mpg"], ["wmav2", "asf"], ["libmp3lame", "flv"],
      ["libmp3lame", "avi"], ["dca", "mkv"], ["dca", "ts"], ["pcm_s16le", "mkv"], ["aac", "m4a"],
    ])
  func intactFilesHaveNoGaps(row: [String]) throws {
    let rate = row[0] == "libopus" ? "48000" : "44100"
    let arguments = ["-c:a", row[0], "-ar", rate, "-strict", "-2"]
    let result = try MadeMedia("a.\(row[1])", arguments, seconds: 4).decode()
    #expect(result.summary.gaps.isEmpty)
    #expect(result.kinds.isSubset(of: ["precision"]))
  }
}
