// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Bytes of a bare stream that belong to no frame, whether they came on top or were a frame.
@Suite(.tags(.system)) struct StrayBytesTests {
  /// A bare stream of two seconds, and the byte in its middle where a frame begins that `sync` begins at byte `lead`.
  struct Stream: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let name: String
    let coding: [String]
    let sync: [UInt8]
    var lead = 0

    func make() throws -> (media: MadeMedia, place: Int) {
      let media = try MadeMedia(name, ["-strict", "-2", "-c:a"] + coding)
      let data = try media.bytes()
      let word = try #require(data.range(of: Data(sync), in: data.count / 2..<data.count))
      return (media, word.lowerBound - lead)
    }
  }

  private static let dts = Stream(
    testDescription: "DTS", name: "a.dts", coding: ["dca"], sync: [0x7F, 0xFE, 0x80, 0x01])
  private static let trueHD = Stream(
    testDescription: "TrueHD", name: "a.thd", coding: ["truehd"],
    sync: [0xF8, 0x72, 0x6F, 0xBA], lead: 4)
  private static let ac3 = Stream(
    testDescription: "AC-3", name: "a.ac3", coding: ["ac3", "-b:a", "192k"],
    // crc1 isn't known; the next byte has rate and size, the one after it the version.
    sync: [0x14, 0x40, 0x43, 0xE1], lead: 4)
  private static let eac3 = Stream(
    testDescription: "E-AC-3", name: "a.eac3", coding: ["eac3", "-b:a", "192k"],
    sync: [0x0B, 0x77, 0x01, 0x7F])
  private static let adts = Stream(
    testDescription: "AAC in ADTS", name: "a.aac", coding: ["aac"], sync: [0xFF, 0xF1])

  private var conceal: InputOptions {
    var options = InputOptions()
    options.damage = .conceal
    return options
  }

  /// The judge is the stream without them.
  @Test(
    "bytes between two frames take no sound away, and are reported",
    arguments: [dts, ac3, eac3, adts])
  func bytesBetweenFramesAreReported(stream: Stream) throws {
    let (plain, place) = try stream.make()
    let bad = try plain.altered {
      $0.insert(contentsOf: Data(repeating: 0x55, count: 99), at: place)
    }
    let (right, track) = (try plain.decode(), try bad.decode())
    #expect(track.planes == right.planes && track.kinds == ["garbage-skipped"])
    #expect(track.degradations.first?.message.contains("99 bytes") == true)
  }

  /// A frame whose sync word is broken is lost: no later sound may take its place unnoticed.
  @Test(
    "a frame that has lost its sync word ends the run, or becomes silence of its length",
    arguments: [dts, trueHD, ac3, eac3])
  func aLostFrameIsDamage(stream: Stream) throws {
    let (plain, place) = try stream.make()
    let bad = try plain.altered { data in
      data.replaceSubrange(
        place..<place + stream.lead + 4, with: Data(repeating: 0x55, count: stream.lead + 4))
    }
    #expect(bad.failure()?.kind == .damaged)
    let (right, track) = (try plain.decode(), try bad.decode(conceal))
    // Pinna's own decoder of TrueHD says both what was passed over and what is silent for it.
    let kinds = stream.name == "a.thd" ? ["garbage-skipped", "concealed"] : ["decode-errors"]
    #expect(track.count == right.count && Set(track.kinds) == Set(kinds))
    // The sound after the loss is at its place. Decoders of AC-3 dither, so that not all of it is the same.
    let (tail, wanted) = (
      track.planes[0].suffix(right.count / 4), right.planes[0].suffix(right.count / 4)
    )
    let difference = zip(tail, wanted).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
    let power = wanted.reduce(0) { $0 + $1 * $1 }
    #expect(power > 0 && difference < power / 100)
  }

  /// libavcodec takes the missing bits for zeros, and says nothing.
  @Test(
    "a last frame of MPEG audio whose end is missing is reported",
    arguments: [
      ("a.mp3", ["libmp3lame"]), ("b.mp3", ["libmp3lame", "-write_xing", "0"]), ("a.mp2", ["mp2"]),
    ])
  func aCutLastFrameIsReported(name: String, coding: [String]) throws {
    let plain = try MadeMedia(name, ["-c:a"] + coding)
    let (right, track) = (try plain.decode(), try plain.altered { $0.removeLast(100) }.decode())
    #expect(right.kinds.isEmpty && track.kinds == ["truncated"])
    #expect(track.count <= right.count && track.count > right.count - 1152)
    let place = right.count - 2 * 1152
    #expect(track.planes[0].prefix(place) == right.planes[0].prefix(place))
  }
}
