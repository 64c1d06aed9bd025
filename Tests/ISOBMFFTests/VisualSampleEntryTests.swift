// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ISOBMFF

@Suite struct VisualSampleEntryTests {
  private func entry(_ type: String, _ boxes: [UInt8]) -> [UInt8] {
    BoxBytes.box(type, [UInt8](repeating: 0, count: 78) + boxes)
  }

  private let avcC: [UInt8] = [1, 0x64, 0, 0x0C, 0xFF, 0xE1, 0, 3, 0x67, 1, 2, 1, 0, 2, 0x68, 9]

  @Test("codec strings of AVC, HEVC, VP9 and AV1 follow the configuration")
  func codecStringsFollowTheConfiguration() throws {
    let hvcC: [UInt8] =
      [1, 2, 0x20, 0, 0, 0, 0x90, 0, 0, 0, 0, 0, 60] + [UInt8](repeating: 0, count: 8) + [3, 0]
    let cases: [(String, String, [UInt8], String)] = [
      ("avc1", "avcC", avcC, "avc1.64000C"),
      ("hvc1", "hvcC", hvcC, "hvc1.2.4.L60.90"),
      ("vp09", "vpcC", [1, 0, 0, 0, 2, 41, 0xA0], "vp09.02.41.10"),
      ("av01", "av1C", [0x81, 0x08, 0x4C, 0], "av01.0.08M.10"),
      ("av01", "av1C", [0x81, 0x2D, 0xE0, 0], "av01.1.13H.12"),
    ]
    for (type, box, payload, codec) in cases {
      let entry = try #require(VisualSampleEntry(entry(type, BoxBytes.box(box, payload))))
      #expect(entry.codec == codec && entry.type == type)
    }
    #expect(VisualSampleEntry(entry("avc1", []))?.codec == nil)
  }

  @Test("a box is appended to a visual entry once, and a cut entry is refused")
  func boxesAreAppendedOnce() throws {
    var video = try #require(VisualSampleEntry(entry("hvc1", BoxBytes.box("colr", [1]))))
    video.append("mdcv", [1, 2, 3])
    video.append("mdcv", [9])
    #expect(video.payload("mdcv") == [1, 2, 3] && video.payload("colr") == [1])
    #expect(Int(video.bytes.bigEndian32(at: 0)) == video.bytes.count)
    #expect(VisualSampleEntry(Array(video.bytes.dropLast())) == nil)
  }

  @Test("parameter sets of avcC and hvcC are found, and a cut avcC gives none")
  func parameterSetsAreFound() throws {
    let sets = try #require(ParameterSets(avcC: avcC))
    #expect(sets.lengthSize == 4 && sets.units == [[0x67, 1, 2], [0x68, 9]])
    let hvcC = [UInt8](repeating: 0, count: 21).enumerated().map { $0.offset == 0 ? 1 : $0.element }
    let arrays: [UInt8] = [3, 2, 0xA0, 0, 1, 0, 2, 0x40, 1, 0xA1, 0, 1, 0, 1, 0x42]
    #expect(ParameterSets(hvcC: hvcC + arrays)?.units == [[0x40, 1], [0x42]])
    for count in 0..<avcC.count { #expect(ParameterSets(avcC: Array(avcC.prefix(count))) == nil) }
  }
}
