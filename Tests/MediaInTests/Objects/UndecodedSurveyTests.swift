// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import TestSupport
import Testing

@testable import MediaIn

/// Objects that a track carries beside the channels that are decoded.
@Suite(.tags(.system), .fullRunOnly) struct UndecodedSurveyTests {
  @Test(
    "where the user names the channels, libavcodec's are taken, and that there are objects is known",
    .enabled(if: isPresent, "../shared is missing"),
    arguments: ["22_atmos_nested", "50_audible"])
  func namedChannelsLeaveObjectsOut(name: String) throws {
    let programme = try open(path("streams/\(name).thd")) {
      $0.layout = ChannelLayout(name: "7.1")
    }.programme
    #expect(programme.bedFormat?.layout.count == 8)
    #expect(programme.facts.undecoded == nil)
    #expect(programme.facts.objects == .yes)
  }

  private static let folder = SharedMedia.beside("truehd")
  private static var isPresent: Bool { folder != nil }

  private func path(_ name: String) throws -> String {
    try #require(UndecodedSurveyTests.folder) + "/" + name
  }

  @Test(
    "each sync word of DTS:X is found at a multiple of four bytes after the lossless layer, and nowhere else"
  )
  func theSyncWordLiesAfterTheLosslessLayer() {
    let core: [UInt8] = [0x7F, 0xFE, 0x80, 0x01, 1, 2, 3, 4, 5]
    let layer: [UInt8] = [0x41, 0xA2, 0x95, 0x47, 9, 9, 9, 9]
    let words: [[UInt8]] =
      [[0x02, 0x00, 0x08, 0x50]] + (0xD0...0xD4).map { [0xF1, 0x40, 0x00, $0] }
    func found(_ frame: [UInt8]) -> UInt32? {
      frame.withUnsafeBufferPointer { DTSExtension(frame: $0)?.syncWord }
    }
    for word in words {
      let value = word.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      #expect(found(core + layer + word + [7]) == value)
      #expect(found(core + layer + [0, 0] + word) == nil)
      #expect(found(core + word + layer) == nil)
      #expect(found(core + layer + word.dropLast()) == nil)
    }
    #expect(found(core + layer + [0xF1, 0x40, 0x00, 0xD5]) == nil)
    #expect(found([]) == nil)
  }

  @Test("MPEG-H in a transport stream is named by its type, whatever libavformat takes it for")
  func typesOfMPEGHAreNamed() throws {
    let plain = try MadeMedia("a.ts", ["-c:a", "mp2", "-b:a", "128k"], seconds: 1)
    for type: UInt8 in [0x2D, 0x2E] {
      let media = try plain.altered { TransportBytes.setType(type, in: &$0) }
      let failure = media.failure()
      #expect(failure?.kind == .unsupportedCodec)
      #expect(failure?.message.contains("MPEG-H 3D Audio") == true, "\(failure?.message ?? "")")
    }
    #expect(plain.failure() == nil)
  }

  private func open(
    _ path: String, _ change: (inout InputOptions) -> Void = { _ in }
  ) throws -> any TrackReader {
    var options = InputOptions()
    change(&options)
    let log = DiagnosticLog()
    let opener = TrackOpener(try MediaFile(path: path))
    return try opener.open(opener.select(.automatic, log: log), options: options, log: log)
  }
}

/// The programme map of a transport stream that ffmpeg wrote, altered.
private enum TransportBytes {
  /// Gives the one stream in each map another type, and the map its checksum (ISO/IEC 13818-1, 2.4.4.8, annex A).
  static func setType(_ type: UInt8, in data: inout Data) {
    for place in stride(from: 0, to: data.count - 187, by: 188)
    where Int(data[place + 1] & 0x1F) << 8 | Int(data[place + 2]) == 4096 {
      // A pointer of 0 precedes the section; without descriptors of the programme, its stream begins with byte 12.
      let section = place + 5
      let end = section + 3 + (Int(data[section + 1] & 0x0F) << 8 | Int(data[section + 2])) - 4
      data[section + 12] = type
      let sum = data[section..<end].reduce(UInt32.max) { sum, byte in
        (0..<8).reduce(sum ^ UInt32(byte) << 24) { sum, _ in
          sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1
        }
      }
      for index in 0..<4 { data[end + index] = UInt8(truncatingIfNeeded: sum >> (24 - 8 * index)) }
    }
  }
}
