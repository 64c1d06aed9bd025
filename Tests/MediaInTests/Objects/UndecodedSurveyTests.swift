// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Platform
import TestSupport
import Testing

@testable import MediaIn

/// Objects that a track carries beside the channels that are decoded.
@Suite(.tags(.system), .fullRunOnly) struct UndecodedSurveyTests {
  /// A stream of TrueHD, and the presentation of 16 channels that it has.
  struct Stream: Sendable, CustomStringConvertible {
    let name: String
    /// Coded channels and objects that move; `nil` where there is no such presentation.
    let carried: (channels: Int, objects: Int)?

    var description: String { name }

    init(_ name: String, _ channels: Int? = nil, _ objects: Int = 0) {
      self.name = name
      carried = channels.map { ($0, objects) }
    }
  }

  // Numbers of objects by MediaInfo 23.04 ("16-ch", NumberOfDynamicObjects), those of channels by the guide's decoder.
  private static let streams = [
    Stream("streams/01_books.thd"), Stream("streams/06_nested_71.thd"),
    Stream("streams/10_map_5c.thd"), Stream("streams/22_atmos_nested.thd", 12, 11),
    Stream("streams/23_atmos_independent.thd", 16, 15), Stream("streams/24_wide_31ec.thd", 14, 13),
    Stream("streams/26_map_ext2.thd", 16, 0), Stream("streams/31_cbi.thd", 12, 0),
    Stream("streams/50_audible.thd", 11, 10), Stream("streams/51_audible_nested.thd", 11, 10),
    Stream("streams/32_fbb_51.mlp"), Stream("oracle/real/fba_atmos_cbi.mlp", 16, 0),
    Stream("oracle/real/fba_atmos_dimtrim.mlp", 12, 11),
    Stream("oracle/real/fba_atmos_obj.mlp", 16, 15), Stream("oracle/real/fba_192k_8ch.mlp"),
  ]

  private static let folder = SharedMedia.beside("truehd")
  private static var isPresent: Bool { folder != nil }

  private func path(_ name: String) throws -> String {
    try #require(UndecodedSurveyTests.folder) + "/" + name
  }

  @Test(
    "a presentation of 16 channels is found with its objects, as MediaInfo counts them",
    .enabled(if: isPresent, "../shared is missing"), arguments: streams)
  func theSixteenChannelsAreFound(stream: Stream) throws {
    let programme = try open(path(stream.name)).programme
    #expect(programme.facts.undecoded?.channels == stream.carried?.channels)
    #expect(programme.facts.undecoded?.objects == stream.carried?.objects)
    #expect(programme.facts.objects == (stream.carried == nil ? .no : .yes))
  }

  @Test(
    "objects that are asked for and can't be decoded are refused with the coding's name",
    .enabled(if: isPresent, "../shared is missing"))
  func renderingIsRefusedByName() throws {
    let path = try path("streams/22_atmos_nested.thd")
    let failure = #expect(throws: MediaError.self) {
      try open(path) { $0.objects.use = .render }
    }
    #expect(failure?.kind == .unsupportedCodec)
    #expect(failure?.message.contains("TrueHD with Dolby Atmos") == true)
  }

  // Of substreams 1 and 2 only the headers are there. SHA-256 of presentation 0, as the guide's decoder makes it.
  @Test(
    "stereo whose other substreams are empty is decoded",
    .enabled(if: isPresent, "../shared is missing"),
    arguments: [
      ("fba_2ch", "0b26bba04c5ac8ee08e6be02d46e7207caeda25d2e05ed4bfa8f8a9347ab9bb7"),
      ("fba_176k", "eab727603af7092f549989443ab2f8af19b1f60f38be5f346125f2998af8cce4"),
      ("fba_spliced", "132541b54b326035e910b416c57aa8100fbcc8d1e6582d554989cf197573c153"),
    ])
  func emptySubstreamsAreLeftOut(name: String, digest: String) throws {
    let reader = try open(path("oracle/real/\(name).mlp"))
    let block = ProgrammeBlock(reader.programme)
    while try reader.read(into: block) != nil {}
    let planes = (0..<2).map { Array(block.audio.channel($0)) }
    var bytes: [UInt8] = []
    for frame in planes[0].indices {
      for plane in planes {
        let value = Int32(plane[frame] * 8_388_608)
        bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
        bytes.append(UInt8(truncatingIfNeeded: value >> 16))
      }
    }
    var sum = Digest(.sha256)
    sum.update(bytes)
    #expect(sum.hexadecimal == digest)
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
