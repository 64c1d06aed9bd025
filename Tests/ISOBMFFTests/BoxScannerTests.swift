import Testing

@testable import ISOBMFF

@Suite struct BoxScannerTests {
  private func scan(_ bytes: [UInt8]) -> [BoxHeader] { BoxScanner(BoxBytes.source(bytes)).boxes() }

  @Test func boxesFollowEachOther() {
    let boxes = scan(
      BoxBytes.box("ftyp", [1, 2, 3]) + BoxBytes.box("free") + BoxBytes.box("mdat", [4]))
    #expect(boxes.map(\.type) == ["ftyp", "free", "mdat"])
    #expect(boxes.map(\.payloadSize) == [3, 0, 1])
    #expect(boxes.map(\.payload) == [8, 19, 27])
    #expect(boxes.allSatisfy { !$0.isTruncated })
  }

  @Test func sizesMayHave64Bits() {
    let boxes = scan(BoxBytes.largeBox("mdat", [1, 2, 3]) + BoxBytes.box("free"))
    #expect(boxes.map(\.type) == ["mdat", "free"])
    #expect(boxes.first?.payload == 16)
    #expect(boxes.first?.payloadSize == 3)
  }

  @Test func sizeZeroReachesToTheEnd() {
    let boxes = scan(BoxBytes.number(UInt32(0)) + Array("mdat".utf8) + [1, 2, 3, 4, 5])
    #expect(boxes.map(\.payloadSize) == [5])
    #expect(boxes.first?.isTruncated == false)
  }

  @Test(arguments: [2, 3, 7] as [UInt32]) func impossibleSizesEndTheScan(size: UInt32) {
    let bad = BoxBytes.number(size) + Array("bad ".utf8) + [0, 0, 0, 0]
    #expect(scan(BoxBytes.box("ftyp") + bad + BoxBytes.box("moov")).map(\.type) == ["ftyp"])
  }

  @Test(arguments: [0, 15, UInt64.max, 1 << 63]) func impossibleLargeSizesEndTheScan(size: UInt64) {
    #expect(scan(BoxBytes.largeBox("mdat", [1, 2, 3], size: size)).isEmpty)
  }

  @Test(arguments: [100, UInt64(Int64.max)]) func boxesEndWithTheirParent(size: UInt64) {
    let boxes = scan(BoxBytes.largeBox("mdat", [1, 2, 3], size: size))
    #expect(boxes.map(\.end) == [19])
    #expect(boxes.first?.isTruncated == true)
  }

  @Test func aHeaderCutByItsParentIsNoBox() {
    let inner = BoxBytes.number(UInt32(1)) + Array("data".utf8)
    let bytes = BoxBytes.box("moov", inner) + BoxBytes.number(UInt64(16))
    let scanner = BoxScanner(BoxBytes.source(bytes))
    for box in scanner.boxes() {
      #expect(scanner.boxes(from: box.payload, to: box.end).allSatisfy { $0.payloadSize >= 0 })
    }
  }

  @Test func deepNestingIsFollowedOnlyAsFarAsAsked() throws {
    var bytes = BoxBytes.box("leaf", [9])
    for _ in 0..<5000 { bytes = BoxBytes.box("deep", bytes) }
    let scanner = BoxScanner(BoxBytes.source(bytes))
    let top = try #require(scanner.boxes().first)
    #expect(scanner.first(Array(repeating: "deep", count: 4999) + ["leaf"], in: top) != nil)
    #expect(scanner.first(["leaf"], in: top) == nil)
  }

  @Test func manyEmptyBoxesAreCutShort() {
    let bytes = Array(repeating: BoxBytes.box("free"), count: 200_000).flatMap { $0 }
    #expect(scan(bytes).count == BoxScanner.limit)
    #expect(MovieFacts(BoxBytes.source(bytes)) == nil)
  }

  /// Searches are repeated for every track. The number of reads shows that each search of a track looks at
  /// no more boxes than the limit, however many there are.
  @Test func searchesInTracksOfManyBoxesAreCutShort() {
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

  @Test func payloadsAreLimited() throws {
    let scanner = BoxScanner(BoxBytes.source(BoxBytes.box("mdat", [1, 2, 3, 4])))
    let box = try #require(scanner.boxes().first)
    #expect(scanner.payload(box, limit: 2) == [1, 2])
    #expect(scanner.payload(box) == [1, 2, 3, 4])
  }
}
