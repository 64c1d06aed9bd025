// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import ISOBMFF

@Suite struct BoxScannerTests {
  private func scan(_ bytes: [UInt8]) -> [BoxHeader] { BoxScanner(BoxBytes.source(bytes)).boxes() }

  @Test("three boxes are found with their types, places and sizes")
  func boxesFollowEachOther() {
    let boxes = scan(
      BoxBytes.box("ftyp", [1, 2, 3]) + BoxBytes.box("free") + BoxBytes.box("mdat", [4]))
    #expect(boxes.map(\.type) == ["ftyp", "free", "mdat"])
    #expect(boxes.map(\.payloadSize) == [3, 0, 1])
    #expect(boxes.map(\.payload) == [8, 19, 27])
    #expect(boxes.allSatisfy { !$0.isTruncated })
  }

  @Test("a box with a 64-bit size is found and the next one too")
  func sizesMayHave64Bits() {
    let boxes = scan(BoxBytes.largeBox("mdat", [1, 2, 3]) + BoxBytes.box("free"))
    #expect(boxes.map(\.type) == ["mdat", "free"])
    #expect(boxes.first?.payload == 16)
    #expect(boxes.first?.payloadSize == 3)
  }

  @Test("a box of size 0 reaches to the end of the file")
  func sizeZeroReachesToTheEnd() {
    let boxes = scan(BoxBytes.number(UInt32(0)) + Array("mdat".utf8) + [1, 2, 3, 4, 5])
    #expect(boxes.map(\.payloadSize) == [5])
    #expect(boxes.first?.isTruncated == false)
  }

  @Test("sizes of 2, 3 and 7 end the scan", arguments: [2, 3, 7] as [UInt32])
  func impossibleSizesEndTheScan(size: UInt32) {
    let bad = BoxBytes.number(size) + Array("bad ".utf8) + [0, 0, 0, 0]
    #expect(scan(BoxBytes.box("ftyp") + bad + BoxBytes.box("moov")).map(\.type) == ["ftyp"])
  }

  @Test(
    "64-bit sizes below 16 and beyond 63 bits end the scan",
    arguments: [0, 15, UInt64.max, 1 << 63])
  func impossibleLargeSizesEndTheScan(size: UInt64) {
    #expect(scan(BoxBytes.largeBox("mdat", [1, 2, 3], size: size)).isEmpty)
  }

  @Test("a box larger than its file is truncated at the end", arguments: [100, UInt64(Int64.max)])
  func boxesEndWithTheirParent(size: UInt64) {
    let boxes = scan(BoxBytes.largeBox("mdat", [1, 2, 3], size: size))
    #expect(boxes.map(\.end) == [19])
    #expect(boxes.first?.isTruncated == true)
  }

  @Test("a 64-bit header cut by its parent gives no box of negative size")
  func aHeaderCutByItsParentIsNoBox() {
    let inner = BoxBytes.number(UInt32(1)) + Array("data".utf8)
    let bytes = BoxBytes.box("moov", inner) + BoxBytes.number(UInt64(16))
    let scanner = BoxScanner(BoxBytes.source(bytes))
    for box in scanner.boxes() {
      #expect(scanner.boxes(from: box.payload, to: box.end).allSatisfy { $0.payloadSize >= 0 })
    }
  }

  @Test("a box 5000 deep is found by its path, and not without it")
  func deepNestingIsFollowedOnlyAsFarAsAsked() throws {
    var bytes = BoxBytes.box("leaf", [9])
    for _ in 0..<5000 { bytes = BoxBytes.box("deep", bytes) }
    let scanner = BoxScanner(BoxBytes.source(bytes))
    let top = try #require(scanner.boxes().first)
    #expect(scanner.first(Array(repeating: "deep", count: 4999) + ["leaf"], in: top) != nil)
    #expect(scanner.first(["leaf"], in: top) == nil)
  }

  @Test("200,000 empty boxes are cut at the limit and hold no movie")
  func manyEmptyBoxesAreCutShort() {
    let bytes = Array(repeating: BoxBytes.box("free"), count: 200_000).flatMap { $0 }
    #expect(scan(bytes).count == BoxScanner.limit)
    #expect(MovieFacts(BoxBytes.source(bytes)) == nil)
  }

  /// Searches are repeated for every track. The number of reads shows that each search of a track looks at
  /// no more boxes than the limit, however many there are.
  @Test("100 tracks of 50,000 boxes are found with fewer reads than boxes")
  func searchesInTracksOfManyBoxesAreCutShort() {
    let (trackCount, boxCount) = (100, 50_000)
    let filling = Array(repeating: BoxBytes.box("free"), count: boxCount).flatMap { $0 }
    let tracks = Array(repeating: BoxBytes.box("trak", filling), count: trackCount).flatMap { $0 }
    let bytes = BoxBytes.box("moov", tracks)
    var reads = 0
    let source = ByteSource(size: Int64(bytes.count)) { offset, count in
      reads += 1
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
    #expect(MovieFacts(source)?.tracks.count == trackCount)
    #expect(reads < trackCount * boxCount)
  }

  @Test("a payload is read up to the limit")
  func payloadsAreLimited() throws {
    let scanner = BoxScanner(BoxBytes.source(BoxBytes.box("mdat", [1, 2, 3, 4])))
    let box = try #require(scanner.boxes().first)
    #expect(scanner.payload(box, limit: 2) == [1, 2])
    #expect(scanner.payload(box) == [1, 2, 3, 4])
  }
}
