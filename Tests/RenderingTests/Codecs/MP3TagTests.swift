// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Report
import TestSupport
import Testing

/// Whole MP3 files by ffmpeg count as whole, whatever the size of the frame that holds their tag.
@Suite(.tags(.system)) struct MP3TagTests {
  @Test(
    "a mono MP3 of any bit rate has its exact length and no degradation", .fullRunOnly,
    arguments: [32, 40, 48, 56, 64, 128], [22_050, 44_100, 48_000])
  func monoFilesAreWhole(kilobits: Int, rate: Int) async throws {
    let test = try QueueCase()
    let source = try test.write("a.wav", QueueCase.noise(1, rate), rate: rate)
    let coded = test.folder.file("a.mp3")
    try FixtureStore.ffmpeg(["-i", source, "-c:a", "libmp3lame", "-b:a", "\(kilobits)k", coded])
    let (planes, report) = try await test.render(.file(coded))
    #expect(planes[0].count == rate)
    #expect(report.degradations.map(\.code) == [])
  }

  /// One byte of the sound that differs is noticed.
  @Test("one changed byte of an MP3 is reported as checksum-mismatch") func aChangedByteIsNoticed()
    async throws
  {
    let test = try QueueCase()
    let source = try test.write("a.wav", QueueCase.noise(1, 44_100), rate: 44_100)
    let coded = test.folder.file("a.mp3")
    try FixtureStore.ffmpeg(["-i", source, "-c:a", "libmp3lame", "-b:a", "48k", coded])
    var bytes = try Data(contentsOf: test.folder.url("a.mp3"))
    bytes[bytes.count - 40] ^= 1
    try bytes.write(to: test.folder.url("a.mp3"))
    let report = try await test.render(.file(coded)).report
    #expect(report.degradations.map(\.code).contains(.checksumMismatch))
  }
}
