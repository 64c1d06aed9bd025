// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Matroska

/// The parts in front of the first cluster, and how far the segment reaches (RFC 8794, 6; RFC 9559, 5.1).
@Suite struct MatroskaHeadTests {
  private static let header = MatroskaBytes.element(.ebml, [])
  private static let chapters = MatroskaBytes.element(
    .chapters,
    MatroskaBytes.element(
      .editionEntry,
      MatroskaBytes.element(.chapterAtom, MatroskaBytes.unsigned(.chapterTimeStart, 7))))

  private static func head(_ bytes: [UInt8]) -> MatroskaHead? {
    try? MatroskaHead(ByteSource(bytes))
  }

  /// Extents by the size of the segment: its bytes, then whether it is open and cut in a file of so many bytes.
  private static let extents: [(size: [UInt8], content: Int, isOpen: Bool, isCut: Bool)] = [
    ([0x40, 0x64], 100, false, false), ([0x40, 0x64], 99, false, true),
    ([1, 0, 0, 0, 0, 0, 1, 0], 256, false, false), ([1, 0, 0, 0, 0, 0, 1, 0], 1, false, true),
    ([0xFF], 9, true, false), ([1] + [UInt8](repeating: 0xFF, count: 7), 9, true, false),
  ]

  @Test("a segment is cut where the file is shorter than it states", arguments: extents.indices)
  func extentsAreRead(row: Int) throws {
    let (size, content, isOpen, isCut) = Self.extents[row]
    let front = Self.header + EBMLID.segment.bytes + size
    let segment = try #require(
      Self.head(front + [UInt8](repeating: 0, count: content))?.segment)
    #expect(segment.isOpen == isOpen && segment.isCut == isCut)
    #expect(segment.body == Int64(front.count))
  }

  @Test("bytes other than Matroska have no head")
  func otherBytesHaveNone() {
    let whole = Self.header + EBMLID.segment.bytes + [0x40, 0x64]
    for length in 0..<whole.count { #expect(Self.head(Array(whole[..<length])) == nil) }
    #expect(Self.head([UInt8](repeating: 0, count: 64)) == nil)
    #expect(Self.head(EBMLID.ebml.bytes + [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]) == nil)
  }

  @Test("the head of any document type and version is read, as libavformat plays it")
  func otherTypesHaveAHead() {
    let fields = [
      MatroskaBytes.element(.docType, Array("other".utf8)),
      MatroskaBytes.unsigned(.docTypeReadVersion, 5),
    ]
    for field in fields {
      let front = MatroskaBytes.element(.ebml, field) + EBMLID.segment.bytes + [0x40, 0x64]
      #expect(Self.head(front + [0])?.segment.isCut == true)
      #expect(Self.head(front + [UInt8](repeating: 0, count: 100))?.segment.isCut == false)
    }
  }

  @Test("tracks and chapters are read, and no byte of a cluster")
  func clustersAreLeftAlone() throws {
    let cluster = MatroskaBytes.element(.cluster, [UInt8](repeating: 0xA5, count: 1 << 20))
    let entry = MatroskaBytes.entry(MatroskaBytes.element(.languageBCP47, Array("es-419".utf8)))
    func file(_ content: [UInt8]) -> [UInt8] { MatroskaBytes.file(content, entry: entry) }
    // The chapters lie after the cluster; the index states their place from the segment's first byte on.
    let index = { (place: Int) in
      MatroskaBytes.element(
        .seekHead,
        MatroskaBytes.element(
          .seek,
          MatroskaBytes.element(.seekID, EBMLID.chapters.bytes)
            + MatroskaBytes.element(.seekPosition, UInt32(place).bigEndianBytes)))
    }
    let start = try #require(Self.head(file([]))?.segment.body)
    let place = file(index(0) + cluster).count - Int(start)
    let bytes = file(index(place) + cluster + Self.chapters)
    var read = 0
    let head = try MatroskaHead(
      ByteSource(size: Int64(bytes.count)) { offset, count in
        read += count
        return Array(bytes[Int(offset)...].prefix(count))
      })
    #expect(head.tracks.map(\.languageBCP47) == ["es-419"])
    #expect(head.chapters?.editions.map(\.chapters.count) == [1])
    #expect(read < 1 << 14, "\(read) bytes")
    // An index that names a wrong place, and none at all.
    for content in [index(place + 1) + cluster + Self.chapters, cluster + Self.chapters] {
      let head = Self.head(file(content))
      #expect(head?.tracks.count == 1 && head?.chapters == nil)
    }
  }

  @Test("a damaged part is left out, and the others stay")
  func damagedPartsAreLeftOut() {
    // Cues that reach beyond the segment.
    let bytes = MatroskaBytes.file(Self.chapters + EBMLID.cues.bytes + [0x7F, 0xFE])
    let head = Self.head(bytes)
    #expect(head?.tracks.count == 1 && head?.chapters?.editions.count == 1)
  }
}
