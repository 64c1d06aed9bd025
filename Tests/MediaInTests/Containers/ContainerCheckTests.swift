// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Contradictions in containers, and faults that their checksums and clocks show, are reported.
@Suite(.tags(.system), .fullRunOnly) struct ContainerCheckTests {
  private static let page = Data("OggS".utf8)

  private func pages(_ data: Data) -> [Data] {
    var starts: [Int] = []
    var from = 0
    while let found = data.range(of: ContainerCheckTests.page, in: from..<data.count) {
      starts.append(found.lowerBound)
      from = found.upperBound
    }
    return zip(starts, starts.dropFirst() + [data.count]).map { data[$0..<$1] }
  }

  @Test("intact files of eight formats have no degradations")
  func intactFilesRaiseNoDoubt() throws {
    let rows = [
      ["a.mp3", "libmp3lame"], ["a.opus", "libopus"], ["a.ogg", "libvorbis"], ["a.oga", "flac"],
      ["a.m4a", "aac"], ["a.ts", "aac"], ["a.mka", "flac"], ["a.flac", "flac"],
    ]
    for row in rows {
      let result = try MadeMedia(row[0], ["-c:a", row[1]], seconds: 1).decode()
      #expect(result.kinds.isEmpty, "\(row)")
      let known = result.decisions.allSatisfy { ["track", "layout"].contains($0.code.rawValue) }
      #expect(known, "\(row) \(result.decisions)")
    }
  }

  @Test("a changed byte in the sound or the tag of an MP3 is reported as a checksum mismatch")
  func changedBytesOfAnMP3DontFitItsTag() throws {
    let good = try MadeMedia("a.mp3", ["-c:a", "libmp3lame"], seconds: 1)
    // Damage in the last bytes of a frame's samples shows only in the checksum.
    let bad = try good.altered { $0[$0.count - 40] ^= 0x10 }
    #expect(try bad.decode().kinds == ["checksum-mismatch"])
    let tag = try good.altered { data in
      let name = try #require(data.range(of: Data("Info".utf8)))
      // Field of the encoder's peak, behind frames, bytes, table of contents and quality.
      data[name.lowerBound + 120 + 12] ^= 1
    }
    #expect(try tag.decode().kinds.contains("checksum-mismatch"))
  }

  @Test("an MP3 without its last byte is reported as truncated")
  func aMissingLastByteOfAnMP3IsReported() throws {
    let good = try MadeMedia("a.mp3", ["-c:a", "libmp3lame"], seconds: 1)
    #expect(try good.altered { $0 = $0.dropLast() }.decode().kinds == ["truncated"])
  }

  /// libav drops damaged pages of Ogg without an error.
  @Test(
    "three damaged Ogg pages are refused with their number, or concealed within 1024 samples of length"
  )
  func damagedPagesAreRefusedOrReported() throws {
    let good = try MadeMedia(
      "a.opus", ["-c:a", "libopus", "-page_duration", "200000"], seconds: 4)
    let bad = try good.altered { data in
      let all = pages(data)
      for page in all.dropFirst(all.count / 2).prefix(3) { data[page.startIndex + 200] ^= 1 }
    }
    let error = bad.failure()
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("3 pages of Ogg are damaged") == true)
    let result = try bad.decode(DamageTests.conceal)
    #expect(result.kinds.contains("decode-errors"))
    #expect(try abs(result.count - good.decode().count) <= 1024)
  }

  @Test("a missing first page of sound in Opus is reported as a gap")
  func aMissingFirstPageIsReported() throws {
    let good = try MadeMedia(
      "a.opus", ["-c:a", "libopus", "-page_duration", "200000"], seconds: 3)
    let bad = try good.altered { data in
      let all = pages(data)
      data = (all[..<2] + all[3...]).reduce(Data(), +)
    }
    #expect(try bad.decode().kinds.contains("timestamp-gap"))
  }

  @Test("stereo Opus chained with mono Opus is reported as a format change")
  func aChainOfOtherChannelsIsReported() throws {
    let stereo = try MadeMedia("a.opus", ["-c:a", "libopus"], seconds: 1)
    let mono = try MadeMedia(
      "b.opus", ["-ac", "1", "-c:a", "libopus", "-serial_offset", "7"], seconds: 1)
    let chain = try MadeMedia("c.opus", bytes: stereo.bytes() + mono.bytes())
    #expect(try chain.decode().kinds.contains("format-change"))
  }

  @Test(
    "a track box of size 0 and a sound entry of 0 channels are reported as inconsistent headers")
  func boxesWithoutASizeInsideTheMovieAreReported() throws {
    let good = try MadeMedia("a.m4a", ["-c:a", "aac"], seconds: 1)
    let open = try good.altered { data in
      let track = try #require(data.range(of: Data("trak".utf8))).lowerBound - 4
      data.replaceSubrange(track..<track + 4, with: [0, 0, 0, 0])
    }
    #expect(try open.decode().kinds == ["header-inconsistent"])
    let mute = try good.altered { data in
      let entry = try #require(data.range(of: Data("mp4a".utf8), options: .backwards)).upperBound
      data.replaceSubrange(entry + 16..<entry + 18, with: [0, 0])
    }
    #expect(try mute.decode().kinds == ["header-inconsistent"])
  }

  @Test("a transport stream without time stamps is reported")
  func lostTimestampsAreReported() throws {
    let good = try MadeMedia("a.ts", ["-c:a", "aac"], seconds: 1)
    let bad = try good.altered { data in
      for packet in stride(from: 0, to: data.count - 187, by: 188) {
        guard data[packet + 1] & 0x40 != 0 else { continue }
        let field = data[packet + 3] & 0x20 != 0 ? Int(data[packet + 4]) + 1 : 0
        let start = packet + 4 + field
        guard data[start..<start + 3].elementsEqual([0, 0, 1]), data[start + 3] & 0xE0 == 0xC0
        else { continue }
        data[start + 7] &= 0x3F
        for index in 0..<Int(data[start + 8]) { data[start + 9 + index] = 0xFF }
      }
    }
    #expect(try bad.decode().kinds == ["timestamp-missing"])
  }

  @Test("a transport stream whose clock begins anew gives a decision and no degradation")
  func aClockThatBeginsAnewIsNoted() throws {
    let turn = try MadeMedia(
      "a.ts", ["-c:a", "aac", "-output_ts_offset", "95442.3"], seconds: 3)
    let result = try turn.decode()
    #expect(result.kinds.isEmpty)
    #expect(result.decisions.contains { $0.code == .timestamps })
  }
}
