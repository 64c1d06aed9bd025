// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import Matroska

@Suite struct MatroskaReadingTests {
  private func cluster(_ content: [UInt8], at time: Int = 100) -> [UInt8] {
    MatroskaBytes.element(.cluster, MatroskaBytes.unsigned(.timestamp, time) + content)
  }

  private func code(_ bytes: [UInt8]) -> MatroskaFinding.Code? {
    do {
      _ = try MatroskaBytes.frames(bytes)
      return nil
    } catch { return (error as? MatroskaFinding)?.code }
  }

  /// RFC 9559, 10.3: the sizes 2, 3 and 1 in each form, in 6 bytes of frames.
  @Test(
    "laced frames are taken apart",
    arguments: [
      (0x82, [2, 2, 3, 1, 2, 3, 4, 5, 6]), (0x86, [2, 0x82, 0xC0, 1, 2, 3, 4, 5, 6]),
    ] as [(UInt8, [UInt8])])
  func lacesAreTakenApart(flags: UInt8, content: [UInt8]) throws {
    let frames = try MatroskaBytes.frames(
      MatroskaBytes.file(cluster(MatroskaBytes.block(5, flags: flags, content))))
    #expect(frames.map(\.data) == [[1, 2], [3, 4, 5], [6]])
    #expect(frames.map(\.time) == [105_000_000, 125_000_000, 145_000_000])
    #expect(frames.map(\.lace.index) == [0, 1, 2] && frames.allSatisfy { $0.lace.count == 3 })
    #expect(frames.allSatisfy { $0.isKey })
  }

  @Test("laced frames of one size, and of 255 bytes and more, are taken apart")
  func otherLaces() throws {
    let even = MatroskaBytes.file(
      cluster(MatroskaBytes.block(0, flags: 0x04, [1, 7, 8, 9, 10])))
    #expect(try MatroskaBytes.frames(even).map(\.data) == [[7, 8], [9, 10]])
    let long = [UInt8](repeating: 3, count: 255)
    let xiph = MatroskaBytes.file(
      cluster(MatroskaBytes.block(0, flags: 0x02, [1, 255, 0] + long + [4])))
    #expect(try MatroskaBytes.frames(xiph).map(\.data) == [long, [4]])
  }

