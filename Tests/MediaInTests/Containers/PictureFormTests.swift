// SPDX-License-Identifier: Apache-2.0
import AudioCore
import ISOBMFF
import TestSupport
import Testing

@testable import MediaIn

/// Packets of video in the form MP4 wants.
@Suite struct PictureFormTests {
  private func entry(_ sets: [[UInt8]]) throws -> VisualSampleEntry {
    var configuration: [UInt8] = [1, 0x64, 0, 0x0C, 0xFF, 0xE0 | UInt8(sets.count)]
    for set in sets { configuration += [0, UInt8(set.count)] + set }
    configuration.append(0)
    var bytes: [UInt8] = [0, 0, 0, UInt8(86 + 8 + configuration.count)]
    bytes += Array("avc1".utf8)
    bytes += [UInt8](repeating: 0, count: 78)
    bytes += [0, 0, 0, UInt8(8 + configuration.count)]
    bytes += Array("avcC".utf8)
    bytes += configuration
    return try #require(VisualSampleEntry(bytes))
  }

  @Test("start codes of three and four bytes separate units of video")
  func startCodesOfBothLengthsEndUnits() {
    let bytes: [UInt8] = [
      0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 1, 2, 0, 0, 3, 1, 0, 0, 0, 0, 1, 6, 5,
    ]
    #expect(NALFraming.units(bytes) == [4..<6, 9..<16, 21..<23])
    #expect(NALFraming.units([1, 2, 3]).isEmpty && NALFraming.units([]).isEmpty)
    #expect(NALFraming.units([0, 0, 1]).isEmpty)
  }

  @Test("known parameter sets are dropped from a sample, and unknown ones are refused")
  func knownParameterSetsAreDroppedAndOthersRefused() throws {
    let framing = NALFraming(
      codec: "h264", extradata: [0, 0, 1, 0x67], entry: try entry([[0x67, 7]]))
    let sample = try framing.sample([0, 0, 0, 1, 0x67, 7, 0, 0, 1, 0x65, 1, 2])
    #expect(sample == [0, 0, 0, 3, 0x65, 1, 2])
    #expect(throws: MediaError.self) { try framing.sample([0, 0, 1, 0x67, 8, 0, 0, 1, 0x65]) }
    let stored = NALFraming(codec: "h264", extradata: [1], entry: try entry([[0x67, 7]]))
    #expect(try stored.sample([0, 0, 0, 1, 0x65]) == [0, 0, 0, 1, 0x65])
    let av1 = NALFraming(codec: "av1", extradata: [0x81], entry: try entry([]))
    #expect(try av1.sample([0x12, 0, 0x32, 1, 5]) == [0x32, 1, 5])
  }

  @Test("HDR metadata is read from HEVC messages, but not from a unit that exceeds its sample")
  func hdrMetadataIsReadFromMessages() throws {
    let display = (0..<24).map { UInt8($0 + 1) }
    let message = [137, 24] + display + [144, 4, 3, 0xE8, 1, 0x90, 0x80]
    let empty = try entry([])
    let sets = try #require(empty.parameterSets)
    let unit = [UInt8(39 << 1), 1] + message
    let found = HDRMetadata(codec: "hevc", sample: [0, 0, 0, UInt8(unit.count)] + unit, sets: sets)
    #expect(found.masteringDisplay == display && found.lightLevel == [3, 0xE8, 1, 0x90])
    // A unit that claims to reach beyond its sample isn't read, but those before it are.
    let alone = HDRMetadata(
      codec: "hevc", sample: [0, 0, 0, UInt8(unit.count + 1)] + unit, sets: sets)
    #expect(alone.masteringDisplay == nil && alone.lightLevel == nil)
    let cut = [0, 0, 0, UInt8(unit.count)] + unit + [0, 0, 0, 200, 39 << 1, 1]
    #expect(HDRMetadata(codec: "hevc", sample: cut, sets: sets) == found)
    var random = SeededNoise(seed: 9)
    for _ in 0..<Soak.rounds(200, soak: 50_000) {
      let bytes = (0..<64).map { _ in UInt8(truncatingIfNeeded: random.next() >> 40) }
      _ = HDRMetadata(codec: "hevc", sample: [0, 0, 0, 64] + bytes, sets: sets)
      _ = NALFraming.units(bytes.map { $0 & 3 })
    }
  }
}
