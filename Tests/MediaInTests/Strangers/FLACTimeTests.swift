// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import MediaIn

/// Bare FLAC streams are placed by their own numbers, and their samples held against the header's MD5.
@Suite struct FLACTimeTests {
  private func decode(_ stream: FLACBytes) throws -> DecodedTrack {
    try MadeMedia("a.flac", bytes: stream.file).decode()
  }

  private static let varied = [4608, 1152, 4608, 576, 2304, 4608, 1152, 576, 4608, 2304, 1000]
  private static let places = varied.indices.map { varied[..<$0].reduce(0, +) }

  private static var streams: [(String, FLACBytes)] {
    var old = FLACBytes(blocks: varied)
    old.numbers = places
    var new = old
    new.countsSamples = true
    var counted = FLACBytes(blocks: Array(repeating: 1152, count: 20) + [300])
    counted.stated = (300, 1152)
    var open = counted
    open.total = 0
    return [
      ("blocks of many lengths, numbered by samples without the flag", old),
      ("blocks of many lengths, numbered by samples", new),
      ("frames counted, with the last one as the shortest", counted),
      ("an open length", open),
      ("frames of one length", FLACBytes(blocks: Array(repeating: 1152, count: 20) + [300])),
    ]
  }

  @Test(
    "each numbering of FLAC frames gives all samples, without a gap", arguments: streams.indices)
  func everyNumberingGivesAllSamples(row: Int) throws {
    let (name, stream) = FLACTimeTests.streams[row]
    let track = try decode(stream)
    #expect(track.planes[0] == stream.left, "\(name)")
    #expect(track.degradations.isEmpty && track.summary.gaps.isEmpty, "\(name)")
  }

  /// RFC 9639, 8.2: the total is that of the stream, so that one of both is wrong.
  @Test("FLAC with more samples than STREAMINFO counts gives all, and is reported")
  func moreThanTheHeaderCounts() throws {
    var stream = FLACBytes(blocks: Array(repeating: 1152, count: 20) + [300])
    stream.total = 10_000
    let track = try decode(stream)
    #expect(track.planes[0] == stream.left && track.kinds == ["header-inconsistent"])
    #expect(try !isPromised(stream))
    stream.total = nil
    #expect(try isPromised(stream))
  }

  /// Whether `probe` gives the length.
  private func isPromised(_ stream: FLACBytes) throws -> Bool {
    let made = try MadeMedia("a.flac", bytes: stream.file)
    let media = try MediaFile(path: made.path)
    let log = DiagnosticLog()
    let opener = TrackOpener(media)
    let reader = try opener.open(
      opener.select(InputOptions().track, log: log), options: InputOptions(), log: log)
    return reader.track.isCountExact
  }

  /// None of these is sound: zeros fill up blocks, and converters and old players leave tags of MP3.
  @Test("zeros and tags after the frames of FLAC are no damage", arguments: [true, false])
  func whatFollowsIsNoDamage(isCounted: Bool) throws {
    var stream = FLACBytes(blocks: Array(repeating: 1152, count: 5) + [300])
    if !isCounted { stream.total = 0 }
    // Version 2000, 100 bytes with this footer, one item.
    let numbers: [UInt8] = [0xD0, 7, 0, 0, 100, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    let ape = Data(count: 68) + Data("APETAGEX".utf8) + Data(numbers) + Data(count: 8)
    let old = Data("TAG".utf8) + Data(count: 125)
    var tails = [old, ape, ape + old, old + ape]
    // If the header leaves the length open, nobody knows that they aren't a frame.
    if isCounted { tails += [Data(count: 50), Data(count: 5000), old + Data(count: 300)] }
    for (index, tail) in tails.enumerated() {
      for policy in [DamagePolicy.fail, .conceal] {
        var options = InputOptions()
        options.damage = policy
        let track = try MadeMedia("a.flac", bytes: stream.file + tail).decode(options)
        #expect(track.planes[0] == stream.left, "tail \(index)")
        #expect(track.degradations.isEmpty, "tail \(index): \(track.degradations)")
      }
    }
  }

  /// Silence of 4096 samples takes 10 bytes in mono with 8 bits, fewer than libavcodec accepts.
  @Test("frames of ten bytes are decoded")
  func shortFramesAreDecoded() throws {
    let track = try MadeMedia("a.flac", bytes: FLACBytes.constant(frames: 20)).decode()
    let expected = (0..<20).flatMap { [Float](repeating: Float($0 + 1) / 128, count: 4096) }
    #expect(track.planes[0] == expected && track.degradations.isEmpty)
  }

  @Test(
    "lost frames become silence of their length, by the numbers of those that follow",
    arguments: [[7], [7, 8, 9], [18]])
  func lostFramesBecomeSilence(lost: [Int]) throws {
    var stream = FLACBytes(blocks: Array(repeating: 1152, count: 20) + [300])
    stream.lost = Set(lost)
    let track = try decode(stream)
    let range = lost[0] * 1152..<(lost[0] + lost.count) * 1152
    var expected = stream.left
    expected.replaceSubrange(range, with: [Float](repeating: 0, count: range.count))
    #expect(track.planes[0] == expected)
    #expect(track.summary.gaps.map(\.samples) == [Int64(range.count)])
    // The silence isn't what was encoded, either.
    #expect(track.kinds == ["timestamp-gap", "checksum-mismatch"])
  }

  @Test("a number far beyond the stated length adds no silence")
  func theStatedLengthIsABound() throws {
    var stream = FLACBytes(blocks: Array(repeating: 1152, count: 20))
    stream.numbers = (0..<20).map { $0 < 10 ? $0 : $0 + 1000 }
    let track = try decode(stream)
    #expect(track.planes[0] == stream.left)
    #expect(track.degradations.isEmpty)
    #expect(track.decisions.map(\.chose).contains("clock-implausible"))
  }

  @Test("one frame with a wrong number is jitter, and no sample changes", arguments: [3, 40, 19])
  func oneWrongNumberChangesNothing(number: Int) throws {
    var stream = FLACBytes(blocks: Array(repeating: 1152, count: 30))
    stream.numbers = Array(0..<30)
    stream.numbers?[10] = number
    let track = try decode(stream)
    #expect(track.planes[0] == stream.left)
    #expect(track.degradations.isEmpty)
    #expect(track.decisions.map(\.chose).contains("clock-jitter"))
  }

  @Test(
    "samples of 8 to 24 bits have their MD5, a wrong one is reported, and none is no fault",
    arguments: [8, 12, 16, 20, 24])
  func theMD5IsThatOfTheSamples(bits: Int) throws {
    var stream = FLACBytes(blocks: [1152, 1152, 1152, 700], bits: bits)
    let right = try decode(stream)
    #expect(right.planes[0] == stream.left && right.degradations.isEmpty)
    stream.md5 = [UInt8](repeating: 0, count: 16)
    #expect(try decode(stream).degradations.isEmpty)
    stream.md5 = [UInt8](repeating: 1, count: 16)
    #expect(try decode(stream).kinds == ["checksum-mismatch"])
  }
}
