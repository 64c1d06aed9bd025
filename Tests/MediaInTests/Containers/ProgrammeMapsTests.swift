// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Transport streams whose programme map changes in mid-file, as recordings of broadcasts have them.
@Suite(.tags(.system), .fullRunOnly) struct ProgrammeMapsTests {
  /// Two seconds of sound in one or two tracks, and behind them two more with another programme map.
  private func recording(
    _ first: [String], _ second: [String]
  ) throws -> (joined: MadeMedia, second: MadeMedia) {
    let one = try MadeMedia("1.ts", first)
    let two = try MadeMedia("2.ts", second + ["-tables_version", "1", "-output_ts_offset", "2"])
    return (try MadeMedia("12.ts", bytes: one.bytes() + two.bytes()), two)
  }

  private func maps(_ media: MadeMedia) throws -> ProgrammeMaps {
    try withExtendedLifetime(media) { ProgrammeMaps(try LocalFile(path: media.path)) }
  }

  private static let mono = ["-map", "0:a", "-c:a", "mp2", "-b:a", "128k"]
  private static let two = ["-map", "0:a", "-map", "0:a", "-c:a", "mp2", "-b:a", "128k"]
  private static let moved = ["-mpegts_start_pid", "0x200"]

  @Test(
    "a track that gets another PID in mid-file is followed to the end",
    arguments: [(mono, 0), (two, 0), (two, 1), (["-c:a", "ac3", "-b:a", "192k"], 0)])
  func newNumbersAreFollowed(arguments: [String], track: Int) throws {
    let (joined, second) = try recording(arguments, arguments + ProgrammeMapsTests.moved)
    #expect(try maps(joined).isRenumbered)
    var options = InputOptions()
    options.track = .index(track)
    let result = try joined.decode(options)
    let count = try #require(result.planes.first?.count)
    #expect((188_000..<196_000).contains(count), "\(count)")
    #expect(result.decisions.contains { $0.code == .container && $0.why.contains("other PIDs") })
    // Decoders of both codecs dither, and begin with another state.
    let (found, wanted) = (
      try #require(result.planes.first).suffix(24_000),
      try #require(try second.decode(options).planes.first).suffix(24_000)
    )
    let difference = zip(found, wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    #expect(difference < wanted.reduce(0) { $0 + $1 * $1 } / 100)
  }

  /// As advertisements have it: the programme's own PIDs come back.
  @Test("a track that gets another PID for a while is followed")
  func numbersThatComeBackAreFollowed() throws {
    let mono = ProgrammeMapsTests.mono
    let (joined, _) = try recording(mono, mono + ProgrammeMapsTests.moved)
    let end = try MadeMedia("3.ts", mono + ["-tables_version", "2", "-output_ts_offset", "4"])
    let whole = try MadeMedia("123.ts", bytes: joined.bytes() + end.bytes())
    #expect(try maps(whole).isRenumbered)
    let sound = try #require(try whole.decode().planes.first)
    #expect((284_000..<292_000).contains(sound.count), "\(sound.count)")
    // Nothing is filled with silence where the other PID has the sound.
    for second in 0..<5 {
      let part = sound[second * 48_000..<(second + 1) * 48_000]
      #expect(part.contains { $0.magnitude > 0.001 }, "second \(second)")
    }
  }

  @Test("a track in whose place another kind of track comes for a while is refused with both PIDs")
  func otherTracksForAWhileAreRefused() throws {
    let mono = ProgrammeMapsTests.mono
    let (joined, _) = try recording(mono, ["-c:a", "ac3"] + ProgrammeMapsTests.moved)
    let end = try MadeMedia("3.ts", mono + ["-tables_version", "2", "-output_ts_offset", "4"])
    let failure = try MadeMedia("123.ts", bytes: joined.bytes() + end.bytes()).failure()
    #expect(failure?.kind == .unsupportedFeature)
    #expect(failure?.message.contains("PID 512") == true, "\(failure?.message ?? "")")
  }

  @Test(
    "a track in whose place another kind of track comes in mid-file is refused with both PIDs",
    arguments: [["-c:a", "ac3"], ["-c:a", "aac"], two])
  func otherTracksAreRefused(second: [String]) throws {
    let (joined, _) = try recording(ProgrammeMapsTests.mono, second + ProgrammeMapsTests.moved)
    let failure = joined.failure()
    #expect(failure?.kind == .unsupportedFeature)
    #expect(
      failure?.message.contains("PID 256") == true && failure?.message.contains("PID 512") == true)
  }

  @Test("a track that keeps its PID, or ends with nothing in its place, is taken as it is")
  func otherChangesAreTaken() throws {
    for (first, second, track) in [
      (ProgrammeMapsTests.mono, ProgrammeMapsTests.mono, 0),
      (ProgrammeMapsTests.mono, ProgrammeMapsTests.two, 0),
      (ProgrammeMapsTests.two, ProgrammeMapsTests.mono, 0),
      (ProgrammeMapsTests.two, ProgrammeMapsTests.mono, 1),
    ] {
      let (joined, _) = try recording(first, second)
      let maps = try maps(joined)
      #expect(!maps.isRenumbered && maps.successors(of: 256 + track).isEmpty)
      var options = InputOptions()
      options.track = .index(track)
      #expect(joined.failure(options) == nil)
    }
  }

  @Test("damaged programme maps and bytes at random are passed over")
  func damagedMapsArePassedOver() throws {
    let (joined, _) = try recording(
      ProgrammeMapsTests.mono, ProgrammeMapsTests.mono + ProgrammeMapsTests.moved)
    // ffmpeg gives the map the PID 4096; without its checksum no map is believed.
    let damaged = try joined.altered { data in
      for place in stride(from: 0, to: data.count - 187, by: 188)
      where Int(data[place + 1] & 0x1F) << 8 | Int(data[place + 2]) == 4096 {
        data[place + 16] ^= 1
      }
    }
    #expect(try !maps(damaged).isRenumbered)
    var noise = SeededNoise(seed: 109)
    for _ in 0..<Soak.rounds(20, soak: 2000) {
      let torn = try joined.altered { data in
        for _ in 0..<2000 {
          data[Int.random(in: 0..<data.count, using: &noise)] = UInt8.random(
            in: 0...255, using: &noise)
        }
      }
      _ = try maps(torn).isRenumbered
    }
  }
}
