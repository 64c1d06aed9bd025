// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

@Suite struct SampleTests {
  @Test("integer and float samples of a WAV come out exactly, also above full scale")
  func integersAndFloatsComeOutExactly() throws {
    let plane = (0..<1000).map { Int16(truncatingIfNeeded: $0 * 613) }
    let media = try MadeMedia(
      "a.wav", bytes: WAVBytes.pcm16([plane, plane.reversed()], rate: 44_100))
    let result = try media.decode()
    #expect(result.planes[0] == plane.map { Float($0) / 32_768 })
    #expect(result.planes[1] == plane.reversed().map { Float($0) / 32_768 })
    #expect(result.format == AudioFormat(sampleRate: 44_100, layout: .stereo))
    #expect(result.degradations.isEmpty)
    let loud: [Float] = [1.5, -2, 0.25]
    let floats = try MadeMedia("f.wav", bytes: WAVBytes.float32([loud], rate: 48_000))
    #expect(try floats.decode().planes == [loud])
  }

  @Test("three samples that aren't finite become silence with one report, and all others stay")
  func nonFiniteSamplesBecomeSilence() throws {
    var plane = [Float](repeating: 0.5, count: 10_000)
    plane[5000] = .nan
    plane[5001] = .infinity
    plane[9999] = -.infinity
    let media = try MadeMedia("a.wav", bytes: WAVBytes.float32([plane], rate: 48_000))
    let result = try media.decode()
    #expect(result.kinds == ["non-finite-samples"])
    #expect(result.degradations.count == 1)
    for index in [5000, 5001, 9999] { #expect(result.planes[0][index] == 0) }
    #expect(result.planes[0].count { $0 == 0.5 } == 9997)
  }

  /// A job that needs only a part of the file doesn't read to the end, but must report what it met.
  @Test("a NaN in the first block is reported once that block is read")
  func nonFiniteSamplesAreReportedWhenTheyAreMet() throws {
    var plane = [Float](repeating: 0.5, count: 100_000)
    plane[10] = .nan
    let media = try MadeMedia("a.wav", bytes: WAVBytes.float32([plane], rate: 48_000))
    let log = DiagnosticLog()
    let file = try MediaFile(path: media.path)
    let stream = try TrackOpener(file).select(.automatic, log: log)
    let reader = try AudioTrackReader(
      media: file, stream: stream, options: InputOptions(), log: log)
    #expect(try reader.read(into: ProgrammeBlock(reader.programme)) != nil)
    #expect(log.degradations.map(\.code.rawValue) == ["non-finite-samples"])
    withExtendedLifetime(media) {}
  }

  @Test("a WAV of nothing but NaN is refused as damaged")
  func nothingButNonFiniteSamplesIsAnError() throws {
    let plane = [Float](repeating: .nan, count: 10_000)
    let media = try MadeMedia("a.wav", bytes: WAVBytes.float32([plane], rate: 48_000))
    #expect(media.failure()?.kind == .damaged)
  }

  @Test(
    "5 ms of ALAC in one packet keep their exact length", .tags(.system), .fullRunOnly,
    arguments: [44_100, 96_000])
  func aFileOfOnePacketKeepsItsLength(rate: Int) throws {
    let table = try MadeMedia(
      "b.mov", ["-ar", "\(rate)", "-t", "0.005", "-c:a", "alac"], seconds: 1)
    #expect(try table.decode().count == Int((0.005 * Double(rate)).rounded()))
  }

  /// Fragments without an edit list: the only statement is the last packet's duration.
  @Test(
    "5 ms of AAC in a fragment keep at least their length, and lose at least 1024 start-up samples",
    .tags(.system), .fullRunOnly, arguments: [44_100, 48_000, 96_000])
  func shortFragmentsKeepWhatIsDecoded(rate: Int) throws {
    let media = try MadeMedia(
      "a.mp4",
      [
        "-ar", "\(rate)", "-t", "0.005", "-c:a", "aac", "-movflags",
        "empty_moov+default_base_moof+frag_keyframe",
      ], seconds: 1)
    let result = try media.decode()
    let decoded = result.summary.decoded
    #expect(decoded % 1024 == 0)
    #expect(result.count <= Int(decoded) - 1024)
    #expect(result.count >= Int((0.005 * Double(rate)).rounded()))
  }
}