  @Test(
    "sizes of laced frames that don't fit are a fault",
    arguments: [
      (0x02, []), (0x02, [1]), (0x02, [1, 9, 1]), (0x02, [1, 255]), (0x04, [1, 7]),
      (0x04, [1, 7, 8, 9]), (0x06, [1]), (0x06, [1, 0x89]), (0x06, [2, 0x82, 0x80, 1, 2]),
      (0x06, [1, 0xFF, 1, 2]), (0x06, [1, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE]),
    ] as [(UInt8, [UInt8])])
  func wrongLacesAreFound(flags: UInt8, content: [UInt8]) {
    #expect(
      code(MatroskaBytes.file(cluster(MatroskaBytes.block(0, flags: flags, content)))) == .lacing)
  }

  @Test("segments and clusters of unknown size are read to the next element of their level")
  func unknownSizesAreRead() throws {
    func open(_ time: Int, _ data: UInt8) -> [UInt8] {
      MatroskaBytes.open(
        .cluster, MatroskaBytes.unsigned(.timestamp, time) + MatroskaBytes.block(0, [data]))
    }
    let tags = MatroskaTag.encoded([MatroskaTag([.init("A", "b")])])
    let bytes = MatroskaBytes.file(open(0, 1) + open(40, 2) + tags, isOpen: true)
    let reader = try MatroskaReader(MatroskaBytes.source(bytes))
    #expect(reader.segment.isOpen && reader.clusters.count == 2 && reader.tags == [tags])
    #expect(reader.findings == [])
    #expect(try MatroskaBytes.frames(bytes).map(\.data) == [[1], [2]])
    #expect(try MatroskaBytes.frames(bytes).map(\.time) == [0, 40_000_000])
    // A second file behind the first one belongs to nobody.
    let joined = try MatroskaReader(MatroskaBytes.source(bytes + bytes))
    #expect(joined.clusters.count == 2)
  }

  @Test("other elements of unknown size are a fault") func otherUnknownSizesAreFaults() throws {
    let group = MatroskaBytes.open(.blockGroup, [])
    #expect(code(MatroskaBytes.file(cluster(group))) == .malformedElement)
    let bytes = MatroskaBytes.file(MatroskaBytes.open(.tags, []))
    let reader = try MatroskaReader(MatroskaBytes.source(bytes))
    #expect(reader.findings.map(\.code) == [.malformedElement])
  }

  @Test("Void and CRC-32 are passed over everywhere") func fillingIsPassedOver() throws {
    let filling = EBMLBuilder.void(length: 20) + MatroskaBytes.element(.crc32, [1, 2, 3, 4])
    let bytes = MatroskaBytes.file(
      filling
        + MatroskaBytes.element(
          .cluster,
          filling + MatroskaBytes.unsigned(.timestamp, 1) + filling + MatroskaBytes.block(0, [1])),
      entry: MatroskaBytes.entry(filling))
    #expect(try MatroskaBytes.frames(bytes).map(\.data) == [[1]])
    #expect(code(bytes) == nil)
  }

  @Test("stripped headers are put back, and compression is named") func encodings() throws {
    func entry(_ compression: [UInt8], order: Int = 0, scope: Int = 1, type: Int = 0) -> [UInt8] {
      MatroskaBytes.element(
        .contentEncoding,
        MatroskaBytes.unsigned(.contentEncodingOrder, order)
          + MatroskaBytes.unsigned(.contentEncodingScope, scope)
          + MatroskaBytes.unsigned(.contentEncodingType, type)
          + MatroskaBytes.element(.contentCompression, compression))
    }
    func strip(_ bytes: [UInt8]) -> [UInt8] {
      MatroskaBytes.unsigned(.contentCompAlgo, 3)
        + MatroskaBytes.element(.contentCompSettings, bytes)
    }
    func frame(_ encodings: [UInt8], _ form: MatroskaReader.FrameForm) throws -> MatroskaFrame {
      let bytes = MatroskaBytes.file(
        cluster(MatroskaBytes.block(0, [7])),
        entry: MatroskaBytes.entry(
          MatroskaBytes.element(.contentEncodings, encodings)
            + MatroskaBytes.element(.codecPrivate, [5])))
      return try #require(try MatroskaBytes.frames(bytes, as: form).first)
    }
    #expect(try frame(entry(strip([1, 2])), .restored).data == [1, 2, 7])
    #expect(try frame(entry(strip([1, 2])), .restored).encoding == nil)
    #expect(try frame(entry(strip([1, 2])), .stored).data == [7])
    #expect(try frame(entry(strip([1, 2])), .stored).encoding == .headerStripping([1, 2]))
    let two = entry(strip([1]), order: 0) + entry(strip([2]), order: 1)
    #expect(try frame(two, .restored).data == [1, 2, 7])
    #expect(try frame(entry([]), .restored).encoding == .zlib)
    #expect(try frame(entry([]), .restored).data == [7])
    #expect(try frame(entry([], scope: 2), .restored).encoding == nil)
    #expect(try frame(entry([], type: 1), .restored).encoding == .encryption)
    let track = try #require(
      MatroskaTrackEntry(
        body: MatroskaBytes.entry(
          MatroskaBytes.element(.contentEncodings, entry(strip([1]), scope: 3))
            + MatroskaBytes.element(.codecPrivate, [5])
        )[2...]))
    #expect(track.codecPrivate == [1, 5])
  }

  @Test("files that aren't Matroska, or of later versions, are refused with the reason")
  func otherFilesAreRefused() throws {
    func code(_ bytes: [UInt8]) -> MatroskaFinding.Code? {
      do {
        _ = try MatroskaReader(MatroskaBytes.source(bytes))
        return nil
      } catch { return error.code }
    }
    #expect(code([]) == .notMatroska)
    #expect(code(Array("RIFF1234WAVE".utf8)) == .notMatroska)
    #expect(
      code(MatroskaBytes.element(.ebml, MatroskaBytes.element(.docType, [0x78]))) == .notMatroska)
    #expect(code(MatroskaDocType.webm.header) == .notMatroska)
    let later = MatroskaBytes.element(.ebml, MatroskaBytes.unsigned(.docTypeReadVersion, 5))
    #expect(code(later) == .unsupported)
    let empty = MatroskaDocType.matroska.header + MatroskaBytes.element(.segment)
    #expect(code(empty) == .missing)
    let twice = MatroskaBytes.file([], entry: MatroskaBytes.entry() + MatroskaBytes.entry())
    let reader = try MatroskaReader(MatroskaBytes.source(twice))
    #expect(reader.findings.map(\.code) == [.unknownTrack] && reader.tracks.count == 1)
  }

  @Test("a size of petabytes is found and allocates nothing") func hugeSizesAreFound() throws {
    let huge = EBMLID.cluster.bytes + VariableInteger.bytes(1 << 50)
    let bytes = MatroskaBytes.file(huge + MatroskaBytes.unsigned(.timestamp, 0), isOpen: true)
    #expect(code(bytes) == .truncated)
    let block = EBMLID.simpleBlock.bytes + VariableInteger.bytes(1 << 50) + [0x81, 0, 0, 0x80]
    #expect(code(MatroskaBytes.file(cluster(block))) == .truncated)
    let tags = EBMLID.tags.bytes + VariableInteger.bytes(1 << 50)
    let reader = try MatroskaReader(
      MatroskaBytes.source(MatroskaBytes.file(tags, isOpen: true)))
    #expect(reader.findings.map(\.code) == [.truncated] && reader.tags == [])
  }

  @Test("elements larger than any real one are passed over with the reason")
  func largeElementsArePassedOver() throws {
    let head = MatroskaBytes.file([], isOpen: true)
    let size = 20_000_000
    let front = head + EBMLID.tags.bytes + VariableInteger.bytes(UInt64(size))
    let source = ByteSource(size: Int64(front.count + size)) { offset, count in
      #expect(count <= 1 << 20)
      return (0..<count).map {
        Int(offset) + $0 < front.count ? front[Int(offset) + $0] : 0
      }
    }
    let reader = try MatroskaReader(source)
    #expect(reader.findings.map(\.code) == [.tooLarge])
  }

  @Test("only the blocks of the tracks that are wanted are read") func wantedTracks() throws {
    let source = MatroskaBytes.source(try SampleFilm.whole())
    var tracks: Set<Int> = []
    try MatroskaReader(source).forEachBlock(of: [2, 3]) {
      tracks.insert($0.track)
      return true
    }
    #expect(tracks == [2, 3])
  }

  @Test("clusters are passed over by short reads") func clustersArePassedOver() throws {
    var segment = SampleFilm.segment([SampleFilm.sound])
    segment.info.timestampScale = TimestampScale.millisecond
    var blocks = SampleFilm.soundBlocks(samples: 960_000)
    for index in blocks.indices { blocks[index].data = Array(repeating: 7, count: 20_000) }
    let bytes = try WrittenSegment.bytes(segment, blocks)
    var total = 0
    let source = ByteSource(size: Int64(bytes.count)) { offset, count in
      total += count
      return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
    }
    let reader = try MatroskaReader(source)
    #expect(reader.clusters.count == 5 && total < 20_000)
    total = 0
    try reader.forEachBlock { _ in true }
    #expect(total < bytes.count + bytes.count / 4)
  }
}
